import type { Feature } from '../../platform/access/plans.ts'
import type { Policies } from '../../platform/access/policies.ts'

/** What a value of a report is. Money, decimals and percentages go out as decimal strings. */
export type ColumnType = 'string' | 'date' | 'datetime' | 'money' | 'integer' | 'decimal' | 'percent' | 'uuid'
/** Who may not see it: money needs `view_money`, a cost `view_costs` as well, the rest `view_personal_data`. */
export type Sensitive = 'money' | 'cost' | 'personal'
export type ReportColumn = {
  readonly label: string
  readonly type: ColumnType
  /** Of money: the column that says its currency. */
  readonly currency_key?: string
  readonly sensitive?: Sensitive
  /** Only some of its values are sensitive: `rows` masks these, and the others are shown to every role. */
  readonly partly?: true
  /** Money and integers: added up in groups and totals, money by the column `currency`. */
  readonly sums?: true
}

export type FilterType = 'date' | 'enum' | 'uuid' | 'string' | 'boolean' | 'integer'
/** One filter beside the dates and the grouping, which the engine knows. */
export type ReportFilter = {
  readonly label: string
  readonly type: FilterType
  /** SQL over the tables of `rows`, with the value as `$name`, a list where there may be several. It is left out where nothing was asked. */
  readonly where: string
  /** Of an enum. */
  readonly options?: readonly string[]
  /**
   * What applies where nothing is asked; an enum out of its range falls back to it, or is refused where there is none. Of
   * a date it may be `today`, by the account's clock.
   */
  readonly default?: string | number | boolean | readonly (string | number)[]
  /** What an integer is clamped to. */
  readonly minimum?: number
  readonly maximum?: number
  /** An enum: several options with commas between them. */
  readonly multiple?: true
  /** What a string has to look like; `form` says it. */
  readonly pattern?: RegExp
  readonly form?: string
  /** Options that only some roles may ask for: the rows found by them would show what is masked. */
  readonly sensitiveOptions?: Readonly<Record<string, Sensitive | null>>
}

export type DateBasis = 'transaction' | 'travel_start' | 'issue'
export type Dates = {
  /** SQL conditions with `$from::date` and `$to::date`, as `within` makes them. The first one is the default. */
  readonly by: Readonly<{ [basis in DateBasis]?: string }>
  /** The window where none is asked for: this month to date, or so many days back and ahead of today. */
  readonly window: 'this_month' | { readonly back: number; readonly ahead: number }
}
/** SQL of the condition that a date column lies in the window. */
export const within = (column: string): string => `${column} between $from::date and $to::date`

/** A way to group: columns of `rows`, shown in `columns` or not. */
export type Grouping = {
  readonly label: string
  /** What tells one group from another; it goes out as text. */
  readonly key: string
  /** What the group is called; groups come in this order. */
  readonly name: string
  /** The key itself shows it, so the grouping is refused to those who may not see it. */
  readonly sensitive?: Sensitive
}

export type Order = {
  readonly column: string
  readonly descending?: true
  /** Of a column of `rows` that is not shown. */
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
 * A report as data: what it shows, what it can be asked, and SQL of its rows. The engine (`compile.ts`) makes one
 * statement of it for a role and what was asked: the page, its groups with their totals, the totals of all, and counts.
 *
 * `rows` is a query that answers one column of its own type for each of `columns`, under its name, and beside these
 * whatever groupings, `counts` and `base` name. It begins behind the wall with `account_id = $account` and ends
 * `and ${where}`, without an order. Amounts are numbers (the engine prints them) and are not masked: the engine shows no
 * column that the role may not see. Every role has the same rows in the same groups, so neither may depend on `policies`
 * or on who sees what; where they have to, declare `presence`. What tells who a person is, is the preset's to hide:
 * `personalSql` of `features/customers/reads/restricted.ts`, for the customers that a tag hides. Besides the filters there are the parameters
 * `$account`, `$today::date` and `$zone` (the account's clock), and `$from`, `$to` where there are dates.
 */
export type Preset = {
  readonly key: string
  readonly label: string
  readonly description: string
  readonly category: 'sales' | 'leads' | 'operations' | 'customers' | 'finance' | 'bsp'
  /** What the plan has to include; `api_access` for those that every plan with the API has. */
  readonly feature: Feature
  /** To be in the report is itself the secret: it is empty for roles that may not see what is so sensitive. */
  readonly presence?: Sensitive
  readonly columns: Readonly<Record<string, ReportColumn>>
  readonly filters: Readonly<Record<string, ReportFilter>>
  readonly dates?: Dates
  readonly groupings?: Readonly<Record<string, Grouping>>
  rows(asked: ReportInput): string
  /**
   * The order of the rows; nulls come last. The columns that nothing masks tell any two rows of a group apart. One that the
   * role may not see is left out, since an order by it would rank what is masked.
   */
  readonly order: readonly Order[]
  /** It has as many rows as there are records, so it is answered in pages. */
  readonly pages?: true
  /** Integer columns of `rows` that are added up into `summary`, beside the number of rows, and who may not see them. */
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
/** Whether the role may see what is so sensitive. */
export const maySee = (policies: Policies, sensitive: Sensitive | null | undefined): boolean =>
  !sensitive || NEEDS[sensitive].every((policy) => policies.has(policy))
