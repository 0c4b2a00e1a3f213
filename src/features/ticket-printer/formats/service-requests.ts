import type { Passenger } from '../ticket-file.ts'
import { fullDay } from './days.ts'

/** The content of an airline's `DOCS` request about a traveller. */
export type TravelDocument = Pick<Passenger, 'dateOfBirth' | 'gender' | 'nationality' | 'passport'> & {
  readonly lastName: string
  readonly firstName: string
  /** The request of an infant has its adult's number; the letter I behind the sex marks it. */
  readonly isInfant: boolean
}
export type Contact = Pick<Passenger, 'email' | 'phone'>
const NO_IDENTITY = { dateOfBirth: null, gender: null, nationality: null, passport: null }
const NO_CONTACT: Contact = { email: null, phone: null }

/** `DOCS TK  HK1/P/TUR/U00000000/TUR/01JAN80/F/01JAN30/YILMAZ/AYSE` */
const DOCS = /^DOCS\b/
const PARTS = {
  kind: 1,
  country: 2,
  number: 3,
  nationality: 4,
  born: 5,
  sex: 6,
  expires: 7,
  last: 8,
  first: 9,
} as const
const MOST_PARTS = 14
const PASSPORT = /^P/
const PASSPORT_NUMBER = /^[A-Z\d]{1,20}$/
const COUNTRY = /^[A-Z]{2,3}$/
const SEX = /^([A-Z])(I)?$/
/** `CTCM TK  HK1/905320000000`, as a request or, without a status, as other service information. */
const CONTACT = /^CTC([A-Z])\s*(?:(?=\d?[A-Z])[A-Z\d]{2}\s+)?(?:[A-Z]{2}\d+\s*\/)?\s*(.+)$/
/** Phone types in order of preference: mobile first. */
const PHONES = ['M', 'P', 'H', 'B'] as const
/** The traveller's language, which may follow an address. */
const LANGUAGE = /\/[A-Z]{2}$/
const EMAIL = /^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/
const PHONE = /\+?\d[\d ().-]{4,22}\d/
/** The fewest digits of a phone number with its country code. */
const FEWEST_DIGITS = 6
const MOST_DIGITS = 17

/** A travel document; null for other requests. `today` decides the century of two-digit years. */
export function travelDocumentIn(request: string, today: string): TravelDocument | null {
  const printed = request.trim()
  if (!DOCS.test(printed)) return null
  const parts = printed.split('/', MOST_PARTS).map((part) => part.trim())
  const at = (name: keyof typeof PARTS) => parts[PARTS[name]] ?? ''
  const [, gender = null, infant] = SEX.exec(at('sex')) ?? []
  const number = PASSPORT.test(at('kind')) && PASSPORT_NUMBER.test(at('number')) ? at('number') : null
  return {
    lastName: at('last'),
    firstName: at('first'),
    isInfant: infant !== undefined,
    dateOfBirth: fullDay(at('born'), today, true),
    gender,
    nationality: countryOf(at('nationality')),
    passport:
      number === null ? null : { number, country: countryOf(at('country')), expiresOn: fullDay(at('expires'), today) },
  }
}

const countryOf = (printed: string): string | null => (COUNTRY.test(printed) ? printed : null)

/**
 * The date of birth at the end of the text: `CHLD TK  HK1/28MAY15` and, for an infant, `INFT TK  HK1/YILMAZ/CAN
 * 10APR25`.
 */
const BIRTH_REQUESTS: Readonly<Partial<Record<Passenger['type'], RegExp>>> = {
  child: /^CHLD\b.{0,60}?(\d{2}[A-Z]{3}\d{2}(?:\d{2})?)\s*$/,
  infant: /^INFT\b.{0,160}?(\d{2}[A-Z]{3}\d{2}(?:\d{2})?)\s*$/,
}

/** The date of birth of a child or infant, from the request that announces it. */
export function birthIn(requests: readonly string[], type: Passenger['type'], today: string): string | null {
  const pattern = BIRTH_REQUESTS[type]
  const days = pattern ? requests.map((request) => fullDay(pattern.exec(request.trim())?.[1] ?? '', today, true)) : []
  return days.find((day) => day !== null) ?? null
}

/** Merges several documents of one traveller: each field from the first that has it. */
export const identityOf = (
  documents: readonly TravelDocument[],
): Pick<Passenger, 'dateOfBirth' | 'gender' | 'nationality' | 'passport'> => {
  if (documents.length === 0) return NO_IDENTITY
  const first = <Key extends keyof TravelDocument>(key: Key) =>
    documents.find((document) => document[key] !== null)?.[key] ?? null
  return {
    dateOfBirth: first('dateOfBirth'),
    gender: first('gender'),
    nationality: first('nationality'),
    passport: first('passport'),
  }
}

/** The e-mail address and phone number in requests (`CTCE`, `CTCM`). */
export function contactIn(requests: readonly string[]): Contact {
  if (requests.length === 0) return NO_CONTACT
  const contacts = requests.flatMap((request) => {
    const [, kind = '', text = ''] = CONTACT.exec(request.trim()) ?? []
    return kind ? [{ kind, text: text.trim() }] : []
  })
  const email = contacts.filter(({ kind }) => kind === 'E').map(({ text }) => emailOf(text))
  const phones = PHONES.flatMap((wanted) => contacts.filter(({ kind }) => kind === wanted))
  return {
    email: email.find((each) => each !== null) ?? null,
    phone: phones.map(({ text }) => phoneIn(text)).find((each) => each !== null) ?? null,
  }
}

/** Airline messages have neither @ nor underscore: `//` and `..` replace them, and `./` replaces a hyphen. */
function emailOf(printed: string): string | null {
  const plain = printed.replace('//', '@').replaceAll('..', '_').replaceAll('./', '-').replace(LANGUAGE, '')
  return EMAIL.test(plain) ? plain : null
}

/** The phone number in a text. */
export function phoneIn(printed: string): string | null {
  const found = PHONE.exec(printed)?.[0].trim() ?? ''
  const digits = found.replaceAll(/\D/g, '').length
  return digits >= FEWEST_DIGITS && digits <= MOST_DIGITS ? found : null
}
