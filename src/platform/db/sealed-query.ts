import { types } from 'pg'
import type { OpenKeys } from '../account-keys.ts'
import { onceFor } from '../once-for.ts'
import { mayHoldSealed } from '../seal-values.ts'
import { parsers } from './pool.ts'
import { queryOf, type SessionQuery } from './session.ts'
import type { Statement } from './statement.ts'

type Parse = (text: string) => unknown
/** Columns of these types may hold sealed values. */
const TEXTS = new Set<number>([types.builtins.TEXT, types.builtins.VARCHAR, types.builtins.JSON, types.builtins.JSONB])

/** Where a statement takes JSON. */
const jsonPlaces = onceFor(({ named, takes }: Statement): readonly number[] =>
  named.flatMap((name, nth) => (isJson(takes[name]) ? [nth] : [])),
)
const isJson = (type: unknown): boolean => {
  const { pg = [], anyOf = [] } = (type ?? {}) as { pg?: readonly string[]; anyOf?: readonly unknown[] }
  return pg.includes('json') || anyOf.some(isJson)
}

/** A statement of an account: values that it writes are sealed, and those that it reads are opened. */
export function accountQuery<I, O>(statement: Statement<I, O>, input: I, keys: OpenKeys | undefined): SessionQuery {
  const query = queryOf(statement, input)
  if (!keys) return query
  return {
    ...query,
    values: keys.seals ? sealed(statement, query.values ?? [], keys) : query.values,
    types: opening(keys),
  } as SessionQuery
}

function sealed(statement: object, values: readonly unknown[], { values: seal }: OpenKeys): unknown[] {
  const written = [...values]
  for (const nth of jsonPlaces(statement as Statement)) {
    const value = written[nth]
    if (typeof value === 'string') written[nth] = seal.sealIn(value)
  }
  return written
}

/** Parsers that open sealed values first. */
const opening = onceFor(({ values }: OpenKeys) => ({
  getTypeParser(oid: number, format: 'text') {
    const parse = parsers.getTypeParser(oid, format) as Parse
    return TEXTS.has(oid) ? (text: string) => parse(mayHoldSealed(text) ? values.openIn(text) : text) : parse
  },
}))
