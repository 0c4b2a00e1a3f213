import type { Values } from '../../catalogue/read-cells.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { readAttributes, refuseAttributes } from '../../records/attributes.ts'
import type { FoundDesk } from '../accounts/reads/find-desk.ts'
import { refuseUnknownSupplier } from './commands/refuse-unknown.ts'
import { segmentAttributes } from './segment-attributes.ts'

/** The attributes in a write of a segment. */
export const readGivenSegment = (desk: FoundDesk, given: Record<string, unknown>, creates: boolean): Values =>
  readAttributes(segmentAttributes, given, { company: desk, timeZone: desk.time_zone, creates })

/** Refuses a segment that cannot be so. A flight may land before it took off, by the clocks of its airports. */
export async function refuseSegment(tx: AccountTx, record: Values): Promise<void> {
  const { segment_type, start_time, end_time } = record as Record<string, string | null>
  if (segment_type !== 'flight' && start_time && end_time && end_time < start_time)
    refuseAttributes([['end_time', `This is before the start, ${start_time}. Send a later time.`]])
  for (const [amount, currency] of [
    ['price_amount', 'currency'],
    ['cost_amount', 'cost_currency'],
    ['commission_amount', 'cost_currency'],
  ] as const)
    if (record[amount] !== null && record[currency] === null)
      refuseAttributes([[currency, `This field is required with ${amount}.`]])
  await refuseUnknownSupplier(tx, 'supplier_id', record.supplier_id)
}
