import type { Feature } from '../../platform/access/plans.ts'
import type { Policies } from '../../platform/access/policies.ts'

/** What a value of a report is. Money, decimals and percentages go out as decimal strings. */
export type ColumnType = 'string' | 'date' | 'datetime' | 'money' | 'integer' | 'decimal' | 'percent' | 'uuid'
/**
 * Policies needed to see it: money needs `view_money`, a cost `view_costs` as well, other values `view_personal_data`.
 */
export type Sensitive = 'money' | 'cost' | 'personal'
export type ReportColumn = {
  readonly label: string
  readonly type: ColumnType
  /** For money: the column of its currency. */
  readonly currency_key?: string
  readonly sensitive?: Sensitive
  /** Only some of its values are sensitive: `rows` masks these, and the others are shown to every role. */
  readonly partly?: true
  /** Money and integers: added up in groups and totals, money by the column `currency`. */
  readonly sums?: true
}

export type FilterType = 'date' | 'enum' | 'uuid' | 'string' | 'boolean' | 'integer'
/** A filter besides dates and grouping, which the engine handles. */
export type ReportFilter = {
  readonly label: string
  readonly type: FilterType
  /**
   * SQL over the tables of `rows`, with the value as `$name`, a list if several are allowed. Left out without a value.
   */
  readonly where: string
  /** For an enum. */
  readonly options?: readonly string[]
  /**
   * The default. An invalid enum value falls back to it, or is refused without one. For a date it may be `today`, by
   * the account's clock.
   */
  readonly default?: string | number | boolean | readonly (string | number)[]
  /** What an integer is clamped to. */
  readonly minimum?: number
  readonly maximum?: number
  /** An enum: several options with commas between them. */
  readonly multiple?: true
  /** The pattern of a string; `form` describes it. */
  readonly pattern?: RegExp
  readonly form?: string
  /** Options that only some roles may choose: the rows that they select would reveal masked values. */
  readonly sensitiveOptions?: Readonly<Record<string, Sensitive | null>>
}

export type DateBasis = 'transaction' | 'travel_start' | 'issue'
export type Dates = {
  /** SQL conditions with `$from::date` and `$to::date`, made by `within`. The first one is the default. */
  readonly by: Readonly<{ [basis in DateBasis]?: string }>
  /** The default window: this month to date, or a number of days before and after today. */
  readonly window: 'this_month' | { readonly back: number; readonly ahead: number }
}
/** SQL of the condition that a date column is in the window. */
export const within = (column: string): string => `${column} between $from::date and $to::date`

/** A way to group: columns of `rows`, shown in `columns` or not. */
export type Grouping = {
  readonly label: string
  /** The key that identifies a group; returned as text. */
  readonly key: string
  /** The label of the group; groups are ordered by it. */
  readonly name: string
  /** The key reveals the value, so the grouping is refused to roles that may not see it. */
  readonly sensitive?: Sensitive
}

export type Order = {
  readonly column: string
  readonly descending?: true
  /** For a column of `rows` that is not shown. */
  readonly type?: ColumnType
}

/** What the rows of a report depend on. */
export type ReportInput = {
  readonly policies: Policies
  /** SQL of the filters' and dates' conditions, or `true`. */
  readonly where: string
  /** The date that the window is about; null where there are no dates. */
  readonly dateBasis: DateBasis | null
  readonly groupBy: string | null
}

/**
 * A report as data: its columns, its filters and the SQL of its rows. The engine (`compile.ts`) builds one statement
 * for a role and a request: the page, its groups with their totals, the grand totals, and counts.
 *
 * `rows` is a query that returns one column of the declared type for each of `columns`, under its name, and also the
 * columns that groupings, `counts` and `base` name. It starts behind row security with `account_id = $account` and ends
 * `and ${where}`, without an order. Amounts are numbers (the engine formats them) and not masked: the engine omits the
 * columns that the role may not see. Every role has the same rows in the same groups, so neither may depend on
 * `policies` or on the role; where they must, declare `presence`. The preset itself hides the identity of people:
 * `personalSql` of `features/customers/reads/restricted.ts`, for customers with a restricted tag. Besides the filters
 * there are the parameters `$account`, `$today::date` and `$zone` (the account's clock), and `$from`, `$to` if there
 * are dates.
 */
export type Preset = {
  readonly key: string
  readonly label: string
  readonly description: string
  readonly category: 'sales' | 'leads' | 'operations' | 'customers' | 'finance' | 'bsp'
  /** The required plan feature; `api_access` for reports of every plan with the API. */
  readonly feature: Feature
  /** Presence in the report is itself sensitive: it is empty for roles without the policies. */
  readonly presence?: Sensitive
  readonly columns: Readonly<Record<string, ReportColumn>>
  readonly filters: Readonly<Record<string, ReportFilter>>
  readonly dates?: Dates
  readonly groupings?: Readonly<Record<string, Grouping>>
  rows(asked: ReportInput): string
  /**
   * The order of the rows; nulls come last. The unmasked columns identify each row of a group. Columns that the role
   * may not see are left out, since their order would reveal masked values.
   */
  readonly order: readonly Order[]
  /** It has as many rows as there are records, so it is answered in pages. */
  readonly pages?: true
  /** Integer columns of `rows` that are summed in `summary`, besides the row count, and their policies. */
  readonly counts?: Readonly<Record<string, Sensitive | null>>
  /**
   * There are totals in the company's currency: `rows` has the column `base_currency`, and for each sum of money a column
   * `base_<name>`, both null where they are not known.
   */
  readonly base?: true
}

/** The policies that each needs, all of them. */
export const NEEDS = {
  money: ['view_money'],
  cost: ['view_money', 'view_costs'],
  personal: ['view_personal_data'],
} as const
/** Whether the role may see a value of this sensitivity. */
export const maySee = (policies: Policies, sensitive: Sensitive | null | undefined): boolean =>
  !sensitive || NEEDS[sensitive].every((policy) => policies.has(policy))
