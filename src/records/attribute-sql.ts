import type { Fields } from '../catalogue/read-cells.ts'
import * as pg from '../platform/db/pg-types.ts'

/** SQL of attributes that are columns of a table `t`, each under its name. */
export function attributeSql(fields: Fields) {
  const columns = Object.entries(fields)
  const each = (sql: (name: string) => string) => columns.map(([name]) => sql(name)).join(', ')
  return {
    names: each((name) => name),
    /** A `from` clause: the parameter `values`, a record as JSON, as one row `v`. */
    given: `json_to_record($values::json) as v(${columns.map(([name, { pg }]) => `${name} ${pg}`).join(', ')})`,
    values: each((name) => `v.${name}`),
    set: each((name) => `${name} = v.${name}`),
    /** The columns as reading them would have returned them, and their types. */
    columns: Object.fromEntries(columns.map(([name]) => [name, pg.attribute])) as Readonly<
      Record<string, typeof pg.attribute>
    >,
    stored: columns.map(([name, { print }]) => `${print(`t.${name}`)} as ${name}`).join(', '),
  }
}
