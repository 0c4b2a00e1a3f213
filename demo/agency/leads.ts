import { amountIn, demoMoney } from '../pieces/amounts.ts'
import { adultAge, mailboxOf, makePerson, personName, phoneOf } from '../pieces/people.ts'
import { type Row, repeat, withoutUndefined } from '../pieces/row.ts'
import type { World } from '../pieces/world.ts'
import { DESTINATIONS, NOTES } from '../vocabulary.ts'

const STAGES = ['inbox', 'inbox', 'qualified', 'qualified', 'nurturing', 'proposal', 'won', 'lost']
/** Terms of the list by key and by label. */
const SOURCES = [
  'website',
  'Website',
  'phone',
  'walk_in',
  'Walk in',
  'referral',
  'repeat_customer',
  'social_media',
  'fair',
]

export const makeLeads = (world: World, count: number): Row[] => repeat(count, (at) => makeLead(world, at))

function makeLead({ random, day, customers }: World, at: number): Row {
  const stage = random.pick(STAGES)
  const customer = stage === 'won' || random.chance(0.2) ? random.pick(customers) : null
  const person = customer?.people[0] ?? makePerson(random, day, adultAge(random))
  const party = random.int(1, 8)
  const currency = random.pick(['TRY', 'TRY', 'EUR', 'USD', 'GBP'])
  const value = amountIn(random.int(4, 40) * 1000, 'TRY', currency) * party
  return withoutUndefined({
    external_id: `L-${8001 + at}`,
    name: personName(person),
    email: customer?.row.email ?? (random.chance(0.7) ? `${mailboxOf(person)}.aday${at}@example.com` : undefined),
    phone: random.chance(0.7) ? phoneOf(random, person.country) : undefined,
    stage,
    source: random.chance(0.9) ? random.pick(SOURCES) : undefined,
    ...(random.chance(0.7) && { estimated_value: demoMoney(value, currency), currency }),
    party_size: random.chance(0.8) ? party : undefined,
    destinations: random.chance(0.8) ? places(random, random.int(1, 3)).join(', ') : undefined,
    customer_external_id: customer?.row.external_id,
    notes: random.chance(0.3) ? random.pick(NOTES) : undefined,
  })
}

const places = (random: World['random'], count: number): string[] => [
  ...new Set(repeat(count, () => random.pick(DESTINATIONS))),
]
