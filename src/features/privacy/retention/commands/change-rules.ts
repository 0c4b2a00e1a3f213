import { isDeepStrictEqual } from 'node:util'
import { auditOwn } from '../../../../platform/audit.ts'
import type { AccountReader, AccountTx } from '../../../../platform/db/account-tx.ts'
import type { RowFrom } from '../../../../platform/db/statement.ts'
import { StaleRecord } from '../../../../platform/http/stale.ts'
import { jsonText } from '../../../../platform/json-text.ts'
import { refuseAttributes } from '../../../../records/attributes.ts'
import { RETAINED, RETAINED_KINDS, type RetainedKind, type RetentionRules } from '../retained-kinds.ts'
import { beginRules, lockRules, readRules, writeRules } from '../retention.store.ts'

export type ShownRules = RetentionRules & { readonly version: number; readonly swept_on: string | null }
const NONE: ShownRules = {
  messages_days: null,
  ticket_captures_days: null,
  request_log_days: null,
  leads_days: null,
  version: 1,
  swept_on: null,
}

/** The rules of the account; without any, everything is kept. */
export const rulesOf = async (reader: AccountReader): Promise<ShownRules> => (await reader.one(readRules, {})) ?? NONE

/** Changes the given rules, and keeps the others. */
export async function changeRules(tx: AccountTx, change: Partial<RetentionRules>, version: number): Promise<void> {
  tx.later(beginRules, {})
  const stored = await tx.one(lockRules, {})
  const { time_zone: _, version: last, swept_on, ...before } = stored as RowFrom<typeof lockRules>
  if (last !== version) throw new StaleRecord(jsonText({ ...before, version: last, swept_on }))
  const after: RetentionRules = { ...before, ...change }
  refuseAttributes(RETAINED.flatMap((kind) => reasonAgainst(kind, change[kind])))
  if (isDeepStrictEqual(before, after)) return
  tx.later(writeRules, after)
  auditOwn(tx, {
    action: 'retention_rules.changed',
    subjectType: 'account',
    subjectId: String(tx.account),
    before,
    after,
  })
}

function reasonAgainst(kind: RetainedKind, days: number | null | undefined): [string, string][] {
  const { label, minimum, maximum } = RETAINED_KINDS[kind]
  if (days === null || days === undefined || (days >= minimum && days <= maximum)) return []
  const ways = kind === 'request_log_days' ? 'null keeps them as long as the cell does' : 'null keeps them'
  return [[kind, `Keep ${label} for ${minimum} to ${maximum} days; ${ways}.`]]
}
