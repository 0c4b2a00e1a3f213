import { domainToASCII } from 'node:url'
import { audit } from '../../../platform/audit.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { BILLING_STATUSES, listSeats } from '../accounts.store.ts'
import { requireAccount } from '../reads/require-account.ts'
import { checkLocale } from './check-locale.ts'
import { checkPlan, checkTimeZone } from './create-account.ts'
import { checkEmail } from './create-seat.ts'
import { readAccent, readLogo } from './read-look.ts'

export type AccountChange = {
  readonly plan?: string
  readonly timeZone?: string
  readonly billingStatus?: string
  readonly ownerEmail?: string
  /** The language of recipients whose language is unknown, `tr` or `tr-TR`. */
  readonly locale?: string
  /** Messages that may be sent on a day. */
  readonly dailyMessages?: number
  /** Mail domains of the agency; may be empty. */
  readonly mailDomains?: readonly string[]
  /** The colour of pages and mails, `#rrggbb`; empty for the default. */
  readonly accent?: string
  /** The bytes of a picture; none where they are empty. */
  readonly logo?: Uint8Array
  /** Reply-To of mails without one; empty for the cell's own address. */
  readonly answerAddress?: string
  /** Default lifetime of new keys in days; 0 for unlimited. */
  readonly keyLife?: number
}

const MOST_MESSAGES = 1_000_000
const MOST_DOMAINS = 50
const LONGEST_KEY_LIFE_DAYS = 3650
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/
const update = statement(
  {
    account: pg.integer,
    plan: pg.nullable(pg.text),
    zone: pg.nullable(pg.text),
    billing: pg.nullable(pg.text),
    owner: pg.nullable(pg.uuid),
    locale: pg.nullable(pg.text),
    messages: pg.nullable(pg.integer),
    domains: pg.nullable(pg.list(pg.text)),
    answers: pg.nullable(pg.text),
    accent: pg.nullable(pg.text),
    logo: pg.nullable(pg.text),
    keyLife: pg.nullable(pg.integer),
  },
  {},
  `
  update accounts set plan = coalesce($plan, plan), time_zone = coalesce($zone, time_zone),
    billing_status = coalesce($billing, billing_status), owner_id = coalesce($owner::uuid, owner_id),
    locale = coalesce($locale, locale), daily_messages = coalesce($messages::integer, daily_messages),
    mail_domains = coalesce($domains::text[], mail_domains), answer_address = nullif(coalesce($answers, answer_address), ''),
    accent_color = nullif(coalesce($accent, accent_color), ''), logo = nullif(coalesce($logo, logo), ''),
    key_life_days = nullif(coalesce($keyLife::integer, key_life_days), 0)
  where account_id = $account`,
)

/** Updates the given attributes and records it in the audit log. */
export async function updateAccount(
  tx: SystemTx,
  account: number,
  change: AccountChange,
  operator: Operator,
): Promise<void> {
  const { uuid, plan } = await requireAccount(tx, account)
  if (change.plan !== undefined) checkPlan(change.plan)
  if (change.timeZone !== undefined) checkTimeZone(change.timeZone)
  if (change.billingStatus !== undefined && !BILLING_STATUSES.some((known) => known === change.billingStatus)) {
    throw new UserError('invalid_value', `The billing status must be one of ${BILLING_STATUSES.join(', ')}.`)
  }
  if (change.locale !== undefined) checkLocale(change.locale)
  if (change.dailyMessages !== undefined) checkDailyMessages(change.dailyMessages)
  if (change.keyLife !== undefined) checkKeyLife(change.keyLife)
  const domains = change.mailDomains === undefined ? null : readDomains(change.mailDomains)
  const answers = change.answerAddress ? checkEmail(change.answerAddress) : change.answerAddress
  const accent = change.accent === undefined ? null : readAccent(change.accent)
  const logo = change.logo === undefined ? null : await readLogo(change.logo)
  const owner = change.ownerEmail === undefined ? null : await seatOf(tx, account, change.ownerEmail)
  await tx.all(update, {
    account,
    plan: change.plan ?? null,
    zone: change.timeZone ?? null,
    billing: change.billingStatus ?? null,
    owner,
    locale: change.locale ?? null,
    messages: change.dailyMessages ?? null,
    domains,
    answers: answers ?? null,
    accent,
    logo,
    keyLife: change.keyLife ?? null,
  })
  const action = change.plan !== undefined && change.plan !== plan ? 'account.plan_changed' : 'account.updated'
  await audit(tx, account, operator, {
    action,
    subjectType: 'account',
    subjectId: uuid,
    details: { before: { plan }, ...change, ...(logo !== null && { logo: logo === '' ? 'removed' : 'changed' }) },
  })
}

function checkDailyMessages(messages: number): void {
  if (!Number.isInteger(messages) || messages < 0 || messages > MOST_MESSAGES)
    throw new UserError('invalid_value', `The daily limit of messages is a whole number from 0 to ${MOST_MESSAGES}.`)
}

function checkKeyLife(days: number): void {
  if (!Number.isInteger(days) || days < 0 || days > LONGEST_KEY_LIFE_DAYS)
    throw new UserError(
      'invalid_value',
      `The lifetime of keys is a whole number of days from 0 (no expiry) to ${LONGEST_KEY_LIFE_DAYS}.`,
    )
}

function readDomains(given: readonly string[]): string[] {
  const domains = [...new Set(given.map((domain) => domainToASCII(domain)))]
  const wrong = domains.findIndex((domain) => !DOMAIN.test(domain))
  if (wrong >= 0)
    throw new UserError(
      'invalid_value',
      `${given[wrong]} is not a domain. Use the part after the @, such as agency.example.`,
    )
  if (domains.length > MOST_DOMAINS)
    throw new UserError('invalid_value', `An account has at most ${MOST_DOMAINS} mail domains.`)
  return domains
}

async function seatOf(tx: SystemTx, account: number, email: string): Promise<string> {
  const seats = await tx.all(listSeats, { account })
  const seat = seats.find((seat) => seat.email.toLowerCase() === email.toLowerCase())
  if (!seat) throw new RecordNotFound('seat', `No seat with the e-mail ${email} exists in this account.`)
  return seat.id
}
