import { isDeepStrictEqual } from 'node:util'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { UserError } from '../../../platform/user-error.ts'
import { checkLocale } from './check-locale.ts'
import { requireBranch } from './create-seat.ts'
import { demandRole, type Editor, lockSeat, refuseLastOwner, type StoredSeat } from './seat-rules.ts'

const SIGN = /^[A-Z0-9]{2,10}$/
/** Attributes that are not given stay unchanged. */
export type SeatChange = {
  readonly name?: string | undefined
  readonly role?: string | undefined
  readonly branch_id?: string | null | undefined
  /** GDS agent signs: the seat is notified of captured files with one of them. */
  readonly agent_sines?: readonly string[] | undefined
  /** Whether task reminders are also sent by e-mail. */
  readonly mails_reminders?: boolean | undefined
  readonly locale?: string | undefined
}
const update = statement(
  {
    account: pg.integer,
    id: pg.uuid,
    name: pg.nullable(pg.text),
    role: pg.text,
    branch_id: pg.nullable(pg.uuid),
    agent_sines: pg.list(pg.text),
    mails_reminders: pg.boolean,
    locale: pg.text,
  },
  {},
  `
  update seats set name = $name, role = $role, branch_id = $branch_id::uuid, agent_sines = $agent_sines,
    mails_reminders = $mails_reminders, locale = $locale, version = version + 1
  where account_id = $account and id = $id`,
)

/** Updates a seat, named by its id or e-mail. `check` looks at the stored one first. Returns the updated seat. */
export async function updateSeat(
  tx: AccountTx,
  editor: Editor,
  named: string,
  change: SeatChange,
  check?: (stored: StoredSeat) => Promise<void>,
): Promise<StoredSeat> {
  const { stored, isLastOwner } = await lockSeat(tx, editor, named)
  await check?.(stored)
  if (change.locale !== undefined) checkLocale(change.locale)
  if (change.branch_id !== undefined) await requireBranch(tx, change.branch_id)
  const role = change.role ?? stored.role
  if (role !== stored.role) {
    if (editor.seat === stored.id)
      throw new ApiError('forbidden', 'You cannot change your own role. Ask another person who manages people.')
    await demandRole(tx, editor, role)
    refuseLastOwner(isLastOwner)
  }
  const given = Object.entries({ ...change, agent_sines: readSigns(change.agent_sines) }).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, stored[name as keyof StoredSeat]),
  )
  if (given.length === 0) return stored
  const changed: StoredSeat = { ...stored, ...Object.fromEntries(given) }
  tx.later(update, changed)
  auditOwn(tx, {
    action: 'seat.updated',
    subjectType: 'seat',
    subjectId: stored.id,
    details: {
      before: Object.fromEntries(given.map(([name]) => [name, stored[name as keyof StoredSeat]])),
      after: Object.fromEntries(given),
    },
  })
  return changed
}

function readSigns(given: readonly string[] | undefined): string[] | undefined {
  const signs = given && [...new Set(given.map((sign) => sign.toUpperCase()))]
  const wrong = signs?.find((sign) => !SIGN.test(sign))
  if (wrong !== undefined)
    throw new UserError(
      'invalid_value',
      `${wrong} is not an agent sign. An agent sign has 2 to 10 letters and digits, such as 1234AY.`,
    )
  return signs
}
