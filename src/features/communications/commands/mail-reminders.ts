import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { CUSTOMS, type Language, languageOf } from '../../../platform/page/language.ts'
import { hourOf, localDayOf, longDay } from '../../../platform/page/when.ts'
import { ownTemplates } from '../templates/own-templates.store.ts'
import { mailRenderer } from '../templates/render-mail.ts'
import { TEMPLATES } from '../templates/templates.ts'
import { mailSeats } from './queue-messages.ts'

/** A task that its assignee is reminded of. */
export type Reminder = {
  readonly seat: string
  readonly subject: string
  /** UTC; null where the task has lost it. */
  readonly due: string | null
}

const KIND = 'task_due'
const readReminded = statement(
  { account: pg.integer, reminders: pg.jsonText },
  {
    to: pg.text,
    name: pg.nullable(pg.text),
    locale: pg.text,
    agency: pg.text,
    accent: pg.nullable(pg.text),
    subject: pg.text,
    /** On the clock of the account. */
    due: pg.nullable(pg.text),
  },
  `
  select s.email as to, s.name, s.locale, a.name as agency, a.accent_color as accent, r.subject,
    to_char(r.due at time zone a.time_zone, 'YYYY-MM-DD"T"HH24:MI') as due
  from json_to_recordset($reminders::json) as r(seat uuid, subject text, due timestamptz)
    join accounts a on a.account_id = $account::integer
    join seats s on s.account_id = a.account_id and s.id = r.seat and s.active and s.mails_reminders`,
)

/** Reminds of tasks by e-mail as well, where the seat wants it. */
export async function mailReminders(tx: AccountTx, reminders: readonly Reminder[]): Promise<void> {
  if (reminders.length === 0) return
  const [reminded, own] = await Promise.all([
    tx.all(readReminded, { reminders: JSON.stringify(reminders) }),
    tx.all(ownTemplates, { kinds: [KIND] }),
  ])
  const write = mailRenderer(own)
  mailSeats(
    tx,
    reminded.map(({ to, name, locale, agency, accent, subject, due }) => {
      const language = languageOf(locale)
      const values = {
        greeting: TEMPLATES[language].greet(name),
        'task.subject': subject,
        'task.due_at': due && clockText(due, language),
      }
      return { to, ...write({ kind: KIND, language, agency, accent, values, unsubscribe: null }) }
    }),
  )
}

const clockText = (time: string, language: Language): string =>
  `${longDay(localDayOf(time), CUSTOMS[language])}, ${hourOf(time)}`
