import type { Client, FieldDef } from 'pg'
import type { Statement } from '../../src/platform/db/statement.ts'

export type Described = {
  /** The types of its parameters, as PostgreSQL names them: `int4`, `_uuid`. */
  readonly takes: Readonly<Record<string, string>>
  /** The columns. `nullable` is undefined if PostgreSQL cannot tell. */
  readonly gives: Readonly<Record<string, { readonly type: string; readonly nullable: boolean | undefined }>>
}

/** Describes statements on a database without running them. */
export async function describer(client: Client): Promise<(statement: Statement) => Promise<Described>> {
  await client.query('set role backdesk_system') // the owner of the tables sees no row, so its plans are empty
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
    const isOuter = OUTER.test(text)
    const isPlanned = isOuter && fields.some(({ tableID, columnID }) => notNull.get(`${tableID}.${columnID}`))
    const outputs = isPlanned ? await outerOutputs(client, text) : []
    const nullable = ({ tableID, columnID }: FieldDef, at: number): boolean | undefined => {
      if (outputs[at]) return true
      const known = notNull.get(`${tableID}.${columnID}`)
      return known === undefined ? undefined : known ? (isOuter ? undefined : false) : true
    }
    return {
      takes: Object.fromEntries(named.map((name, at) => [name, nameOf(parameters[at] as number)])),
      gives: Object.fromEntries(
        fields.map((field, at) => [field.name, { type: nameOf(field.dataTypeID), nullable: nullable(field, at) }]),
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

/** Makes PostgreSQL parse a text, and returns its description of parameters and columns; `pg` has no call for that. */
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

/** An outer join, and `old` of an insert, have nulls for a table without a row. */
const OUTER = /\b(left|right|full)\s+(outer\s+)?join\b|\bgrouping sets\b|\brollup\b|\bold\./i
type Plan = {
  readonly Output?: readonly string[]
  readonly 'Join Type'?: string
  readonly 'Parent Relationship'?: string
  readonly Plans?: readonly Plan[]
}

/** For each column, whether its plan takes it unchanged from the optional side of an outer join. */
async function outerOutputs(client: Client, text: string): Promise<boolean[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (generic_plan, verbose, format json) ${text}`,
  )
  const top = rows[0]?.['QUERY PLAN'][0].Plan as Plan
  const absent = new Set<string>()
  const visit = (plan: Plan, isAbsent: boolean): void => {
    if (isAbsent) for (const output of plan.Output ?? []) absent.add(output)
    const kind = plan['Join Type']
    for (const part of plan.Plans ?? []) {
      const side = part['Parent Relationship']
      visit(
        part,
        isAbsent || kind === 'Full' || (kind === 'Left' && side === 'Inner') || (kind === 'Right' && side === 'Outer'),
      )
    }
  }
  visit(top, false)
  return (top.Output ?? []).map((output) => absent.has(output))
}
