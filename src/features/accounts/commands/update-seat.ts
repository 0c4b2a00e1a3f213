import { audit } from '../../../platform/audit.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { requireAccount } from '../reads/require-account.ts'
import { checkLocale } from './check-locale.ts'

const SIGN = /^[A-Z0-9]{2,10}$/
/** Attributes that are not given stay unchanged. */
type SeatChange = {
  readonly signs?: readonly string[] | undefined
  /** Whether task reminders are also sent by e-mail. */
  readonly mailsReminders?: boolean | undefined
  readonly locale?: string | undefined
}
type ChangedSeat = RowFrom<typeof update>
const update = statement(
  {
    account: pg.integer,
    id: pg.text,
    signs: pg.nullable(pg.list(pg.text)),
    mailsReminders: pg.nullable(pg.boolean),
    locale: pg.nullable(pg.text),
  },
  { agent_sines: pg.list(pg.text), mails_reminders: pg.boolean, locale: pg.text },
  `
  update seats set agent_sines = coalesce($signs::text[], agent_sines), locale = coalesce($locale, locale),
    mails_reminders = coalesce($mailsReminders::boolean, mails_reminders)
  where account_id = $account and id::text = lower($id) returning agent_sines, mails_reminders, locale`,
)

/**
 * Sets the GDS agent signs of a seat (it is notified of captured files with one of them), how it is reminded, and its
 * language. Returns the updated seat.
 */
export async function updateSeat(
  tx: SystemTx,
  account: number,
  id: string,
  { signs: given, mailsReminders, locale }: SeatChange,
  operator: Operator,
): Promise<ChangedSeat> {
  const signs = given ? [...new Set(given.map((sign) => sign.toUpperCase()))] : null
  const wrong = signs?.find((sign) => !SIGN.test(sign))
  if (wrong !== undefined)
    throw new UserError(
      'invalid_value',
      `${wrong} is not an agent sign. An agent sign has 2 to 10 letters and digits, such as 1234AY.`,
    )
  if (locale !== undefined) checkLocale(locale)
  await requireAccount(tx, account)
  const changed = await tx.one(update, {
    account,
    id,
    signs,
    mailsReminders: mailsReminders ?? null,
    locale: locale ?? null,
  })
  if (!changed) throw new RecordNotFound('seat', 'No such seat exists in this account.')
  await audit(tx, account, operator, {
    action: 'seat.updated',
    subjectType: 'seat',
    subjectId: id.toLowerCase(),
    details: changed,
  })
  return changed
}
