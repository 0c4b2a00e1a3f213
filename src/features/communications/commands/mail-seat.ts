import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { CUSTOMS, type Language, languageOf } from '../../../platform/page/language.ts'
import { hourOf, localDayOf, longDay } from '../../../platform/page/when.ts'
import type { Seal } from '../../../platform/seal.ts'
import type { PlaceholderValues } from '../templates/fill.ts'
import { ownTemplates } from '../templates/own-templates.store.ts'
import { mailRenderer } from '../templates/render-mail.ts'
import type { TemplateKind } from '../templates/template-kinds.ts'
import { TEMPLATES } from '../templates/templates.ts'
import { mailSeats, mailSeatsSealed } from './queue-messages.ts'

export type MailToSeat = {
  readonly seat: string
  readonly kind: TemplateKind
  /** Another address than that of the seat. */
  readonly to?: string
  /** The values of its placeholders. `now` is on the clock of the account. */
  values(language: Language, now: string): PlaceholderValues
  /** For a text with a link that signs in: seals it until it is sent. */
  readonly seal?: Seal
}
const readReader = statement(
  { account: pg.integer, seat: pg.uuid },
  {
    to: pg.text,
    name: pg.nullable(pg.text),
    locale: pg.text,
    agency: pg.text,
    accent: pg.nullable(pg.text),
    now: pg.text,
  },
  `
  select s.email as to, s.name, s.locale, a.name as agency, a.accent_color as accent,
    to_char(now() at time zone a.time_zone, 'YYYY-MM-DD"T"HH24:MI') as now
  from seats s join accounts a on a.account_id = s.account_id
  where s.account_id = $account and s.id = $seat`,
)

/** Sends an automated mail to the person of a seat. */
export async function mailSeat(tx: AccountTx, { seat, kind, to, values, seal }: MailToSeat): Promise<void> {
  const [reader, own] = await Promise.all([tx.one(readReader, { seat }), tx.all(ownTemplates, { kinds: [kind] })])
  if (!reader) return
  const { name, locale, agency, accent, now } = reader
  const language = languageOf(locale)
  const clock = `${longDay(localDayOf(now), CUSTOMS[language])}, ${hourOf(now)}`
  const given = { greeting: TEMPLATES[language].greet(name), ...values(language, clock) }
  const text = mailRenderer(own)({ kind, language, agency, accent, values: given, unsubscribe: null })
  const mail = { to: to ?? reader.to, ...text }
  if (seal) mailSeatsSealed(tx, [mail], seal)
  else mailSeats(tx, [mail])
}
