import type { Client, FieldDef } from 'pg'
import type { Statement } from '../../src/platform/db/statement.ts'

export type Described = {
  /** The types of its parameters, as PostgreSQL names them: `int4`, `_uuid`. */
  readonly takes: Readonly<Record<string, string>>
  /** Those of its columns. `nullable` is undefined where PostgreSQL cannot tell. */
  readonly gives: Readonly<Record<string, { readonly type: string; readonly nullable: boolean | undefined }>>
}

/** Describes statements on a database without running them. */
export async function describer(client: Client): Promise<(statement: Statement) => Promise<Described>> {
  const { rows: types } = await client.query<{ oid: number; typname: string }>(
    'select oid::integer, typname from pg_type',
  )
  const { rows: columns } = await client.query<{ key: string; attnotnull: boolean }>(
    `select attrelid || '.' || attnum as key, attnotnull from pg_attribute where attnum > 0`,
  )
  const typeNames = new Map(types.map(({ oid, typname }) => [oid, typname]))
  const notNull = new Map(columns.map(({ key, attnotnull }) => [key, attnotnull]))
  const nameOf = (oid: number): string => typeNames.get(oid) ?? String(oid)

  const parsed = new Map<string, Promise<Parsed>>()
  return async ({ text, named }) => {
    const known = parsed.get(text) ?? parse(client, text)
    parsed.set(text, known)
    const { parameters, fields } = await known
    // An outer join, and `old` of an insert, have nulls where a table has none: only the plan would tell in which columns.
    const isOuter = /\b(left|right|full)\s+(outer\s+)?join\b|\bgrouping sets\b|\brollup\b|\bold\./i.test(text)
    const nullable = ({ tableID, columnID }: FieldDef): boolean | undefined => {
      const known = notNull.get(`${tableID}.${columnID}`)
      return known === undefined ? undefined : known ? (isOuter ? undefined : false) : true
    }
    return {
      takes: Object.fromEntries(named.map((name, at) => [name, nameOf(parameters[at] as number)])),
      gives: Object.fromEntries(
        fields.map((field) => [field.name, { type: nameOf(field.dataTypeID), nullable: nullable(field) }]),
      ),
    }
  }
}

type Parsed = { readonly parameters: readonly number[]; readonly fields: readonly FieldDef[] }
type Wire = {
  parse(query: { name: string; text: string; types: number[] }): void
  describe(what: { type: 'S'; name: string }): void
  sync(): void
  on(event: 'parameterDescription', hear: (message: { dataTypeIDs: number[] }) => void): void
  off(event: 'parameterDescription', hear: (message: { dataTypeIDs: number[] }) => void): void
}

/** Has PostgreSQL parse a text, and answers what it says of its parameters and columns; `pg` itself has no call for that. */
function parse(client: Client, text: string): Promise<Parsed> {
  const { connection } = client as unknown as { connection: Wire }
  return new Promise((resolve, reject) => {
    let parameters: number[] = []
    let fields: FieldDef[] = []
    let failure: Error | undefined
    const hear = (message: { dataTypeIDs: number[] }) => {
      parameters = message.dataTypeIDs
    }
    connection.on('parameterDescription', hear)
    const question = {
      submit() {
        connection.parse({ name: '', text, types: [] })
        connection.describe({ type: 'S', name: '' })
        connection.sync()
        return null
      },
      handleRowDescription(message: { fields: FieldDef[] }) {
        fields = message.fields
      },
      handleError(error: Error) {
        failure = error
      },
      handleReadyForQuery() {
        connection.off('parameterDescription', hear)
        if (failure) reject(failure)
        else resolve({ parameters, fields })
      },
      on() {},
    }
    client.query(question as never)
  })
}
