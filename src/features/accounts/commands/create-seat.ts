import { email as emailKind } from '../../../catalogue/kinds.ts'
import { audit } from '../../../platform/audit.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { insertSeat, listBranches, listSeats, type NewSeat } from '../accounts.store.ts'
import { requireAccount, requireRole } from '../reads/require-account.ts'

/** Creates a seat. E-mail addresses are unique in an account. */
export async function createSeat(tx: SystemTx, account: number, given: NewSeat, operator: Operator): Promise<string> {
  await requireAccount(tx, account)
  await requireRole(tx, account, given.role)
  const branches = await tx.all(listBranches, { account })
  if (given.branchId !== null && !branches.some(({ id }) => id === given.branchId))
    throw new RecordNotFound('branch', 'No such branch exists in this account.')
  const email = checkEmail(given.email)
  const seats = await tx.all(listSeats, { account })
  if (seats.some((known) => known.email.toLowerCase() === email.toLowerCase()))
    throw new UserError('already_exists', `A seat with the e-mail ${email} already exists in this account.`)
  const seat = { ...given, email }
  const id = await insertSeat(tx, account, seat)
  await audit(tx, account, operator, { action: 'seat.created', subjectType: 'seat', subjectId: id, details: seat })
  return id
}

export function checkEmail(text: string): string {
  const read = emailKind.read(text, { decimalSeparator: null, country: '', currency: '', timeZone: 'UTC' })
  if (typeof read !== 'string') throw new UserError('invalid_value', `${text} is not an e-mail address.`)
  return read
}
