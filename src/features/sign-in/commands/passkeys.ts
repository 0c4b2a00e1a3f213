import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { UserError } from '../../../platform/user-error.ts'
import {
  credentialIdIn,
  handleIn,
  handleOf,
  type PasskeyAnswer,
  type RelyingParty,
  readRegistration,
  readSignature,
} from '../passkey-answers.ts'
import {
  dropPasskey,
  findPasskey,
  insertPasskey,
  lockPasskey,
  notePasskeyUse,
  renamePasskey,
  takeChallenge,
} from '../passkeys.store.ts'
import { refuseLastFactor } from './keep-factor.ts'
import { notifyOfChange } from './notify-seat.ts'

/** What a challenge was made for: only there is its answer good. */
export type BoundTo = { readonly to: string; readonly purpose: 'registration' | 'proof' | 'second_factor' }

/** Adds the passkey that an authenticator has made in a session. Answers its id. */
export async function addPasskey(
  tx: AccountTx,
  {
    seat,
    session,
    name,
    address,
  }: { readonly seat: string; readonly session: string; readonly name: string; readonly address: string },
  answer: PasskeyAnswer,
  party: RelyingParty,
): Promise<string> {
  const asked = await tx.one(takeChallenge, { to: session, purpose: 'registration' })
  const made = asked ? await readRegistration(answer, asked.challenge, party) : null
  if (!made) {
    const wrong = 'The passkey could not be verified. Ask for new options, and try again.'
    throw new UserError('invalid_value', wrong, { details: { passkey: [wrong] } })
  }
  const added = await tx.one(insertPasskey, { seat, name, ...made })
  if (!added) throw new UserError('already_exists', 'This passkey is in use already.')
  auditOwn(tx, {
    action: 'seat.passkey_added',
    subjectType: 'seat',
    subjectId: seat,
    details: { passkey: added.id, name },
  })
  await notifyOfChange(tx, seat, 'passkey_added', address)
  return added.id
}

/** Renames a passkey of a seat. `check` looks at the version that is stored first. */
export async function changePasskeyName(
  tx: AccountTx,
  { seat, id, name }: { readonly seat: string; readonly id: string; readonly name: string },
  check: (version: number) => Promise<void>,
): Promise<void> {
  const stored = await tx.one(lockPasskey, { seat, id })
  if (!stored) throw noPasskey()
  await check(stored.version)
  if (stored.name === name) return
  tx.later(renamePasskey, { seat, id, name })
  const entry = { action: 'seat.passkey_renamed', subjectType: 'seat', subjectId: seat, details: { passkey: id } }
  auditOwn(tx, { ...entry, before: { name: stored.name }, after: { name } })
}

/** Removes a passkey of a seat. */
export async function removePasskey(tx: AccountTx, seat: string, id: string, address: string): Promise<void> {
  if (!(await tx.one(lockPasskey, { seat, id }))) throw noPasskey()
  await refuseLastFactor(tx, seat, 'passkey')
  const dropped = await tx.one(dropPasskey, { seat, id })
  if (!dropped) throw noPasskey()
  auditOwn(tx, {
    action: 'seat.passkey_removed',
    subjectType: 'seat',
    subjectId: seat,
    details: { passkey: id, name: dropped.name },
  })
  await notifyOfChange(tx, seat, 'passkey_removed', address)
}
const noPasskey = () => new ApiError('not_found', 'No passkey with this id exists in your seat.')

/** Whether a passkey of the seat has signed the challenge that was made for this. The challenge is good once. */
export async function showPasskey(
  tx: AccountTx,
  seat: string,
  answer: PasskeyAnswer,
  { to, purpose }: BoundTo,
  party: RelyingParty,
): Promise<boolean> {
  const asked = await tx.one(takeChallenge, { to, purpose })
  const credentialId = credentialIdIn(answer)
  const passkey = credentialId && (await tx.one(findPasskey, { seat, credentialId }))
  if (!asked || !passkey || !isOfSeat(answer, seat)) return false
  const counter = await readSignature(answer, asked.challenge, party, passkey)
  return counter !== null && (await tx.one(notePasskeyUse, { id: passkey.id, counter: String(counter) })) !== undefined
}

/** An authenticator that names a seat names this one. */
export function isOfSeat(answer: PasskeyAnswer, seat: string): boolean {
  const handle = handleIn(answer)
  return handle === null || handle === Buffer.from(handleOf(seat)).toString('hex')
}
