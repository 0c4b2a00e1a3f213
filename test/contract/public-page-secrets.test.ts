import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../src/features/trip-pages/share-token.ts'
import { SEGMENT_STATUSES, SEGMENT_TYPES } from '../../src/features/trips/reads/segment-kinds.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { openPage, sendForm, shareTrip } from '../harness/shared-trip.ts'
import { ask } from '../harness/sql.ts'

/** In every text and figure that no public answer may have. */
const SECRET = 'Geheim'
const COST = '73918.46'
const PRICE = '58204.17'
const PASSWORD = 'open'

/** The people that a trip may name: who is hidden is hidden by every way to name them. */
type Traveler = Readonly<Record<string, string>>
type People = { readonly shown: Traveler[]; readonly masked: Traveler[] }

async function makePeople({ number, company }: Agency, cell: TestCell): Promise<People> {
  const insert = async (sql: string, values: unknown[]) =>
    ((await ask<{ id: string }>(cell, `${sql} returning id`, values))[0] as { id: string }).id
  const customer = (name: string, tags: string[]) =>
    insert(
      `insert into customers (account_id, company_id, name, customer_type, tags) values ($1, $2, $3, 'individual', $4)`,
      [number, company.id, name, tags],
    )
  const traveler = (of: string, first: string) =>
    insert('insert into travelers (account_id, customer_id, first_name, last_name) values ($1, $2, $3, $4)', [
      number,
      of,
      first,
      'Yılmaz',
    ])
  await ask(cell, `insert into restricted_tags (account_id, name) values ($1, 'vip')`, [number])
  const [open, hidden] = [await customer('Ayşe Açık', ['regular']), await customer(SECRET, ['regular', 'vip'])]
  const [openTraveler, hiddenTraveler] = [await traveler(open, 'Mehmet'), await traveler(hidden, SECRET)]
  return {
    shown: [
      { customer_id: open },
      { traveler_id: openTraveler },
      { name: 'Nilüfer' },
      { customer_id: open, name: 'Ayşe A.' },
    ],
    masked: [
      { customer_id: hidden },
      { traveler_id: hiddenTraveler },
      { customer_id: hidden, name: SECRET },
      { traveler_id: hiddenTraveler, name: SECRET },
      { customer_id: open, traveler_id: hiddenTraveler, name: SECRET },
    ],
  }
}

/** Texts of a segment; some of them are visible in `text`. */
const texts = (text: string) => ({
  title: text,
  description: text,
  location_name: text,
  location_address: text,
  cover_image_url: `https://pictures.example/${text}.jpg`,
})
const clock = fc.constantFrom(null, '2026-06-12T00:00', '2026-06-12T09:30', '2026-06-14T11:00')
const anySegment = (suppliers: readonly string[]) =>
  fc.record({
    segment_type: fc.constantFrom(...SEGMENT_TYPES),
    status: fc.constantFrom(...SEGMENT_STATUSES),
    is_client_visible: fc.boolean(),
    is_optional: fc.boolean(),
    supplier_id: fc.constantFrom(null, ...suppliers),
    start_time: clock,
    end_time: clock,
    departure_airport: fc.constantFrom(null, 'IST', 'QQQ'),
    arrival_airport: fc.constantFrom(null, 'LHR'),
    airline_code: fc.constantFrom(null, 'TK'),
    flight_number: fc.constantFrom(null, '1985'),
  })

describe('whatever a trip holds, and whatever a link shows', () => {
  let cell: TestCell
  let agency: Agency
  let people: People
  let suppliers: string[]
  let password_hash: string
  beforeAll(async () => {
    cell = await startCell()
    agency = await makeAgency(cell)
    people = await makePeople(agency, cell)
    const made = await ask<{ id: string }>(
      cell,
      `insert into suppliers (account_id, name) values ($1, '${SECRET} A'), ($1, '${SECRET} B') returning id`,
      [agency.number],
    )
    suppliers = made.map(({ id }) => id)
    password_hash = await hashPassword(PASSWORD)
  })

  it('no public answer has a hidden segment, a note, a cost, a confirmation number or a masked name', async () => {
    const own = suppliers[0] as string
    const aLink = fc.record({
      audience: fc.constantFrom('traveler', 'companion', 'supplier'),
      show_prices: fc.boolean(),
      show_travelers: fc.boolean(),
      isLocked: fc.boolean(),
    })
    const travelers = fc.subarray([...people.shown, ...people.masked])
    const days = fc.array(fc.array(anySegment(suppliers), { maxLength: 5 }), { maxLength: 4 })
    let shownOnce = 0
    await fc.assert(
      fc.asyncProperty(aLink, travelers, days, async ({ isLocked, ...link }, travelers, days) => {
        const isSupplier = link.audience === 'supplier'
        const isShown = ({ status, is_client_visible, supplier_id }: (typeof days)[number][number]) =>
          is_client_visible && status !== 'draft' && status !== 'cancelled' && (!isSupplier || supplier_id === own)
        const shown: string[] = []
        const forOthers = isSupplier ? SECRET : 'For all'
        const { token } = await shareTrip(cell, agency, {
          trip: { internal_notes: SECRET, summary: forOthers, title: 'A trip', destinations: ['Rome'] },
          days: days.map((segments, at) => ({
            date: `2026-06-1${at + 1}`,
            title: forOthers,
            description: forOthers,
            segments: segments.map((segment, nth) => {
              const text = isShown(segment) ? `shown-${at}-${nth}.` : SECRET
              if (isShown(segment)) shown.push(text)
              const price_amount = isShown(segment) && link.show_prices && !isSupplier ? '12.34' : PRICE
              const secrets = {
                internal_notes: SECRET,
                confirmation_number: SECRET,
                cost_amount: COST,
                commission_amount: COST,
                cost_currency: 'XAU',
                commission_rate: '73.9184',
              }
              return { ...segment, ...texts(text), ...secrets, price_amount, currency: 'EUR' }
            }),
          })),
          travelers: link.show_travelers ? travelers : travelers.map((one) => ({ ...one, name: SECRET })),
          link: { ...link, ...(isSupplier && { supplier_id: own }), ...(isLocked && { password_hash }) },
        })
        const first = await openPage(cell, token)
        const form = await sendForm(cell, token, { password: PASSWORD })
        const headers = isLocked ? { cookie: String(form.headers['set-cookie']).split(';')[0] as string } : {}
        const [page, calendar] = [
          await openPage(cell, token, headers),
          await openPage(cell, `${token}/trip.ics`, headers),
        ]
        const unfolded = calendar.body.replaceAll('\r\n ', '')
        expect([page.statusCode, calendar.statusCode]).toEqual([200, 200])
        if (isLocked) expect(first.body).not.toMatch(/A trip|shown-/)
        for (const answer of [first, form, page, calendar]) {
          const wholeAnswer = `${JSON.stringify(answer.headers)}\n${answer.body.replaceAll('\r\n ', '')}`
          expect(wholeAnswer).not.toContain(SECRET)
          expect(wholeAnswer).not.toMatch(/XAU|73\.9184|73,9184/)
          for (const figure of [COST, PRICE])
            expect(wholeAnswer.replace(/[.,]/g, '')).not.toContain(figure.replace('.', ''))
        }
        for (const text of shown) {
          expect(page.body).toContain(text)
          expect(unfolded).toContain(text)
          shownOnce++
        }
        expect(page.body.includes('€12.34')).toBe(shown.length > 0 && link.show_prices && !isSupplier)
        expect(page.body.includes('Nilüfer')).toBe(
          link.show_travelers && travelers.some(({ name }) => name === 'Nilüfer'),
        )
      }),
      { numRuns: 40 },
    )
    expect(shownOnce).toBeGreaterThan(0)
  })
})
