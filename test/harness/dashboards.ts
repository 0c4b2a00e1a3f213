import { randomUUID } from 'node:crypto'
import { BUILT_IN_ROLES, type Policies } from '../../src/platform/access/policies.ts'
import { type Agency, makeAgency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { updateAccountOf } from './settings.ts'
import { ask } from './sql.ts'

export type Row = Readonly<Record<string, unknown>>
export type Rows = Readonly<Record<string, readonly Row[]>>

/** Writes rows of an account straight into its tables, in the order of these; what no row names has its default. */
export async function writeRows(cell: TestCell, { number }: Agency, tables: Rows): Promise<void> {
  for (const [table, rows] of Object.entries(tables)) {
    const names = [...new Set(['account_id', ...rows.flatMap((row) => Object.keys(row))])].join(', ')
    const sql = `insert into ${table} (${names}) select ${names} from jsonb_populate_recordset(null::${table}, $1)`
    await ask(cell, sql, [JSON.stringify(rows.map((row) => ({ account_id: number, ...row })))])
  }
}

/** An instant as the API writes it. */
export const instant = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, -1)}000Z`

/** The quotient of integers, rounded half away from zero; null for a division by zero. */
export function quotient(dividend: number, divisor: number, digits: number): number | null {
  if (divisor === 0) return null
  const unit = 10 ** digits
  const whole = Math.floor((2 * Math.abs(dividend) * unit + divisor) / (2 * divisor))
  return (Math.sign(dividend) * whole) / unit || 0
}

type Key = string | number | null
/** Compares rows by one key after another, the smaller first and null last. */
export const by =
  <T>(...keys: readonly ((row: T) => Key)[]) =>
  (one: T, other: T): number => {
    for (const key of keys) {
      const [a, b] = [key(one), key(other)]
      if (a === b) continue
      if (a === null || b === null) return a === null ? 1 : -1
      return a < b ? -1 : 1
    }
    return 0
  }
/** The reverse; every row has the key. */
export const descending =
  <T>(compare: (one: T, other: T) => number) =>
  (one: T, other: T): number =>
    compare(other, one)

/** The days on which the clocks of a zone changed or will change, the latest ones. */
export function daysOfChange(zone: string): string[] {
  const days: string[] = []
  let at = Temporal.ZonedDateTime.from(`2033-01-01T00:00[${zone}]`).getTimeZoneTransition('previous')
  while (at && days.length < CHANGES) {
    days.push(at.toPlainDate().toString())
    at = at.getTimeZoneTransition('previous')
  }
  return days
}
const CHANGES = 24

/** An account whose clock is of a zone, with a customer behind a tag that hides who it is, and a role that sees little else. */
export async function agencyIn(cell: TestCell, zone: string): Promise<Agency> {
  const agency = await makeAgency(cell)
  await updateAccountOf(cell, agency.number, { timeZone: zone })
  await writeRows(cell, agency, {
    roles: [{ name: ONLOOKER, policies: ['view_dashboards'] }],
    restricted_tags: [{ name: 'vip' }],
  })
  return agency
}
const ONLOOKER = 'onlooker'
/** Every role that sees dashboards, by its policies. */
export const ROLES: Readonly<Record<string, Policies>> = {
  ...Object.fromEntries(Object.entries(BUILT_IN_ROLES).filter(([, policies]) => policies.has('view_dashboards'))),
  [ONLOOKER]: new Set(['view_dashboards']),
}

/** A customer as a test writes it. */
export type Person = {
  readonly id: string
  readonly name: string
  readonly tags: string[]
  readonly deleted_at: string | null
}
export const peopleOf = ({ company }: Agency): (Person & Row)[] =>
  Array.from({ length: 8 }, (_, at) => ({
    id: randomUUID(),
    company_id: company.id,
    name: `Person${at}`,
    tags: at % 3 === 1 ? ['vip'] : ['beach'],
    deleted_at: at === 7 ? instant(0) : null,
  }))
/** What a role sees of a customer. */
export function seen(person: Person | undefined, policies: Policies): { id: string; name: string | null } | null {
  if (!person || person.deleted_at) return null
  return { id: person.id, name: knows(person, policies) ? person.name : null }
}
export const knows = ({ tags }: Person, policies: Policies): boolean =>
  policies.has('view_personal_data') && (policies.has('view_restricted_customers') || !tags.includes('vip'))
export const titled = <T>(title: T, policies: Policies): T | null => (policies.has('view_trips') ? title : null)
