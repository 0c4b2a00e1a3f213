import { byPolicies } from '../../platform/db/by-policies.ts'
import { viewSql } from '../../platform/db/view.ts'
import { retention } from './retention.view.ts'

type Asked = {
  readonly account: number
  readonly days: number
  /** The day on the account's clock. */
  readonly today: string
  readonly now: string
}

export const readRetention = byPolicies<Asked, { item: string }>(
  (policies) => `select ${viewSql(retention, policies)}::text as item`,
)
