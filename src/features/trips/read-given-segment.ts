import type { Values } from '../../catalogue/read-cells.ts'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { Reasons } from '../../platform/http/reasons.ts'
import { readAttributes } from '../../records/attributes.ts'
import { maskedAttributes } from '../../records/masked-attributes.ts'
import type { FoundDesk } from '../accounts/reads/find-desk.ts'
import { refuseUnknownSupplier } from './commands/refuse-unknown.ts'
import { segmentAttributes } from './segment-attributes.ts'

/** How a segment is written: `policies` are those of the editor of one that exists. */
type Reading = { readonly creates: boolean; readonly reasons: Reasons; readonly policies?: Policies | undefined }

/** The attributes in a write of a segment. */
export const readGivenSegment = (
  desk: FoundDesk,
  given: Record<string, unknown>,
  { creates, reasons, policies }: Reading,
): Values =>
  readAttributes(segmentAttributes, given, {
    company: desk,
    timeZone: desk.time_zone,
    creates,
    reasons,
    ...(policies && { masked: maskedAttributes(segmentAttributes, policies, false) }),
  })

/** Refuses a segment that cannot be so. A flight may land before it took off, by the clocks of its airports. */
export async function refuseSegment(
  tx: AccountTx,
  record: Values,
  reasons: Reasons,
  stored: Values = {},
): Promise<void> {
  const { segment_type, start_time, end_time } = record as Record<string, string | null>
  const isBackwards = segment_type !== 'flight' && start_time && end_time && end_time < start_time
  if (isBackwards && !reasons.has('segment_type', 'start_time', 'end_time'))
    reasons.add(['end_time', `This is before the start, ${start_time}. Send a later time.`])
  for (const [amount, currency] of [
    ['price_amount', 'currency'],
    ['cost_amount', 'cost_currency'],
    ['commission_amount', 'cost_currency'],
  ] as const)
    if (record[amount] !== null && record[currency] === null && !reasons.has(amount, currency))
      reasons.add([currency, `This field is required with ${amount}.`])
  if (record.supplier_id !== stored.supplier_id)
    await refuseUnknownSupplier(tx, 'supplier_id', record.supplier_id, reasons)
  reasons.refuse()
}
