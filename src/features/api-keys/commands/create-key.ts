import { SCOPES } from '../../../platform/access/policies.ts'
import { readNetwork } from '../../../platform/access/source-address.ts'
import { hashToken, makeToken, tokenEnds } from '../../../platform/access/token.ts'
import { audit } from '../../../platform/audit.ts'
import type { RowFrom } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { readInstant } from '../../../platform/time.ts'
import { UserError } from '../../../platform/user-error.ts'
import { requireAccount, requireRole } from '../../accounts/reads/require-account.ts'
import { insertKey } from '../api-keys.store.ts'

const NEVER = 'never'
export type NewKey = {
  readonly name: string
  readonly scopes: readonly string[]
  readonly role: string | null
  /** An RFC 3339 time, or `never`; null for the default life of the account's keys. */
  readonly expiresAt: string | null
  readonly allowedCidrs: readonly string[]
}
type Made = RowFrom<typeof insertKey>
/** Creates a key. The token is returned only here; only its hash is stored. */
export async function createKey(
  tx: SystemTx,
  account: number,
  given: NewKey,
  operator: Operator,
): Promise<Made & { readonly key: string }> {
  const { uuid } = await requireAccount(tx, account)
  const read = readKey(given)
  if (given.role !== null) await requireRole(tx, account, given.role)
  const { key, row } = tokenRow()
  const made = await tx.one(insertKey, { account, ...read, ...row, createdBy: operator.name })
  const { id, expires_at } = made as Made
  const details = { name: given.name, scopes: given.scopes, role: given.role, expires_at, account: uuid }
  await audit(tx, account, operator, { action: 'api_key.created', subjectType: 'api_key', subjectId: id, details })
  return { id, key, expires_at }
}

/** A new token, and what is stored of it. */
export function tokenRow() {
  const key = makeToken()
  return { key, row: { hash: hashToken(key), ...tokenEnds(key) } }
}

/** What is stored of a key, or why it cannot be. */
export function readKey(given: NewKey) {
  if (given.name.trim() === '') throw new UserError('invalid_value', 'A key needs a name.')
  const unknown = given.scopes.filter((scope) => !SCOPES.some((known) => known === scope))
  if (given.scopes.length === 0 || unknown.length > 0)
    throw new UserError('invalid_value', `A key needs at least one of the scopes ${SCOPES.join(', ')}.`)
  const cidr = given.allowedCidrs.find((text) => readNetwork(text) === null)
  if (cidr !== undefined)
    throw new UserError(
      'invalid_value',
      `${cidr} is not an address or a network. Write it as 203.0.113.7 or 203.0.113.0/24.`,
    )
  const forever = given.expiresAt === NEVER
  const expiresAt = given.expiresAt === null || forever ? null : readInstant(given.expiresAt, 'UTC')
  if (given.expiresAt !== null && !forever && expiresAt === null)
    throw new UserError(
      'invalid_value',
      `${given.expiresAt} is not a time. Write the expiry as 2027-01-31T00:00:00Z, or ${NEVER}.`,
    )
  return {
    name: given.name.trim(),
    scopes: [...new Set(given.scopes)],
    role: given.role,
    cidrs: [...given.allowedCidrs],
    expiresAt,
    forever,
  }
}
