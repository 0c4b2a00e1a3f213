import type { AccountSecrets } from '../../platform/account-secrets.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { Database } from '../../platform/db/database.ts'
import { leasedQueue } from '../../platform/jobs/leased-queue.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import { appendLinks, CHAINS_DUE, leasedChains, lockChain, readPending, releaseChain } from './chain.store.ts'
import { chainKeys, linkMac } from './chain-mac.ts'

const LEASE_MS = 60_000
const POLL_MS = 1_000
/** Entries that one transaction chains: a few milliseconds. */
const BATCH = 500

type Needs = { readonly db: Database; readonly accountSecrets: AccountSecrets }

/** Chains committed entries, of one account at a time, in the order in which they become visible. */
export function auditChainQueue({ db, accountSecrets }: Needs): Queue {
  return leasedQueue(
    { db },
    {
      name: 'audit chain',
      rows: leasedChains,
      due: CHAINS_DUE,
      leaseMs: LEASE_MS,
      given: {},
      pollMs: POLL_MS,
      async work([{ account }], lease, stopping) {
        const step = (tx: AccountTx) => chainEntries(tx, lease, chainKeys(accountSecrets, account).own)
        let chained = 0
        for (let last = BATCH; last === BATCH && !stopping.aborted; chained += last)
          last = await db.inAccount(account, step)
        // Queued entries that are gone, which `audit verify` reports, wait for the end of the lease.
        if (chained > 0) await db.inAccount(account, async (tx) => tx.later(releaseChain, { lease }))
      },
    },
  )
}

/** Appends a batch to the chain. Returns how many entries it had. */
async function chainEntries(tx: AccountTx, lease: string, key: Buffer): Promise<number> {
  const chain = await tx.one(lockChain, { lease })
  if (!chain) return 0
  const entries = await tx.all(readPending, { most: BATCH })
  if (entries.length === 0) return 0
  const first = BigInt(chain.last_seq) + 1n
  let { head } = chain
  const macs = entries.map(({ values }, nth) => {
    head = linkMac(key, first + BigInt(nth), head, values)
    return head
  })
  tx.later(appendLinks, { first: String(first), ids: entries.map(({ id }) => id), macs, head })
  return entries.length
}
