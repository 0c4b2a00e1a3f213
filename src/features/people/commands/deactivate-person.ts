import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { SeatMove } from '../../../records/seat-move.ts'
import { deactivateSeat } from '../../accounts/commands/activate-seat.ts'
import { type Editor, lockSeat } from '../../accounts/commands/seat-rules.ts'
import { refuseUnknownSeat } from '../../accounts/reads/seats.ts'
import { endAccess } from '../../sign-in/commands/end-access.ts'

/** What was handed to the other seat, by table. */
type Moved = Readonly<Record<string, number>>

/**
 * Closes a seat: its sessions and links end, and its open work is handed to another seat. `moves` is `seatMoves` of the
 * registry.
 */
export async function deactivatePerson(
  tx: AccountTx,
  editor: Editor,
  named: string,
  to: string,
  moves: readonly SeatMove[],
): Promise<Moved> {
  takeChangeNumber(tx)
  const { id } = await deactivateSeat(tx, editor, named)
  await refuseUnknownSeat(tx, 'reassign_to_id', to)
  if (to.toLowerCase() === id) {
    const other = 'Name another seat, which takes the work over.'
    throw new UserError('invalid_value', other, { details: { reassign_to_id: [other] } })
  }
  const [, ...counts] = await Promise.all([
    endAccess(tx, id),
    ...moves.map(
      async ({ what, statement }) => [what, (await tx.one(statement, { from: id, to }))?.moved ?? 0] as const,
    ),
  ])
  const moved = Object.fromEntries(counts)
  auditOwn(tx, {
    action: 'seat.deactivated',
    subjectType: 'seat',
    subjectId: id,
    details: { reassigned_to: to, moved },
  })
  return moved
}

/** Signs a person out everywhere. Answers how many sessions were ended. */
export async function signOutPerson(tx: AccountTx, editor: Editor, named: string): Promise<number> {
  const { stored } = await lockSeat(tx, editor, named)
  const ended = await endAccess(tx, stored.id)
  auditOwn(tx, { action: 'seat.sessions_ended', subjectType: 'seat', subjectId: stored.id, details: { ended } })
  return ended
}
