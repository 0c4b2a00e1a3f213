import { type Field, type Issue, type Mark, Refusal, refuse } from './kind.ts'
import { string } from './kinds.ts'
import type { Fields, Values } from './read-cells.ts'

type Totals = { readonly sell: string; readonly cost: string; readonly margin: string; readonly vat: string }
/** A record that another names, and shows as its id, external id and name. */
export type Linked = {
  readonly table: string
  /** SQL of its id over `t`, the record that names it. */
  readonly id: string
  /** Its name is personal data, which is hidden as the record's own is; `restricted` is SQL over `l`, the linked one. */
  readonly pii?: true
  readonly restricted?: string
}
/** What records show under names that all entities share: columns over `t`, and the records that they name. */
export type RecordSummary = {
  readonly customer?: Linked
  readonly supplier?: Linked
  /** In the record's currency. */
  readonly totals?: Totals
  /** The same in the company's. */
  readonly companyTotals?: Totals & { readonly currency: string }
  readonly invoiced?: string
  readonly cancelledAt?: string
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
  /** Records are created only in the application: read through the feed, never imported. */
  readonly readOnly?: true
  readonly mode: 'upsert' | 'create_once'
  readonly table: string
  /** Records can be merged: `merged_into_id` leads from the external ids of merged records to the surviving one. */
  readonly merges?: true
  /** SQL over `t`: its personal data is hidden from roles that do not see restricted customers. */
  readonly restricted?: string
  /** The table that has the identity and the shared fields where the entity's own table has only the rest. */
  readonly base?: { readonly table: string; readonly fields: readonly string[] }
  readonly fields: Fields
  /** Derived from the fields and shown with them; a row cannot set it. */
  readonly derived: Fields
  /** Identity columns of the table that rules fill and that are never shown unchanged, with their types. */
  readonly computed: Readonly<Record<string, string>>
  /** The policies needed to see a computed column that derives from masked fields. */
  readonly computedMarks: Readonly<Record<string, Mark>>
  readonly child?: ChildTable
  /** SQL of the record's status over `t`, the table with the identity. */
  readonly status: string
  /** The field with the status, if any. */
  readonly statusField?: string
  readonly statuses: readonly string[]
  /** The table of the common part of a record. */
  readonly summary?: RecordSummary
  /** Rules between fields, over the record as it would be. */
  check(record: Values): readonly Issue[]
  /** A body that can be posted unchanged. */
  readonly sample: { readonly rows: readonly Record<string, unknown>[] }
}

type Declared = Omit<Entity, 'derived' | 'computed' | 'computedMarks' | 'check'> &
  Partial<Pick<Entity, 'derived' | 'computed' | 'computedMarks'>> & {
    check?(record: Values): readonly Issue[]
  }

const EXTERNAL_ID_MAXIMUM = 200
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const text = string(EXTERNAL_ID_MAXIMUM)
const externalId: Field<string> = {
  ...text,
  required: true,
  note: 'Key of the record in the source system; unique within entity and source system.',
  read(cell, context) {
    const id = text.read(cell, context)
    if (id instanceof Refusal || !CONTROL.test(id)) return id
    return refuse('invalid_string', 'Send text without control characters.')
  },
  example: 'X-1001',
}

export const required = <F extends Field>(field: F): F & { required: true } => ({ ...field, required: true })
/** A field of items that were stored without it before it existed: it is shown as null in those. */
export const addedLater = <F extends Field>(field: F): F & { later: true } => ({ ...field, later: true })
export const pii = <F extends Field>(field: F): F & { pii: true } => ({ ...field, pii: true })

export function defineEntity(declared: Declared): Entity {
  const { fields, derived = {}, computed = {}, computedMarks = {}, check = () => [], ...rest } = declared
  return { ...rest, derived, computed, computedMarks, check, fields: { external_id: externalId, ...fields } }
}
