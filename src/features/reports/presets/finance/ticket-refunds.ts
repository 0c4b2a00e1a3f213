import { inDigits } from '../../in-digits.ts'
import { listSql } from '../document-sql.ts'

/** Elements of a list in JSON, which may be null. */
export const elementsOf = (list: string): string => `jsonb_array_elements(${listSql(list)})`

/** SQL of the last refund of a document `d` of a ticket sale `t` that was not withdrawn. */
export const REFUND_OF_DOCUMENT = `
  select r.item from ${elementsOf('t.refunds')} with ordinality r(item, position)
  where r.item ->> 'ticket_number' = d.item ->> 'ticket_number' and r.item ->> 'status' is distinct from 'cancelled'
  order by r.position desc limit 1`

const given = (name: string): string => `(f.item ->> '${name}')::numeric`
/** SQL of a refund's currency, by default that of its sale `b`. */
export const REFUND_CURRENCY = `coalesce(f.item ->> 'currency', b.currency)`
/** SQL of an amount of a refund `f`. */
export const refundAmount = (name: string): string => inDigits(given(name), REFUND_CURRENCY)
/** SQL of the recalled commission, as an amount or a percentage of the fare; null if not stated. */
export const COMMISSION_RECALLED = `coalesce(${refundAmount('commission_recall')},
  ${inDigits(`(${given('gross')} - coalesce(${given('used')}, 0)) * ${given('commission_recall_rate')} / 100`, REFUND_CURRENCY)})`
