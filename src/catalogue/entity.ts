import { type Field, type Issue, Refusal, refuse } from './kind.ts'
import { string } from './kinds.ts'
import type { Fields, Values } from './read-cells.ts'

/** What a row's record depends on beside the row. */
export type RowContext = {
  /** The company's currency, for rows that name none. */
  readonly currency: string
  /** The account's calendar day. */
  readonly today: string
  /** The transaction's time, UTC. */
  readonly now: string
}

/** A record that is there, as far as its amendment asks: its fields as `read` would answer them, and its state. */
export type Stored = Values & { readonly id: string; readonly status: string }

/** Columns that follow from a row, rows of tables that belong to the record, and what should be known about it. */
export type Completed = {
  readonly columns: Values
  readonly children: readonly Values[]
  readonly warnings: readonly Issue[]
  readonly errors: readonly Issue[]
}
/** The fields and columns that change, or why none may. `reason` is the outcome's. */
export type Amendment = {
  readonly changes: Values
  readonly errors: readonly Issue[]
  readonly warnings: readonly Issue[]
  readonly reason?: string
}

/** Columns over `t` that every booking shows beside its own fields. */
export type Summary = {
  readonly customer: string
  readonly supplier: string
  readonly currency: string
  readonly totals: { readonly sell: string; readonly cost: string; readonly margin: string; readonly vat: string }
  readonly invoiced: string
  readonly cancelledAt: string
}

/** A table whose rows belong to a record, e.g. the lines of a booking. */
export type ChildTable = {
  readonly table: string
  readonly owner: string
  readonly columns: Readonly<Record<string, string>>
}

export type Entity = {
  readonly key: string
  readonly label: string
  /** The entity's class name in the field. */
  readonly model: string
  readonly scope: 'company' | 'account'
  readonly dependencyOrder: number
  readonly mode: 'upsert' | 'create_once'
  readonly table: string
  /** The table that has the identity and the shared fields where the entity's own table has only the rest. */
  readonly base?: { readonly table: string; readonly fields: readonly string[] }
  readonly fields: Fields
  /** Columns that `complete` and `amend` fill, and their types. */
  readonly computed: Readonly<Record<string, string>>
  readonly child?: ChildTable
  /** SQL of the record's status over `t`, the table with the identity. */
  readonly status: string
  readonly statuses: readonly string[]
  /** Where the common part of a record lies. */
  readonly summary?: Summary
  /** Rules between fields, over the record as it would be. */
  check(record: Values): readonly Issue[]
  complete?(record: Values, id: string, context: RowContext): Completed
  /** Absent for entities that take every change. */
  amend?(stored: Stored, given: Values, context: RowContext): Amendment
  /** Body that can be posted as it is. */
  readonly sample: { readonly rows: readonly Record<string, unknown>[] }
}

type Declared = Omit<Entity, 'fields' | 'computed' | 'check'> & {
  readonly fields: Fields
  readonly computed?: Entity['computed']
  check?(record: Values): readonly Issue[]
}

const EXTERNAL_ID_MAXIMUM = 200
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const externalId: Field<string> = {
  ...string(EXTERNAL_ID_MAXIMUM),
  required: true,
  note: "The record's key in the source system; unique within it.",
  read(cell, context) {
    const text = string(EXTERNAL_ID_MAXIMUM).read(cell, context)
    if (text instanceof Refusal || !CONTROL.test(text)) return text
    return refuse('invalid_string', 'Send text without control characters.')
  },
  example: 'X-1001',
}

export const required = <F extends Field>(field: F): F & { required: true } => ({ ...field, required: true })
export const pii = <F extends Field>(field: F): F & { pii: true } => ({ ...field, pii: true })

export function defineEntity(declared: Declared): Entity {
  const { fields, computed = {}, check = () => [], ...rest } = declared
  return { ...rest, computed, check, fields: { external_id: externalId, ...fields } }
}
