import Type, { type TSchema } from 'typebox'
import type { Policies, Policy } from '../access/policies.ts'

/** One field of a response: its SQL, its shape, and the policies without which it is null and not read. */
export type ViewField = {
  readonly sql: string | ((policies: Policies) => string)
  readonly schema: TSchema
  readonly needs?: readonly Policy[]
}
/** The fields of a response, in order, over the tables of a `from` clause. */
export type View = Readonly<Record<string, ViewField>>

/** SQL of the view as JSON, as this role sees it. */
export function viewSql(view: View, policies: Policies): string {
  const columns = Object.entries(view).map(([name, { sql, needs = [] }]) => {
    const shown = typeof sql === 'string' ? sql : sql(policies)
    return `${needs.every((policy) => policies.has(policy)) ? shown : 'null'} as "${name}"`
  })
  return `(select row_to_json(v) from (select ${columns.join(', ')}) v)`
}

export const viewSchema = (view: View, title: string): TSchema =>
  Type.Object(Object.fromEntries(Object.entries(view).map(([name, { schema }]) => [name, schema])), {
    additionalProperties: false,
    title,
  })

/** SQL that prints a timestamp as the API writes it: UTC, with microseconds. */
export const instantSql = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** SQL of a seat reference; null where the column is. */
export const seatSql = (column: string, account: string): string =>
  `(select json_build_object('id', s.id, 'name', s.name, 'email', s.email) from seats s where s.account_id = ${account} and s.id = ${column})`
