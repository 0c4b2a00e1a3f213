import type { Database } from '../../../platform/db/database.ts'
import { renewLease } from './sends.store.ts'

/** Renewals in the time of a lease, so that two may fail. */
const RENEWALS = 3

type LeasedSend = { readonly account: number; readonly id: string; readonly lease: string }

/**
 * Renews the lease of a message while it is being sent, since servers may take minutes. `over` is aborted when another
 * worker has the lease, and some time after the cell stops.
 */
export function keepSendLease(
  db: Database,
  held: LeasedSend,
  { leaseMs, lastMs }: { readonly leaseMs: number; readonly lastMs: number },
  stopping: AbortSignal,
): { readonly over: AbortSignal; end(): void } {
  const over = new AbortController()
  const renew = async () => {
    const [renewed] = await db.askSystem('renew the lease of a message', renewLease, { ...held, ms: leaseMs })
    if (!renewed) over.abort(new Error('another worker is sending the message'))
  }
  const renewing = setInterval(() => void renew().catch(() => {}), leaseMs / RENEWALS) // the next one may succeed
  let last: NodeJS.Timeout | undefined
  const stop = () => {
    last = setTimeout(() => over.abort(stopping.reason), lastMs)
  }
  if (stopping.aborted) stop()
  else stopping.addEventListener('abort', stop, { once: true })
  return {
    over: over.signal,
    end() {
      clearInterval(renewing)
      clearTimeout(last)
      stopping.removeEventListener('abort', stop)
    },
  }
}
