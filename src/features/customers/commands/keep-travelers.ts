import { randomUUIDv7 } from 'node:crypto'
import type { Values } from '../../../catalogue/read-cells.ts'
import type { WrittenRecord } from '../../../imports/importable.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'

const FIELDS = {
  first_name: 'text',
  last_name: 'text',
  nationality: 'text',
  national_id: 'text',
  passport_number: 'text',
  passport_country: 'text',
  passport_expiry: 'date',
  date_of_birth: 'date',
  gender: 'text',
  frequent_flyer_number: 'text',
}
const NAMES = Object.keys(FIELDS)
const COLUMNS = Object.entries(FIELDS).map(([name, pg]) => `${name} ${pg}`)

/** A traveller of a customer. `changed` means that a booking filled a gap. */
type Traveler = Record<string, string | null> & { id: string; customer_id: string }
type Known = { readonly traveler: Traveler; readonly isNew: boolean; changed: boolean }

/** One look-up by index for each way to match, over all travellers at once. */
const matching = (column: string, given: string) =>
  `select t.id from given g join travelers t on t.account_id = $account and t.customer_id = g.customer_id and t.${column} = ${given}`
/** Sealed, or clear from before it was sealed. */
const matchingNumber = (column: string) =>
  `${matching(column, `g.${column}`)} union ${matching(column, `g.${column}_then`)}`
const candidates = statement(
  { account: pg.integer, given: pg.jsonText },
  {
    id: pg.uuid,
    customer_id: pg.uuid,
    first_name: pg.nullable(pg.text),
    last_name: pg.nullable(pg.text),
    nationality: pg.nullable(pg.text),
    national_id: pg.nullable(pg.text),
    passport_number: pg.nullable(pg.text),
    passport_country: pg.nullable(pg.text),
    passport_expiry: pg.nullable(pg.date),
    date_of_birth: pg.nullable(pg.date),
    gender: pg.nullable(pg.text),
    frequent_flyer_number: pg.nullable(pg.text),
  },
  `
  with given as (select * from json_to_recordset($given::json) as g(customer_id uuid, passport_number text, passport_number_then text, national_id text, national_id_then text, name text))
  select id, customer_id, ${NAMES.join(', ')} from travelers where account_id = $account and id in (
    ${matchingNumber('passport_number')} union ${matchingNumber('national_id')}
    union ${matching('name_key', 'lower(g.name)')})
  order by created_at, id`,
)
const save = statement(
  { account: pg.integer, added: pg.jsonText, filled: pg.jsonText },
  {},
  `
  with filled as (
    update travelers t set ${NAMES.map((name) => `${name} = f.${name}`).join(', ')}, updated_at = now()
    from json_to_recordset($filled::json) as f(id uuid, ${COLUMNS.join(', ')}) where t.account_id = $account::integer and t.id = f.id
  )
  insert into travelers (account_id, id, customer_id, ${NAMES.join(', ')})
  select $account::integer, a.id, a.customer_id, ${NAMES.map((name) => `a.${name}`).join(', ')}
  from json_to_recordset($added::json) as a(id uuid, customer_id uuid, ${COLUMNS.join(', ')}) order by a.id`,
)

const nameOf = ({ first_name, last_name }: Values) => `${first_name ?? ''} ${last_name ?? ''}`
/** Only the person: a passenger also has a ticket. */
const personOf = (traveler: Values): Values => Object.fromEntries(NAMES.map((name) => [name, traveler[name] ?? null]))
const isEmpty = (traveler: Values) => NAMES.every((name) => (traveler[name] ?? null) === null)

/**
 * Saves the travellers of bookings, listed in the named field, to the directories of their customers: matched by
 * passport or national id, otherwise by name and birth date. Later values fill gaps and never clear or replace a field.
 */
export async function keepTravelers(tx: AccountTx, written: readonly WrittenRecord[], field: string): Promise<void> {
  const given = written.flatMap(({ values, changes }) => {
    if (!values.customer_id || !(field in changes || 'customer_id' in changes)) return []
    const travelers = ((values[field] ?? []) as Values[]).filter((traveler) => !isEmpty(traveler))
    return travelers.map((traveler) => ({ customer: String(values.customer_id), traveler: personOf(traveler) }))
  })
  if (given.length === 0) return
  const keys = given.map(({ customer, traveler }) => ({
    customer_id: customer,
    passport_number: traveler.passport_number,
    passport_number_then: traveler.passport_number,
    national_id: traveler.national_id,
    national_id_then: traveler.national_id,
    name: nameOf(traveler),
  }))
  const known = await tx.all(candidates, { given: JSON.stringify(keys) })
  const directories = Map.groupBy(
    known.map((traveler): Known => ({ traveler, isNew: false, changed: false })),
    ({ traveler }) => traveler.customer_id,
  )
  for (const { customer, traveler } of given) {
    const directory = directories.get(customer) ?? []
    directories.set(customer, directory)
    const match =
      directory.find((known) => hasSameDocument(known.traveler, traveler)) ??
      directory.find((known) => hasSameName(known.traveler, traveler))
    if (match) fillGaps(match, traveler)
    else
      directory.push({
        traveler: { ...(traveler as Traveler), id: randomUUIDv7(), customer_id: customer },
        isNew: true,
        changed: true,
      })
  }
  const changed = [...directories.values()].flat().filter((known) => known.changed)
  if (changed.length === 0) return
  const text = (isNew: boolean) =>
    JSON.stringify(changed.filter((known) => known.isNew === isNew).map(({ traveler }) => traveler))
  tx.later(save, { added: text(true), filled: text(false) })
}

const same = (known: Values, given: Values, name: string) => Boolean(given[name]) && known[name] === given[name]
const agrees = (known: Values, given: Values, name: string) =>
  !given[name] || !known[name] || known[name] === given[name]

const hasSameDocument = (known: Values, given: Values): boolean =>
  same(known, given, 'national_id') ||
  (same(known, given, 'passport_number') && agrees(known, given, 'passport_country'))

/** Another national id is another person; another passport may be a new one, where the birth date is the same. */
function hasSameName(known: Values, given: Values): boolean {
  if (nameOf(given).trim() === '' || nameOf(known).toLowerCase() !== nameOf(given).toLowerCase()) return false
  if (!agrees(known, given, 'national_id')) return false
  const undated = !given.date_of_birth && !known.date_of_birth && agrees(known, given, 'passport_number')
  return same(known, given, 'date_of_birth') || undated
}

function fillGaps(known: Known, given: Values): void {
  for (const name of NAMES) {
    if (known.traveler[name] !== null || (given[name] ?? null) === null) continue
    known.traveler[name] = String(given[name])
    known.changed = true
  }
}
