import { latin, phoneOf } from '../pieces/people.ts'
import { withoutUndefined } from '../pieces/row.ts'
import { vkn } from '../pieces/tax-numbers.ts'
import type { Supplier, World } from '../pieces/world.ts'
import { OTHER_SUPPLIERS, PLACES } from '../vocabulary.ts'

const HOTELS_FIRST = 3

/** Mostly hotels; at least one of every type. */
export function makeSupplier({ random, series }: Pick<World, 'random' | 'series'>, at: number): Supplier {
  const ofEachType = OTHER_SUPPLIERS[at - HOTELS_FIRST]
  const place = at < HOTELS_FIRST || (!ofEachType && random.chance(0.7)) ? random.pick(PLACES) : null
  const other = ofEachType ?? random.pick(OTHER_SUPPLIERS)
  const name = `${random.pick(place ? place.names : other.names)} ${at + 1}`
  const row = withoutUndefined({
    external_id: `S-${501 + at}`,
    name,
    supplier_type: place ? 'hotel' : other.type,
    code: `${latin(name).slice(0, 3).toUpperCase()}${series * 10_000 + 501 + at}`,
    email: `rezervasyon@${latin(name)}.example`,
    phone: random.chance(0.8) ? phoneOf(random, 'TR') : undefined,
    country_code: place?.country ?? 'TR',
    tax_number: (place?.country ?? 'TR') === 'TR' ? vkn(random) : undefined,
    address_city: place?.city ?? 'İstanbul',
    website: random.chance(0.6) ? `https://${latin(name)}.example` : undefined,
  })
  return { row, place }
}
