import { mailboxOf, makePerson, type Person, personName, phoneOf } from '../pieces/people.ts'
import { repeat, withoutUndefined } from '../pieces/row.ts'
import { tckn, vkn } from '../pieces/tax-numbers.ts'
import type { Customer, World } from '../pieces/world.ts'
import { ADDRESSES, COMPANIES, COMPANY_FORMS, NOTES, TAX_OFFICES } from '../vocabulary.ts'

export function makeCustomer({ random, day, series }: Pick<World, 'random' | 'day' | 'series'>, at: number): Customer {
  const corporate = random.chance(0.12)
  const first = makePerson(random, day, random.int(24, 74))
  const people = corporate
    ? [first, ...repeat(random.int(2, 8), () => makePerson(random, day, random.int(24, 60)))]
    : [first, ...family(random, day, first)]
  const address = random.pick(ADDRESSES)
  const company = `${random.pick(COMPANIES)} ${at}`
  const owner = corporate ? 'seyahat' : mailboxOf(first)
  const mailbox = `${owner}.${series * 100_000 + at}`
  const domain = random.pick(['example.com', 'example.org', 'example.net', 'posta.example', 'mail.example'])
  const row = withoutUndefined({
    external_id: `C-${1001 + at}`,
    name: corporate ? company : personName(first),
    customer_type: corporate ? 'corporate' : 'individual',
    email: random.chance(0.93) ? `${mailbox}@${domain}` : undefined,
    phone: random.chance(0.88) ? phoneOf(random, first.country) : undefined,
    legal_name: corporate ? `${company} ${random.pick(COMPANY_FORMS)}` : undefined,
    tax_number: corporate ? vkn(random) : random.chance(0.3) && first.country === 'TR' ? tckn(random) : undefined,
    tax_office: corporate ? random.pick(TAX_OFFICES) : undefined,
    ...(random.chance(0.8) && {
      address_line: `${random.pick(address.streets)} ${random.int(1, 220)}`,
      address_district: random.pick(address.districts),
      address_city: address.city,
      address_zip: `${address.zip}${random.digits(3)}`,
    }),
    preferred_currency: random.chance(0.5) ? random.pick(['TRY', 'TRY', 'EUR', 'USD']) : undefined,
    code: corporate ? `K${1001 + at}` : undefined,
    notes: random.chance(0.25) ? random.pick(NOTES) : undefined,
  })
  return { row, people }
}

/** A partner, and children who are young enough. */
function family(random: World['random'], day: World['day'], head: Person): Person[] {
  const partner = random.chance(0.6) ? [Math.max(21, head.age + random.int(-6, 6))] : []
  const children = head.age < 55 ? repeat(random.pick([0, 0, 1, 1, 2, 3]), () => random.int(0, head.age - 20)) : []
  return [...partner, ...children].map((age) => makePerson(random, day, age, head))
}
