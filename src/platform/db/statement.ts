import type { Policies } from '../access/policies.ts'
import type { Columns, InputOf, RowOf } from './pg-types.ts'

/**
 * SQL with named parameters, prepared once for each connection: `I` is what it takes at each call, `O` its rows. An
 * account's transaction fills the parameter `account`.
 */
export type Statement<I = never, O = unknown> = {
  readonly name: string
  readonly text: string
  /** The parameters that the text names, in their order. */
  readonly named: readonly string[]
  /** The types of its parameters and columns. `test/contract/statements.test.ts` asks PostgreSQL whether they are true. */
  readonly takes: Columns
  readonly gives: Columns
  values(input: I): unknown[]
  /** Never there; it carries the type of the rows. */
  readonly rows?: O
}
/** A row of a statement. */
export type RowFrom<S> = S extends Statement<never, infer O> ? O : never
/** Statements composed on first use: all variants of a text that depends on roles. */
export type Composed = {
  readonly takes: Columns
  readonly variants: readonly string[]
  of(policies: Policies, variant: string): Statement
}

/** Every statement of the program, for the test that describes them. */
export const statements: Statement[] = []
export const composed: Composed[] = []

/**
 * Makes a statement of SQL in which `$name` is a parameter. The text comes from the program, never from a client.
 * Throws if the text uses an undeclared parameter, or lacks a declared one.
 */
export function statement<const T extends Columns, const G extends Columns>(
  takes: T,
  gives: G,
  text: string,
): Statement<InputOf<T>, RowOf<G>> {
  const made = variantOf(takes, gives, text)
  const unused = Object.keys(takes).filter((name) => !made.named.includes(name))
  if (unused.length > 0) throw new Error(`The statement declares ${unused.join(', ')} and does not name it: ${text}`)
  return made
}

/** A statement whose text is composed, and may leave out parameters that others like it name. */
export function variantOf<const T extends Columns, const G extends Columns>(
  takes: T,
  gives: G,
  text: string,
): Statement<InputOf<T>, RowOf<G>> {
  const made = { ...compile(takes, gives, text), name: `s${statements.length + 1}` }
  statements.push(made)
  return made
}

/** A statement made for one request: it is not prepared. */
export const oneOff = <const T extends Columns, const G extends Columns>(
  takes: T,
  gives: G,
  text: string,
): Statement<InputOf<T>, RowOf<G>> => compile(takes, gives, text)

const PARAMETER = /\$([a-zA-Z_]+)/g

function compile<T extends Columns, G extends Columns>(
  takes: T,
  gives: G,
  given: string,
): Statement<InputOf<T>, RowOf<G>> {
  const named: string[] = []
  const text = given.replace(PARAMETER, (_, name: string) => {
    if (!(name in takes)) throw new Error(`The statement names $${name}, which it does not declare: ${given}`)
    const known = named.indexOf(name)
    return `$${known < 0 ? named.push(name) : known + 1}`
  })
  return { name: '', text, named, takes, gives, values: (input) => named.map((name) => input[name]) }
}
