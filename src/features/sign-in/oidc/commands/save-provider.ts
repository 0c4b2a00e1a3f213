import { isDeepStrictEqual } from 'node:util'
import { auditOwn } from '../../../../platform/audit.ts'
import type { AccountTx } from '../../../../platform/db/account-tx.ts'
import { noSuch } from '../../../../platform/http/by-id.ts'
import { UserError } from '../../../../platform/user-error.ts'
import { endSessionsByProvider } from '../../sessions.store.ts'
import { deleteProvider, insertProvider, lockProvider, MOST_PROVIDERS, updateProvider } from '../providers.store.ts'

type NewProvider = {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  /** The client secret, sealed. */
  readonly secret: Buffer
  readonly active: boolean
  readonly countsAsSecondFactor: boolean
}
/** Attributes that are not given stay unchanged. */
type ProviderChange = { readonly [K in keyof Omit<NewProvider, 'issuer'>]?: NewProvider[K] | undefined }

/** Adds an issuer by which people of the account can sign in. Answers its id. */
export async function createProvider(tx: AccountTx, given: NewProvider): Promise<string> {
  const made = await tx.one(insertProvider, given)
  if (!made)
    throw new UserError(
      'not_allowed_now',
      `An account has at most ${MOST_PROVIDERS} sign-in providers. Delete one first.`,
    )
  const { secret: _, ...details } = given
  auditOwn(tx, {
    action: 'sign_in_provider.created',
    subjectType: 'sign_in_provider',
    subjectId: made.id,
    details,
  })
  return made.id
}

/** Changes a provider. One that is no longer active, or no longer counts as a second factor, ends the sessions that began by it. `check` looks at the stored version first. */
export async function changeProvider(
  tx: AccountTx,
  named: string,
  change: ProviderChange,
  check: (version: number) => Promise<void>,
): Promise<void> {
  const stored = await tx.one(lockProvider, { id: named })
  if (!stored) throw noSuch('provider')
  const { id, version, client_id, counts_as_second_factor, ...same } = stored
  await check(version)
  const before = { ...same, clientId: client_id, countsAsSecondFactor: counts_as_second_factor }
  const { secret = null } = change
  const after = {
    name: change.name ?? before.name,
    clientId: change.clientId ?? before.clientId,
    active: change.active ?? before.active,
    countsAsSecondFactor: change.countsAsSecondFactor ?? before.countsAsSecondFactor,
  }
  if (isDeepStrictEqual(after, before) && secret === null) return
  const trustsLess = (before.active && !after.active) || (before.countsAsSecondFactor && !after.countsAsSecondFactor)
  if (trustsLess) tx.later(endSessionsByProvider, { provider: id, seat: null, except: null })
  tx.later(updateProvider, { id, ...after, secret })
  auditOwn(tx, {
    action: 'sign_in_provider.changed',
    subjectType: 'sign_in_provider',
    subjectId: id,
    ...(secret !== null && { details: { client_secret: 'changed' } }),
    before,
    after,
  })
}

/** Deletes a provider with the identities of people at it, and ends the sessions that began by it. */
export async function removeProvider(tx: AccountTx, id: string): Promise<void> {
  tx.later(endSessionsByProvider, { provider: id, seat: null, except: null })
  const deleted = await tx.one(deleteProvider, { id })
  if (!deleted) throw noSuch('provider')
  auditOwn(tx, {
    action: 'sign_in_provider.deleted',
    subjectType: 'sign_in_provider',
    subjectId: id.toLowerCase(),
    details: deleted,
  })
}
