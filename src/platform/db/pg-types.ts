import Type, { type Static, type TSchema } from 'typebox'
import type { JsonText } from '../json-text.ts'

/**
 * What a parameter or a column is: its shape in the program, and under `pg` the types of PostgreSQL that it may have
 * there. Dates, times and 64-bit integers are text in the program, as PostgreSQL prints them.
 */
export type PgType = TSchema
export type Columns = Readonly<Record<string, PgType>>

const printed = (...pg: string[]) => Type.String({ pg })
const TEXT = ['text', 'varchar', 'bpchar', 'name', 'citext']

export const uuid = printed('uuid')
export const text = printed(...TEXT)
export const date = printed('date')
export const instant = printed('timestamptz')
export const bigint = printed('int8')
export const numeric = printed('numeric')
export const integer = Type.Integer({ pg: ['int4', 'int2'] })
export const float = Type.Number({ pg: ['float8', 'float4'] })
export const boolean = Type.Boolean({ pg: ['bool'] })
export const bytes = Type.Unsafe<Buffer>({ pg: ['bytea'] })
/** JSON as a parameter: text that the statement parses. */
export const jsonText = printed('json', 'jsonb')

/** JSON as a column that the statement prints, returned unchanged. */
export const printedJson = Type.Unsafe<JsonText<never>>({ type: 'string', pg: TEXT })
/** Text that is one of a closed list, which the type names. */
export const textOf = <T extends string>() => Type.Unsafe<T>({ type: 'string', pg: TEXT })
/** JSON as a column: what the statement builds, parsed. */
export const json = <T>() => Type.Unsafe<T>({ pg: ['json', 'jsonb'] })
/** A column whose type follows from another declaration: the attributes of a record. */
export const attribute = Type.Unknown({ pg: [] })
/** A column to ignore: the result of a function that returns nothing. */
export const nothing = Type.Unknown({ pg: ['void'] })
export const list = <S extends TSchema>(of: S) => Type.Array(of)
/** A column that can be null in its table, and never is in these rows: a condition or a join sees to it. */
export const filled = <S extends TSchema>(of: S) => ({ ...of, filled: true }) as S
export const nullable = <S extends TSchema>(of: S) => Type.Union([of, Type.Null()])

/** An input of these parameters. Lists may be read-only, since a statement only reads them. */
export type InputOf<C extends Columns> = { readonly [K in keyof C]: ReadonlyLists<Static<C[K]>> }
type ReadonlyLists<T> = T extends (infer E)[] ? readonly E[] : T
/** A row of these columns. */
export type RowOf<C extends Columns> = { -readonly [K in keyof C]: Static<C[K]> }
