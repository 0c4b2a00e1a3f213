import { email as emailKind } from '../../../catalogue/kinds.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { listBranches, listSeats, type NewSeat, newSeat } from '../accounts.store.ts'
import { demandRole, type Editor } from './seat-rules.ts'

/** Creates a seat. E-mail addresses are unique in an account. */
export async function createSeat(tx: AccountTx, editor: Editor, given: NewSeat): Promise<string> {
  await demandRole(tx, editor, given.role)
  await requireBranch(tx, given.branchId)
  const email = checkEmail(given.email)
  const seats = await tx.all(listSeats, {})
  if (seats.some((known) => known.email.toLowerCase() === email.toLowerCase()))
    throw new UserError('already_exists', `A seat with the e-mail ${email} already exists in this account.`)
  const seat = { ...given, email }
  const made = await tx.one(newSeat, seat)
  const { id } = made as NonNullable<typeof made>
  auditOwn(tx, { action: 'seat.created', subjectType: 'seat', subjectId: id, details: seat })
  return id
}

/** Refuses a branch of another account. */
export async function requireBranch(tx: AccountTx, branch: string | null): Promise<void> {
  const branches = await tx.all(listBranches, {})
  if (branch !== null && !branches.some(({ id }) => id === branch.toLowerCase()))
    throw new RecordNotFound('branch', 'No such branch exists in this account.')
}

export function checkEmail(text: string): string {
  const read = emailKind.read(text, { decimalSeparator: null, country: '', currency: '', timeZone: 'UTC' })
  if (typeof read !== 'string') throw new UserError('invalid_value', `${text} is not an e-mail address.`)
  return read
}
