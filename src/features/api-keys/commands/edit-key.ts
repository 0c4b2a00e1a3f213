import { isDeepStrictEqual } from 'node:util'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import { demandRole, type Editor } from '../../accounts/commands/seat-rules.ts'
import { insertKey } from '../api-keys.store.ts'
import { type NewKey, readKey, tokenRow } from './read-key.ts'

type MadeKey = { readonly id: string; readonly key: string; readonly expires_at: string | null }
type StoredKey = RowFrom<typeof lockKey>
/** Attributes that are not given stay unchanged. */
type KeyChange = {
  readonly name?: string | undefined
  readonly scopes?: readonly string[] | undefined
  readonly role?: string | null | undefined
  readonly allowedCidrs?: readonly string[] | undefined
  readonly expiresAt?: string | undefined
}
const HOUR_S = 3600

const lockKey = statement(
  { account: pg.integer, id: pg.uuid },
  {
    id: pg.uuid,
    name: pg.text,
    scopes: pg.list(pg.text),
    role: pg.nullable(pg.text),
    cidrs: pg.list(pg.text),
    expires_at: pg.nullable(pg.instant),
    version: pg.integer,
  },
  `
  select id, name, scopes, role, allowed_cidrs as cidrs, expires_at, version from api_keys
  where account_id = $account and id = $id and revoked_at is null for update`,
)
const update = statement(
  {
    account: pg.integer,
    id: pg.uuid,
    name: pg.text,
    scopes: pg.list(pg.text),
    role: pg.nullable(pg.text),
    cidrs: pg.list(pg.text),
    expiresAt: pg.nullable(pg.instant),
    forever: pg.boolean,
  },
  {},
  `
  update api_keys set name = $name, scopes = $scopes, role = $role, allowed_cidrs = $cidrs, version = version + 1,
    expires_at = case when $forever::boolean then null else coalesce($expiresAt::timestamptz, expires_at) end
  where account_id = $account and id = $id`,
)
const expire = statement(
  { account: pg.integer, id: pg.uuid, seconds: pg.integer },
  {},
  `
  update api_keys set expires_at = least(expires_at, now() + $seconds::integer * interval '1 second'), version = version + 1
  where account_id = $account and id = $id`,
)

/** Creates a key for an editor who holds all policies of its role; without a role it acts as the owner. */
export async function createKey(tx: AccountTx, editor: Editor, given: NewKey, createdBy: string): Promise<MadeKey> {
  const read = readKey(given)
  await demandRole(tx, editor, given.role ?? 'owner')
  const { key, row } = tokenRow()
  const made = await tx.one(insertKey, { ...read, ...row, createdBy })
  const { id, expires_at } = made as NonNullable<typeof made>
  const { name, scopes, role, cidrs } = read
  const details = { name, scopes, role, allowed_cidrs: cidrs, expires_at }
  auditOwn(tx, { action: 'api_key.created', subjectType: 'api_key', subjectId: id, details })
  return { id, key, expires_at }
}

/** Updates a key. The editor holds the policies of its former role and of the new one. `check` looks at the stored key first. */
export async function updateKey(
  tx: AccountTx,
  editor: Editor,
  id: string,
  change: KeyChange,
  check: (stored: StoredKey) => Promise<void>,
): Promise<void> {
  const stored = await findKey(tx, editor, id)
  await check(stored)
  const role = change.role === undefined ? stored.role : change.role
  const expiresAt = change.expiresAt ?? null
  const read = readKey({
    name: change.name ?? stored.name,
    scopes: change.scopes ?? stored.scopes,
    role,
    expiresAt,
    allowedCidrs: change.allowedCidrs ?? stored.cidrs,
  })
  await demandRole(tx, editor, role ?? 'owner')
  const { name, scopes, cidrs } = read
  const { id: _, version: __, expires_at, ...before } = stored
  const after = { name, scopes, role, cidrs }
  if (expiresAt === null && isDeepStrictEqual(before, after)) return
  tx.later(update, { id, ...read })
  auditOwn(tx, {
    action: 'api_key.updated',
    subjectType: 'api_key',
    subjectId: stored.id,
    details: { before: { ...before, expires_at }, after: { ...after, expires_at: expiresAt ?? expires_at } },
  })
}

/** Replaces a key by a new one of the same kind. The former one is good for `overlapHours` more. */
export async function rotateApiKey(
  tx: AccountTx,
  editor: Editor,
  id: string,
  overlapHours: number,
  createdBy: string,
): Promise<MadeKey> {
  const { name, scopes, role, cidrs } = await findKey(tx, editor, id)
  const made = await createKey(tx, editor, { name, scopes, role, allowedCidrs: cidrs, expiresAt: null }, createdBy)
  tx.later(expire, { id, seconds: overlapHours * HOUR_S })
  const details = { replaced_by: made.id, overlap_hours: overlapHours }
  auditOwn(tx, { action: 'api_key.rotated', subjectType: 'api_key', subjectId: id.toLowerCase(), details })
  return made
}

async function findKey(tx: AccountTx, editor: Editor, id: string): Promise<StoredKey> {
  const stored = await tx.one(lockKey, { id })
  if (!stored) throw new RecordNotFound('key', 'No active key with this id exists in this account.')
  await demandRole(tx, editor, stored.role ?? 'owner')
  return stored
}
