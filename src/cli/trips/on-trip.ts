import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import type { Deps } from '../../deps.ts'
import { type FoundDesk, findDesk } from '../../features/accounts/reads/find-desk.ts'
import { findTrip } from '../../features/trips/reads/find-trip.ts'
import { auditOwn } from '../../platform/audit.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { UserError } from '../../platform/user-error.ts'
import { ACCOUNT, type OfAccount } from '../command.ts'
import { withCell } from '../with-cell.ts'

/** Runs in one transaction of the account, as the named company or the default one. */
export const atAccount = <T>(
  { account, company = null }: OfAccount & { readonly company?: string | null },
  work: (tx: AccountTx, desk: FoundDesk, deps: Deps) => Promise<T>,
): Promise<T> =>
  withCell(({ deps }) => deps.db.inAccount(account, async (tx) => work(tx, await findDesk(tx, company), deps)))

type Work<O, A> = (tx: AccountTx, trip: string, given: { options: O; desk: FoundDesk; named: string[] }) => Promise<A>

/**
 * A subcommand about one trip, given by id or reference number; other arguments follow. `audited` is the audit action
 * of a command that changes something.
 */
export function onTrip<O extends object, A extends object>(
  command: Command,
  work: Work<O, A>,
  textOf: (answer: A) => string,
  audited?: string,
): void {
  objectCommand(
    command.requiredOption(...ACCOUNT),
    (options: O & OfAccount, name = '', ...named: string[]) =>
      atAccount(options, async (tx, desk) => {
        const trip = await findTrip(tx, name)
        const answer = await work(tx, trip, { options, desk, named })
        if (audited) auditOwn(tx, { action: audited, subjectType: 'trip', subjectId: trip, details: answer })
        return answer
      }),
    textOf as (answer: never) => string,
  )
}
export const TRIP = ['<trip>', 'id or reference number of the trip'] as const

/** Reads the number of a day, or a place among the segments of one. */
export const numberFrom =
  (least: number, what: string) =>
  (text: string): number => {
    if (/^\d{1,4}$/.test(text) && Number(text) >= least) return Number(text)
    throw new UserError('invalid_value', `${what} takes a number from ${least}, not ${text}.`)
  }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The id of the record named `what`. */
export function idOf(what: string, text = ''): string {
  if (UUID.test(text)) return text.toLowerCase()
  throw new UserError('invalid_value', `${text} is not the id of a ${what}.`)
}
