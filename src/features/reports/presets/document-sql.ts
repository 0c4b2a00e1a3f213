import { inDigits } from '../in-digits.ts'

/** SQL of a cell of a document `d`, one of the passengers of a sale `b`. */
export const cellSql = (name: string): string => `d.item ->> '${name}'`
const given = (name: string): string => `(${cellSql(name)})::numeric`
/** A list in JSON, where it may be null. */
export const listSql = (sql: string): string => `case jsonb_typeof(${sql}) when 'array' then ${sql} else '[]' end`

/** An amount in the digits of the sale. */
const inSale = (sql: string): string => inDigits(sql, 'b.currency')
/** An amount of the document besides fare and taxes; zero if none is given. */
export const amountSql = (name: string): string => inSale(`coalesce(${given(name)}, 0)`)

/** A document of which nothing has become is open. */
export const DOCUMENT_STATUS_SQL = `coalesce(${cellSql('document_status')}, 'open')`
/** The day of its issue, else that of its sale `b`. */
export const ISSUED_ON = `coalesce((${cellSql('issued_on')})::date, b.transaction_date)`
const BASE_FARE = `case when coalesce(${cellSql('base_fare_currency')}, b.currency) = b.currency then ${given('base_fare')} end`
/** The equivalent fare, where the base fare is in another currency than the sale. */
const GIVEN_FARE = `coalesce(${given('equivalent_fare')}, ${BASE_FARE}, 0)`
const GIVEN_TAXES = `(select coalesce(sum((tax ->> 'amount')::numeric), 0) from jsonb_array_elements(${listSql(`d.item -> 'taxes'`)}) tax)`
export const FARE = inSale(GIVEN_FARE)
export const TAXES = inSale(GIVEN_TAXES)
/** The amount due to the airline: as stated, or fare plus taxes. */
export const TOTAL = inSale(`coalesce(${given('total')}, ${GIVEN_FARE} + ${GIVEN_TAXES})`)
/** The agency's part, from the lines of the sale. */
export const COMMISSION = inSale(
  `coalesce(${given('commission_amount')}, ${GIVEN_FARE} * ${given('commission_rate')} / 100, 0)`,
)
/** All numbers of it: its own, then the further ones. */
export const NUMBERS = `array_remove(array[${cellSql('ticket_number')}], null) || array(
  select jsonb_array_elements_text(${listSql(`d.item -> 'conjunction_ticket_numbers'`)}))`
