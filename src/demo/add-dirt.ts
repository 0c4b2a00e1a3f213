import type { Agency, Row } from './make-agency.ts'
import { type Random, seeded } from './random.ts'

type Key = keyof Agency
/** Code → rows that fail with it. A row has one flaw, so the sum is the number of rows that fail. */
export type Failing = Readonly<Record<Key, Record<string, number>>>
type Flaw = { readonly code: string; readonly spoil: (row: Row, random: Random) => Row }
/** What is odd about a row that is imported all the same. */
type Oddity = (row: Row, random: Random, rows: readonly Row[]) => Row

/** Share of the rows of an entity that fail, and of those that are odd. */
const FAILING = 0.04
const ODD = 0.1

const flaw = (code: string, spoil: Flaw['spoil']): Flaw => ({ code, spoil })
const FLAWS: Readonly<Record<Key, readonly Flaw[]>> = {
  customers: [
    flaw('required', ({ name: _, ...row }) => row),
    flaw('required', ({ external_id: _, ...row }) => row),
    flaw('invalid_email', (row) => ({ ...row, email: 'yok' })),
    flaw('invalid_email', (row) => ({ ...row, email: 'info@@firma' })),
    flaw('invalid_phone', (row) => ({ ...row, phone: '0000' })),
    flaw('invalid_phone', (row) => ({ ...row, phone: 'sonra aranacak' })),
    flaw('not_allowed', (row) => ({ ...row, customer_type: 'vip' })),
    flaw('invalid_currency', (row) => ({ ...row, preferred_currency: 'TL' })),
  ],
  suppliers: [
    flaw('not_allowed', (row) => ({ ...row, supplier_type: 'otel' })),
    flaw('too_long', (row) => ({ ...row, country_code: 'TUR' })),
    flaw('required', (row) => ({ ...row, name: '' })),
  ],
  hotel_stays: [
    flaw('invalid_date', (row) => ({ ...row, check_in_on: '2026-02-30' })),
    flaw('invalid_date', (row) => ({ ...row, check_out_on: '31.12.2026' })),
    flaw('inconsistent', (row) => ({ ...row, check_out_on: row.check_in_on })),
    flaw('required', ({ check_in_on: _, ...row }) => row),
    flaw('not_allowed', (row) => ({ ...row, status: 'booked' })),
    flaw('invalid_money', (row) => ({ ...row, sell_lines: [{ kind: 'room_rate', amount: 120.5 }] })),
    flaw('invalid_money', (row) => ({ ...row, sell_lines: [{ kind: 'room_rate', amount: '1,250.00' }] })),
    flaw('ambiguous_number', (row) => ({
      ...row,
      currency: 'TRY',
      sell_lines: [{ kind: 'room_rate', amount: '1.250' }],
    })),
    flaw('required', ({ external_id: _, ...row }) => row),
    flaw('invalid_integer', (row) => ({ ...row, guest_count: 'iki' })),
    flaw('invalid_date', (row) => ({ ...row, travelers: [{ first_name: 'Ali', date_of_birth: '1990-13-01' }] })),
  ],
}

const ODDITIES: Readonly<Record<Key, readonly Oddity[]>> = {
  customers: [
    (row) => ({ ...row, name: `  ${row.name} ` }),
    (row) => ({ ...row, eski_musteri_no: 'M-17', segment: 'A' }), // columns that no entity has
    (row, random, rows) => ({ ...row, email: random.pick(rows).email ?? row.email }), // two people, one mailbox
    (row) => ({ ...row, tax_number: '1111111111' }),
    ({ phone: _, ...row }) => row,
  ],
  suppliers: [(row) => ({ ...row, iban: 'TR00' })],
  hotel_stays: [
    (row, random) => ({ ...row, customer_external_id: `SILINDI-${random.digits(3)}` }), // references that lead nowhere
    (row) => ({ ...row, supplier_external_id: 'ESKI-KOD' }),
    (row) => ({ ...row, status: String(row.status).toUpperCase(), guest_count: String(row.guest_count) }),
    (row) => ({ ...row, external_id: `${row.external_id}/A` }),
    (row) => ({ ...row, external_id: `ü ${row.external_id} %` }),
    (row) => ({ ...row, kampanya: 'Erken rezervasyon' }),
  ],
}

/** What real exports have: a few rows that must fail, more that are odd, and some that are sent twice. */
export function addDirt(agency: Agency, seed: number): { agency: Agency; failing: Failing } {
  const random = seeded(seed)
  const failing: Failing = { customers: {}, suppliers: {}, hotel_stays: {} }
  const spoil = (key: Key): Row[] =>
    agency[key].flatMap((row): Row[] => {
      if (random.chance(FAILING)) {
        const { code, spoil } = random.pick(FLAWS[key])
        failing[key][code] = (failing[key][code] ?? 0) + 1
        return [spoil(row, random)]
      }
      const odd = random.chance(ODD) ? random.pick(ODDITIES[key])(row, random, agency[key]) : row
      return random.chance(0.01) ? [odd, odd] : [odd]
    })
  return {
    agency: { customers: spoil('customers'), suppliers: spoil('suppliers'), hotel_stays: spoil('hotel_stays') },
    failing,
  }
}
