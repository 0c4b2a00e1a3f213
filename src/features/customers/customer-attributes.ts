import Type from 'typebox'
import { pii } from '../../catalogue/entity.ts'
import { type Field, type Kind, refuse } from '../../catalogue/kind.ts'
import { boolean, date, email, oneOf, phone, string, taxNumber } from '../../catalogue/kinds.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import { tags } from '../../catalogue/tags.ts'

export const TYPES = ['individual', 'corporate'] as const
export const LIFECYCLE_STAGES = ['prospect', 'active', 'repeat', 'dormant', 'lost'] as const
export const VIP_TIERS = ['silver', 'gold', 'platinum', 'diamond'] as const
export const PREFERRED_CHANNELS = ['email', 'phone', 'sms', 'whatsapp'] as const

const NAME_LENGTH = 200
const PART_LENGTH = 100
const ADDRESS_KEYS = 100
const ADDRESS_LENGTH = 10_000
/** Digits of a number that a double always gives back as they were sent. */
const EXACT_DIGITS = 15
const isExact = (number: number) =>
  Number.isInteger(number)
    ? Number.isSafeInteger(number)
    : Number.isFinite(number) && Number(number.toPrecision(EXACT_DIGITS)) === number
const keepsNumbers = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).every(keepsNumbers)
    : typeof value !== 'number' || isExact(value)
/** Free-form: stored as given, or refused. */
const address: Kind<object> = {
  type: 'object',
  schema: Type.Record(Type.String(), Type.Unknown()),
  pg: 'jsonb',
  read(cell) {
    if (typeof cell !== 'object' || cell === null || Array.isArray(cell))
      return refuse('invalid_type', 'Send an object.')
    if (Object.keys(cell).length > ADDRESS_KEYS || JSON.stringify(cell).length > ADDRESS_LENGTH)
      return refuse('too_long', `Send at most ${ADDRESS_KEYS} keys and ${ADDRESS_LENGTH} characters.`)
    if (!keepsNumbers(cell))
      return refuse('invalid_type', `Send numbers of more than ${EXACT_DIGITS} digits as strings.`)
    return cell
  },
  print: (column) => column,
  example: { city: 'İzmir' },
  bad: ['x', 7, []],
}

/** The attributes of a customer write, besides `company_id`; identifying ones are marked. */
export const customerAttributes = {
  name: pii(string(NAME_LENGTH)),
  first_name: pii(string(PART_LENGTH)),
  last_name: pii(string(PART_LENGTH)),
  email: pii(email),
  phone: pii(phone),
  customer_type: { ...oneOf(...TYPES), default: 'individual' },
  legal_name: pii(string(200)),
  tax_number: pii(taxNumber),
  tax_office: pii(string(100)),
  tax_office_code: pii(string(20)),
  birthday: pii(date),
  anniversary: pii(date),
  vip_tier: oneOf(...VIP_TIERS),
  lifecycle_stage: oneOf(...LIFECYCLE_STAGES),
  preferred_channel: oneOf(...PREFERRED_CHANNELS),
  opted_in_marketing: { ...boolean, default: false },
  code: string(60),
  active: { ...boolean, default: true },
  locale: string(20),
  address: pii(address),
  tags: { ...tags, default: [] as string[] },
} satisfies Record<string, Field>

/** One of these is required to identify a customer. */
export const IDENTIFYING = ['name', 'first_name', 'last_name', 'legal_name', 'email', 'phone'] as const

/** A person's name of its parts, and the parts of a name: the last word is the family's. */
export function composeName(record: Values, given: Values): Values {
  const parts = ['first_name', 'last_name'].some((part) => part in given)
  if (parts && (given.name ?? null) === null) {
    const name = [record.first_name, record.last_name].filter(Boolean).join(' ')
    return { name: name === '' ? null : name.slice(0, NAME_LENGTH) }
  }
  if (parts || !('name' in given || 'customer_type' in given) || record.customer_type !== 'individual') return {}
  const words = String(record.name ?? '').split(/\s+/)
  const [first, last] = words.length === 1 ? [words[0], null] : [words.slice(0, -1).join(' '), words.at(-1)]
  return { first_name: first?.slice(0, PART_LENGTH) || null, last_name: last?.slice(0, PART_LENGTH) ?? null }
}
