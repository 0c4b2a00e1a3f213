import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { languageOf } from '../../../platform/page/language.ts'
import { ownTemplates } from '../templates/own-templates.store.ts'
import { mailRenderer } from '../templates/render-mail.ts'
import { TEMPLATES } from '../templates/templates.ts'
import { mailSeats } from './queue-messages.ts'

const KIND = 'invitation'
const readInvited = statement(
  { account: pg.integer, seat: pg.uuid },
  { to: pg.text, name: pg.nullable(pg.text), locale: pg.text, agency: pg.text, accent: pg.nullable(pg.text) },
  `
  select s.email as to, s.name, s.locale, a.name as agency, a.accent_color as accent
  from seats s join accounts a on a.account_id = s.account_id
  where s.account_id = $account and s.id = $seat`,
)

/** Sends the link of an invitation to the person of a seat. */
export async function mailInvitation(tx: AccountTx, seat: string, link: string): Promise<void> {
  const [invited, own] = await Promise.all([tx.all(readInvited, { seat }), tx.all(ownTemplates, { kinds: [KIND] })])
  const write = mailRenderer(own)
  mailSeats(
    tx,
    invited.map(({ to, name, locale, agency, accent }) => {
      const language = languageOf(locale)
      const values = { greeting: TEMPLATES[language].greet(name), 'invitation.link': link }
      return { to, ...write({ kind: KIND, language, agency, accent, values, unsubscribe: null }) }
    }),
  )
}
