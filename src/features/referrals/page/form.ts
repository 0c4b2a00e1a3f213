import { randomUUIDv7 } from 'node:crypto'
import type { SignedText } from '../../../platform/signed-text.ts'
import { type EnquiryAttribute, enquiryAttributes } from '../../leads/commands/enquire.ts'
import type { Code } from './code.store.ts'

/** No person writes faster. */
const EARLIEST_MS = 2000
const LATEST_MS = 86_400_000

/** A form as it was shown: the lead that it becomes, however often it is sent, and when it was made. */
export type Form = { readonly lead: string; readonly madeAt: number }
export type Untimely = 'early' | 'late'

/** What a visitor typed, by the attributes that it is meant for. */
export type Typed = Readonly<Record<EnquiryAttribute, string>>

const ATTRIBUTES = Object.keys(enquiryAttributes) as EnquiryAttribute[]
/** What is bound to a form beside the account: the code whose page it is on. */
const scopeOf = ({ id }: Code) => `enquiry ${id}`

export const newForm = (now: number): Form => ({ lead: randomUUIDv7(), madeAt: now })
export const signForm = (forms: SignedText, code: Code, { lead, madeAt }: Form): string =>
  forms.write(code.account, scopeOf(code), [lead, String(madeAt)])

/** The form that was sent, and why it is to be sent again; one that comes late is as good as new, for the same lead. */
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

/** As it was typed; browsers end the lines of a text by two signs. */
export const typedIn = (sent: URLSearchParams): Typed =>
  Object.fromEntries(ATTRIBUTES.map((name) => [name, (sent.get(name) ?? '').replaceAll('\r\n', '\n')])) as Typed

export const NOTHING_TYPED = typedIn(new URLSearchParams())

/** What was typed as a write of a lead has it. */
export const givenBy = (typed: Typed) => ({
  ...typed,
  destinations: typed.destinations
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
  flexible_dates: typed.flexible_dates !== '',
})
