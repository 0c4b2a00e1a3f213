import { randomUUIDv7 } from 'node:crypto'
import type { SignedText } from '../../../platform/signed-text.ts'
import { type EnquiryAttribute, enquiryAttributes } from '../../leads/commands/enquire.ts'
import type { Code } from './code.store.ts'

/** No person writes faster. */
const EARLIEST_MS = 2000
const LATEST_MS = 86_400_000

/** A form as shown: the lead that it creates, however often it is submitted, and its creation time. */
export type Form = { readonly lead: string; readonly madeAt: number }
export type Untimely = 'early' | 'late'

/** What a visitor typed, by the attributes that it is meant for. */
export type Typed = Readonly<Record<EnquiryAttribute, string>>

const ATTRIBUTES = Object.keys(enquiryAttributes) as EnquiryAttribute[]
/** The scope of a form besides the account: its referral code. */
const scopeOf = ({ id }: Code) => `enquiry ${id}`

export const newForm = (now: number): Form => ({ lead: randomUUIDv7(), madeAt: now })
export const signForm = (forms: SignedText, code: Code, { lead, madeAt }: Form): string =>
  forms.write(code.account, scopeOf(code), [lead, String(madeAt)])

/** The submitted form, and why it must be submitted again; an expired form is renewed for the same lead. */
export function readForm(
  forms: SignedText,
  code: Code,
  signed: string,
  now: number,
): { readonly form: Form; readonly untimely: Untimely | null } {
  const [lead = randomUUIDv7(), madeAt = '0'] = forms.read(code.account, scopeOf(code), signed) ?? []
  const age = now - Number(madeAt)
  if (age > LATEST_MS) return { form: { lead, madeAt: now - EARLIEST_MS }, untimely: 'late' }
  return { form: { lead, madeAt: Number(madeAt) }, untimely: age < EARLIEST_MS ? 'early' : null }
}

/** As typed; browsers end lines with two characters. */
export const typedIn = (sent: URLSearchParams): Typed =>
  Object.fromEntries(ATTRIBUTES.map((name) => [name, (sent.get(name) ?? '').replaceAll('\r\n', '\n')])) as Typed

export const NOTHING_TYPED = typedIn(new URLSearchParams())

/** The input as the attributes of a lead. */
export const givenBy = (typed: Typed) => ({
  ...typed,
  destinations: typed.destinations
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
  flexible_dates: typed.flexible_dates !== '',
})
