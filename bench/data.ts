import { type GivenLine, price, type RateOf } from '../src/features/bookings/pricing.ts'
import { fixed, print } from '../src/platform/money.ts'

export const BATCH = 500
export const SUPPLIERS = 100
const CITIES = ['İstanbul', 'İzmir', 'Ankara', 'Antalya', 'Bodrum']
const FIRST_NAMES = ['Ayşe', 'Mehmet', 'Zeynep', 'Deniz', 'Işıl', 'Çağlar', 'Ömer', 'Şule']
const LAST_NAMES = ['Yılmaz', 'Öztürk', 'Aksoy', 'Şahin', 'Güneş', 'Kılıç', 'Çelik']

let batches = 0
const pick = (from: readonly string[], n: number): string => from[n % from.length] as string
const personOf = (n: number) => ({
  first_name: pick(FIRST_NAMES, n),
  last_name: `${pick(LAST_NAMES, n)} ${n.toString(36)}`,
})

/** Ids that no other batch of this run has. */
function numbers(): number[] {
  batches += 1
  return Array.from({ length: BATCH }, (_, at) => batches * BATCH + at)
}

/** 500 new customers, as they are sent and as they are stored. */
export function customerBatch(): { body: string; rows: string } {
  const rows = numbers().map((n) => {
    const { first_name, last_name } = personOf(n)
    return {
      external_id: `N-${n}`,
      name: `${first_name} ${last_name}`,
      customer_type: 'individual',
      email: `guest${n}@example.com`,
      phone: `+90532${String(1_000_000 + (n % 8_999_999))}`,
      address_line: `Bağdat Caddesi ${n % 500}`,
      address_city: pick(CITIES, n),
      address_zip: '34710',
      preferred_currency: 'TRY',
      code: `K${n}`,
    }
  })
  return { body: JSON.stringify({ rows, mode: 'sync' }), rows: JSON.stringify(rows) }
}

const sellLines: GivenLine[] = [
  {
    kind: 'room_rate',
    amount: '180.00',
    quantity: 4,
    label: 'Sea view double',
    currency: null,
    vat_rate: '10',
    tax_inclusive: true,
  },
  {
    kind: 'service_fee',
    amount: '25.00',
    quantity: 1,
    label: 'Handling',
    currency: null,
    vat_rate: '20',
    tax_inclusive: true,
  },
]
const costLines: GivenLine[] = [
  {
    kind: 'room_rate',
    amount: '140.00',
    quantity: 4,
    label: null,
    currency: null,
    vat_rate: '10',
    tax_inclusive: true,
  },
]
const sent = (lines: readonly GivenLine[], more: number) =>
  lines.map(({ currency: _, amount, ...line }) => ({ ...line, amount: print(fixed(amount) + fixed(String(more))) }))

/** 500 new stays, each with two sell lines, one cost line, one traveller, a customer and a supplier. */
export function stayBatch(customers: number) {
  return numbers().map((n) => ({
    external_id: `H-${n}`,
    customer_external_id: `C-${1 + (n % customers)}`,
    supplier_external_id: `S-${1 + (n % SUPPLIERS)}`,
    check_in_on: `2026-07-${String(1 + (n % 20)).padStart(2, '0')}`,
    check_out_on: `2026-07-${String(5 + (n % 20)).padStart(2, '0')}`,
    guest_count: 2,
    status: 'confirmed',
    currency: 'EUR',
    transaction_date: '2026-03-02',
    notes: 'Late arrival.',
    sell_lines: sent(sellLines, n % 40),
    cost_lines: sent(costLines, n % 30),
    travelers: [
      {
        ...personOf(n),
        nationality: 'TR',
        passport_number: `U${n}`,
        passport_country: 'TR',
        date_of_birth: '1987-04-23',
      },
    ],
  }))
}
export type Stay = ReturnType<typeof stayBatch>[number]

const rateOf: RateOf = (from, to) => (from === to ? { rate: '1', day: null, source: null } : null)

/** Stays as the database stores them, calculated beforehand, so that the ceiling only measures writing. */
export function storedStays(stays: readonly Stay[], ids: ReadonlyMap<string, string>) {
  const base = {
    currency: 'EUR',
    companyCurrency: 'EUR',
    rate_basis: null,
    margin_mode: null,
    margin_value: null,
    own: { sell: [], cost: [] },
  } as const
  const given = (lines: Stay['sell_lines']): GivenLine[] => lines.map((line) => ({ ...line, currency: null }))
  const priced = stays.map((stay) =>
    price({ ...base, sell: given(stay.sell_lines), cost: given(stay.cost_lines) }, rateOf),
  )
  const records = stays.map(({ sell_lines: _, cost_lines: __, travelers, ...stay }, at) => ({
    ...stay,
    id: crypto.randomUUID(),
    customer_id: ids.get(stay.customer_external_id),
    supplier_id: ids.get(stay.supplier_external_id),
    travelers,
    ...priced[at]?.totals,
  }))
  const lines = records.flatMap(({ id }, at) =>
    (priced[at]?.lines ?? []).map((line, position) => ({ booking_id: id, position, ...line })),
  )
  const people = records.flatMap(({ customer_id, travelers }) =>
    travelers.map((traveler) => ({ customer_id, ...traveler })),
  )
  return [records, lines, people].map((rows) => JSON.stringify(rows))
}
