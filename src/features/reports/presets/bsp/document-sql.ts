/** SQL of a cell of a document `d`, one of the passengers of a sale. */
export const cell = (name: string): string => `d.item ->> '${name}'`
const amount = (name: string): string => `(${cell(name)})::numeric`
/** A list in JSON, where it may be null. */
export const listOf = (sql: string): string => `case jsonb_typeof(${sql}) when 'array' then ${sql} else '[]' end`

/** A document of which nothing has become is open. */
export const STATUS = `coalesce(${cell('document_status')}, 'open')`
/** The day of its issue, else that of its sale `b`. */
export const ISSUED_ON = `coalesce((${cell('issued_on')})::date, b.transaction_date)`
/** The equivalent fare, where the base fare is in another currency than the sale. */
const FARE = `coalesce(${amount('equivalent_fare')}, ${amount('base_fare')}, 0)`
/** What the airline asks for it: as it is given, else fare and taxes. */
export const TOTAL = `coalesce(${amount('total')}, ${FARE} + (select coalesce(sum((tax ->> 'amount')::numeric), 0)
  from jsonb_array_elements(${listOf(`d.item -> 'taxes'`)}) tax))`
/** What the agency keeps of it, as the lines of the sale `b` have it. */
export const COMMISSION = `coalesce(${amount('commission_amount')},
  round(${FARE} * ${amount('commission_rate')} / 100, currency_digits(b.currency)), 0)`
/** All numbers of it: its own, then the further ones. */
export const NUMBERS = `array_remove(array[${cell('ticket_number')}], null) || array(
  select jsonb_array_elements_text(${listOf(`d.item -> 'conjunction_ticket_numbers'`)}))`
