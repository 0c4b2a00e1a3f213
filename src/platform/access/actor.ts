import type { Policies, Scope } from './policies.ts'

/** The caller, as far as the program needs it. For a request it is made from the key alone. */
export type Actor = {
  /** The account number; `account_id` of every table. */
  readonly account: number
  readonly timeZone: string
  /** Language and customs of the account, `tr` or `tr-TR` for one. */
  readonly locale: string
  readonly scopes: ReadonlySet<Scope>
  /** One object for each set of policies; see `policySet`. */
  readonly policies: Policies
  /** The seat of the key: the account's owner. Null if an account has none. */
  readonly seat: string | null
  /** The seat's own branch, else the headquarters. */
  readonly homeBranch: string | null
  readonly companies: readonly Company[]
  readonly branches: readonly Branch[]
}
export type Company = {
  readonly id: string
  readonly isDefault: boolean
  readonly active: boolean
  readonly country: string
  readonly currency: string
}
export type Branch = {
  readonly id: string
  readonly companyId: string
  readonly isHeadquarters: boolean
  readonly active: boolean
}
