import type { AccountTx } from '../db/account-tx.ts'
import { jsonText } from '../json-text.ts'
import { ApiError } from './errors.ts'
import { withoutLast } from './idempotency.ts'
import type { VersionCheck } from './route.ts'
import { etagOf, StaleRecord } from './stale.ts'

const TAG = '(W/)?("[\\x21\\x23-\\x7e\\x80-\\xff]*")'
const TAGS = new RegExp(`^\\s*${TAG}(\\s*,\\s*${TAG})*\\s*$`)
const ANY = '*'

/** The ETags that a write accepts; null if it accepts any. Proxies that compress make tags weak, `W/"3"`; these count too. */
export function acceptedTags(header: string | undefined): ReadonlySet<string> | null {
  if (header === undefined || header.trim() === ANY) return null
  if (!TAGS.test(header)) {
    throw new ApiError(
      'bad_request',
      'The header If-Match is invalid. Send the ETag of the record as you read it, with its quotation marks, such as "3".',
    )
  }
  return new Set([...header.matchAll(new RegExp(TAG, 'g'))].map(([, , tag]) => String(tag)))
}

/** Refuses a write of a record whose version is not accepted. Leaves one that does not exist to the write. */
export async function refuseStale<I>(
  { lock, show }: VersionCheck<I>,
  accepted: ReadonlySet<string>,
  tx: AccountTx,
  input: I,
): Promise<void> {
  const stored = await lock(tx, input)
  if (!stored || accepted.has(etagOf(stored.version))) return
  const { body, version } = await show(withoutLast(tx), input)
  throw new StaleRecord(jsonText((JSON.parse(body) as { data: unknown }).data), version)
}
