import {
  type Compilable,
  DummyDriver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely'
import type { DB } from './types.gen.ts'

/** Kysely as a writer of text alone: it has no connection, so holding it grants nothing. */
export const build = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** SQL compiled once: `I` is what it takes at each call, `O` its rows. An account's transaction fills the slot `account`. */
export type Statement<I, O> = {
  readonly name: string
  readonly text: string
  values(input: I): unknown[]
  /** Never there; it carries the type of the rows. */
  readonly rows?: O
}
export type Slots<I> = { readonly [K in keyof I]-?: Expression<I[K]> }
type Query<O> = Compilable<O> | RawBuilder<O>

class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}
const SLOTS = new Proxy({}, { get: (_, name) => sql.val(new Slot(String(name))) })
let made = 0

/** Compiles a statement whose parameters are the slots that `make` takes. Its name makes PostgreSQL prepare it once for each connection. */
export function statement<I extends object, O>(make: (slots: Slots<I>) => Query<O>): Statement<I, O> {
  const { sql: text, parameters } = make(SLOTS as Slots<I>).compile(build)
  const read = parameters.map((value) =>
    value instanceof Slot ? (input: I) => input[value.name as keyof I] : () => value,
  )
  made += 1
  return { name: `s${made}`, text, values: (input) => read.map((value) => value(input)) }
}

/**
 * The same for SQL that a declaration wrote: `$name` is a parameter. The text is the program's own, never a client's.
 */
export function textStatement<I extends object, O>(text: string): Statement<I, O> {
  const names: (keyof I)[] = []
  const numbered = text.replace(/\$([a-z_]+)/g, (_, name: string) => {
    const known = names.indexOf(name as keyof I)
    return `$${known < 0 ? names.push(name as keyof I) : known + 1}`
  })
  made += 1
  return { name: `s${made}`, text: numbered, values: (input) => names.map((name) => input[name]) }
}
