import type { TSchema } from 'typebox'

/** An error or warning about a value. `at` is the path from the value to a part of it, e.g. `[0].amount`. */
export type Issue = {
  readonly at: string
  readonly code: string
  readonly message: string
  readonly allowed?: readonly string[]
}

/** A cell that cannot be read, with every reason. */
export class Refusal {
  readonly issues: readonly Issue[]
  constructor(issues: readonly Issue[]) {
    this.issues = issues
  }
}
export const refuse = (code: string, message: string, allowed?: readonly string[]): Refusal =>
  new Refusal([{ at: '', code, message, ...(allowed && { allowed }) }])

/** The context of reading a cell. */
export type ReadContext = {
  readonly decimalSeparator: ',' | '.' | null
  /** ISO 3166 code of the company: the default region of phones and the rule of tax numbers. */
  readonly country: string
  /** The row's currency, if known. */
  readonly currency: string
  /** The account's clock, IANA: timestamps without an offset are read in it. */
  readonly timeZone: string
  /** The account's own terms: `taxonomy key` of how a term may be written, to the term's key. */
  readonly terms?: ReadonlyMap<string, string>
}

/**
 * The definition of a field kind; no consumer asks which kind it has. `read` returns canonical values: equal values are
 * equal JSON, and `print` makes PostgreSQL return the same for the column.
 */
export type Kind<V = unknown> = {
  /** The type's name in the catalogue. */
  readonly type: string
  /** JSON Schema of the value as a record shows it. */
  readonly schema: TSchema
  /** Type of the column. */
  readonly pg: string
  read(cell: unknown, context: ReadContext): V | Refusal
  /** Warnings about an accepted value or its notation. */
  advise?(value: V, context: ReadContext, cell: unknown): Issue | null
  /** How a value is written that does not travel as its column's own type. */
  readonly travels?: { readonly as: string; sql(value: string): string }
  /** SQL that prints the column as `read` would have answered it. */
  print(column: string): string
  /** SQL that shows the column to a client, where that differs from `print`; `currency` is SQL of its currency. */
  show?(column: string, currency: string): string
  /** The neighbouring cell with the currency of an amount, if it is not `currency`. */
  readonly currencyCell?: string
  readonly maxLength?: number
  /** A text that is not cut to its length, since it would be another one. */
  readonly isWhole?: true
  readonly enumValues?: readonly string[]
  readonly suggestedValues?: readonly string[]
  /** The account's list of terms that the value is one of. */
  readonly taxonomy?: string
  /** The fields of a list's items. */
  readonly items?: Readonly<Record<string, Field>>
  /** The record that the cell names. */
  readonly reference?: Reference
  /** A cell that `read` accepts; the property tests start from it. */
  readonly example: unknown
  /** Cells that `read` refuses. */
  readonly bad: readonly unknown[]
}

/** The policy needed to see a value: `money` needs `view_money`; `costs` needs `view_costs` as well. */
export type Sight = 'money' | 'costs'

/** `pii` needs `view_personal_data`. */
export type Mark = { readonly pii?: true; readonly sees?: Sight }

/** A kind in its place: one field of an entity or of a list's items. */
export type Field<V = unknown> = Kind<V> &
  Mark & {
    readonly required?: true
    /** Items of a list that are stored already may not have its key. */
    readonly later?: true
    readonly default?: unknown
    readonly note?: string
    /** A key of a jsonb column instead of a column of its own. */
    readonly within?: { readonly column: string; readonly key: string }
    /** Not a column of the record's tables. */
    readonly elsewhere?: Elsewhere
  }

/** SQL over the record's row `t` for a value in another table. */
export type Elsewhere = {
  /** As `read` would return it. */
  readonly print: string
  /** As a client is shown it. */
  readonly show: string
  /** The value for a role that sees money but no costs, if part of it reveals a cost. */
  readonly showWithoutCosts?: string
  /** Shape of the shown value, if it is narrower than the kind's own. */
  readonly schema?: TSchema
}

/** A cell that names a record. `by` are tried in order; `skip` leaves the record unlinked if none is found. */
export type Reference = {
  /** The entity's key, or a table without an import entity. */
  readonly to: string
  readonly table: string
  /** SQL over `t`: which of its rows can be named; defaults to those that are not deleted. */
  readonly alive?: string
  /** SQL over `t`: only roles with `view_restricted_customers` may know who this record is. */
  readonly restricted?: string
  readonly by: readonly ReferenceKey[]
  /** Its records can be made one; see the entity's. */
  readonly merges?: true
  /** The column that is filled. */
  readonly column: string
  readonly onMissing: 'skip' | 'error'
  /** The issue's code, if not `reference_not_found`. */
  readonly missing?: string
}
/**
 * `name` is the name in the catalogue, `column` the searched column, stored in lower case if `lowered`. A key that is
 * personal data (`pii`) matches only records whose personal data the writer may see.
 */
export type ReferenceKey = {
  readonly name: string
  readonly column: string
  readonly lowered?: true
  readonly pii?: true
}
