import type { ReadContext } from '../catalogue/kind.ts'
import type { Company } from '../platform/access/actor.ts'
import type { Policies } from '../platform/access/policies.ts'
import { dayIn } from '../platform/time.ts'
import type { RowContext } from './importable.ts'

/** Where records belong, and what reading and deciding on them depends on. */
export type Desk = {
  readonly company: string
  readonly branch: string | null
  readonly read: ReadContext
  readonly context: RowContext
}
type Place = {
  readonly company: Pick<Company, 'id' | 'country' | 'currency'>
  readonly branch: string | null
  readonly timeZone: string
  /** The policies of the writer. */
  readonly policies: Policies
  /** Decimal separator of the amounts in rows, if stated by the client. */
  readonly decimalSeparator?: ReadContext['decimalSeparator']
}

/** The desk of a company at a time, UTC as printed by a transaction. */
export const deskOf = ({ company, branch, timeZone, policies, decimalSeparator = null }: Place, now: string): Desk => ({
  company: company.id,
  branch,
  read: { decimalSeparator, country: company.country, currency: company.currency, timeZone },
  context: { currency: company.currency, today: dayIn(timeZone, Date.parse(now)), timeZone, now, policies },
})
