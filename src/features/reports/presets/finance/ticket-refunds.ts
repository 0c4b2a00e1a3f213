/** Elements of a list in JSON, which may be null. */
export const elementsOf = (list: string): string =>
  `jsonb_array_elements(case jsonb_typeof(${list}) when 'array' then ${list} else '[]' end)`

/** SQL of the last refund of a document `d` of a ticket sale `t` that nobody has withdrawn. */
export const REFUND_OF_DOCUMENT = `
  select r.item from ${elementsOf('t.refunds')} with ordinality r(item, position)
  where r.item ->> 'ticket_number' = d.item ->> 'ticket_number' and r.item ->> 'status' is distinct from 'cancelled'
  order by r.position desc limit 1`

/** SQL of an amount of a refund `f`. */
export const refundAmount = (name: string): string => `(f.item ->> '${name}')::numeric`
/** SQL of a refund's currency, by default that of its sale `b`. */
export const REFUND_CURRENCY = `coalesce(f.item ->> 'currency', b.currency)`
/** SQL of what the airline takes back of its commission, as an amount or a part of the fare; null where it does not say. */
export const COMMISSION_RECALLED = `coalesce(${refundAmount('commission_recall')},
  round((${refundAmount('gross')} - coalesce(${refundAmount('used')}, 0)) * ${refundAmount('commission_recall_rate')} / 100,
    currency_digits(${REFUND_CURRENCY})))`
