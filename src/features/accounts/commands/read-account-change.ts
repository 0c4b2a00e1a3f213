import { domainToASCII } from 'node:url'
import { required } from '../../../catalogue/entity.ts'
import { email, phone, string } from '../../../catalogue/kinds.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { isTimeZone } from '../../../platform/time.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { readAttributes } from '../../../records/attributes.ts'
import { type AccountRow, countryOfAccount } from '../account-row.store.ts'
import { BILLING_STATUSES, listSeats } from '../accounts.store.ts'
import { isLocale } from './check-locale.ts'
import { checkPlan } from './create-account.ts'
import { readAccent, readLogo } from './read-look.ts'

/** The attributes that an agency edits. */
export const agencyFields = {
  name: required(string(200)),
  legal_name: string(200),
  contact_email: email,
  contact_phone: phone,
  website: string(300),
  emergency_phone: phone,
  answer_address: email,
}
/** Attributes that are not given stay unchanged; those of `agencyFields` can be emptied. */
export type AccountChange = { readonly [name in keyof typeof agencyFields]?: string | null | undefined } & {
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
  readonly accent?: string | null
  /** The bytes of a picture; none where they are empty. */
  readonly logo?: Uint8Array
  /** Default lifetime of new keys in days; 0 for unlimited. */
  readonly keyLife?: number
  /** Whether everybody needs a second factor to sign in to the console. */
  readonly secondFactor?: (typeof SECOND_FACTOR_RULES)[number]
}
export const SECOND_FACTOR_RULES = ['required', 'optional'] as const

const MOST_MESSAGES = 1_000_000
const MOST_DOMAINS = 50
const LONGEST_KEY_LIFE_DAYS = 3650
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

/** The attributes as they are stored, or the reasons why they cannot be. */
export async function readAccountChange(tx: AccountTx, change: AccountChange): Promise<Partial<AccountRow>> {
  const {
    plan,
    timeZone,
    billingStatus,
    ownerEmail,
    locale,
    dailyMessages,
    mailDomains,
    accent,
    logo,
    keyLife,
    secondFactor,
    ...own
  } = change
  if (plan !== undefined) checkPlan(plan)
  if (billingStatus !== undefined && !BILLING_STATUSES.some((known) => known === billingStatus))
    throw new UserError('invalid_value', `The billing status must be one of ${BILLING_STATUSES.join(', ')}.`)
  if (secondFactor !== undefined && !SECOND_FACTOR_RULES.includes(secondFactor))
    throw new UserError('invalid_value', `The rule of second factors must be one of ${SECOND_FACTOR_RULES.join(', ')}.`)
  if (dailyMessages !== undefined) checkDailyMessages(dailyMessages)
  const reasons = new Reasons()
  if (timeZone !== undefined && !isTimeZone(timeZone))
    reasons.add(['time_zone', `No time zone ${timeZone} exists. Use a name such as Europe/Istanbul.`])
  if (locale !== undefined && !isLocale(locale))
    reasons.add(['locale', `${locale} is not a language. Use a tag such as tr or tr-TR.`])
  if (keyLife !== undefined && !isKeyLife(keyLife))
    reasons.add([
      'key_life_days',
      `The lifetime of keys is a whole number of days from 0 (no expiry) to ${LONGEST_KEY_LIFE_DAYS}.`,
    ])
  const texts = await readTexts(tx, own, reasons)
  reasons.refuse()
  return {
    ...texts,
    ...(plan !== undefined && { plan }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(billingStatus !== undefined && { billing_status: billingStatus }),
    ...(ownerEmail !== undefined && { owner_id: await seatOf(tx, ownerEmail) }),
    ...(locale !== undefined && { locale }),
    ...(dailyMessages !== undefined && { daily_messages: dailyMessages }),
    ...(mailDomains !== undefined && { mail_domains: readDomains(mailDomains) }),
    ...(accent !== undefined && { accent_color: readAccent(accent) }),
    ...(logo !== undefined && { logo: await readLogo(logo) }),
    ...(keyLife !== undefined && { key_life_days: keyLife || null }),
    ...(secondFactor !== undefined && { second_factor_required: secondFactor === 'required' }),
  }
}

async function readTexts(
  tx: AccountTx,
  own: { readonly [name in keyof typeof agencyFields]?: string | null | undefined },
  reasons: Reasons,
): Promise<Partial<AccountRow>> {
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  const found = await tx.one(countryOfAccount, {})
  const company = { country: found?.country ?? '', currency: '' }
  const values = readAttributes(agencyFields, given, { company, timeZone: 'UTC', creates: false, reasons })
  const { website } = values
  if (typeof website === 'string' && !isWebsite(website))
    reasons.add(['website', 'Send an address that begins with https:// or http://, such as https://agency.example.'])
  return values
}

function isWebsite(text: string): boolean {
  const url = URL.parse(text)
  return /^https?:\/\//.test(text) && url !== null && url.username === '' && url.password === ''
}

const isKeyLife = (days: number): boolean => Number.isInteger(days) && days >= 0 && days <= LONGEST_KEY_LIFE_DAYS

function checkDailyMessages(messages: number): void {
  if (!Number.isInteger(messages) || messages < 0 || messages > MOST_MESSAGES)
    throw new UserError('invalid_value', `The daily limit of messages is a whole number from 0 to ${MOST_MESSAGES}.`)
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

async function seatOf(tx: AccountTx, address: string): Promise<string> {
  const seats = await tx.all(listSeats, {})
  const seat = seats.find((seat) => seat.email.toLowerCase() === address.toLowerCase())
  if (!seat) throw new RecordNotFound('seat', `No seat with the e-mail ${address} exists in this account.`)
  return seat.id
}
