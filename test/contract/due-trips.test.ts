import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { type DueMessage, dueOf, flight, only, rome, withTrip } from '../harness/due.ts'
import type { Written } from '../harness/shared-trip.ts'
import { ask } from '../harness/sql.ts'
import { tripsOf } from '../harness/trips.ts'

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const { customer } = tripsOf(() => cell)
const { make, sendAllDue, skipped, messages, dueMessageOf } = dueOf(() => cell)
const sql = <T>(text: string, values: unknown[] = []) => ask<T>(cell, text, values)

/** A booking of the trip with a customer who must pay. */
async function book(trip: string, buyer: string, more: object): Promise<string> {
  const row = {
    external_id: crypto.randomUUID(),
    customer_external_id: buyer,
    check_in_on: '2031-03-12',
    check_out_on: '2031-03-14',
    currency: 'TRY',
    status: 'confirmed',
    sell_lines: [{ kind: 'service_fee', amount: '1250.5', tax_inclusive: true, vat_rate: '20', quantity: 1 }],
    ...more,
  }
  const [stay] = (await importRows(cell, agency.key, 'hotel_stays', [row])).rows
  expect(stay).toMatchObject({ errors: [] })
  await sql('insert into trip_bookings (account_id, booking_id, trip_id) values ($1, $2, $3)', [
    agency.number,
    stay?.id,
    trip,
  ])
  return String(stay?.id)
}

describe('flights', () => {
  it('are those that a traveller may count on, of the first day and the night after it', async () => {
    const of = await customer(agency, { email: 'a@example.com', locale: 'tr' })
    const later = { ...flight, start_time: '2031-03-13T01:10', end_time: '2031-03-14T06:00', airline_code: null }
    const hidden = [
      { ...flight, status: 'option', flight_number: '1' },
      { ...flight, is_client_visible: false, flight_number: '2' },
      { ...flight, start_time: '2031-03-19T11:00', flight_number: '3' },
    ]
    const unknown = { ...flight, start_time: null, end_time: null, departure_airport: null, arrival_airport: 'ZZZ' }
    const days = [{ date: '2031-03-12', segments: [later, ...hidden, unknown, flight] }]
    const { body_plain } = await dueMessageOf(agency, { ...rome, days }, of, 'online_check_in')
    expect(body_plain.split('\n\n').find((paragraph) => paragraph.startsWith('Uçuşlarınız'))).toBe(
      `Uçuşlarınız (yerel saatlerle):
TK 1861 · İstanbul (IST) → Roma (FCO) · 12 Mart 2031 Çarşamba, 08:35 → 10:20
TK 1861 · ZZZ · 12 Mart 2031 Çarşamba
1861 · İstanbul (IST) → Roma (FCO) · 13 Mart 2031 Perşembe, 01:10 → 06:00 (+1 gün)`,
    )
    const trip = await make(
      agency,
      { ...rome, days: [{ date: '2031-03-12', segments: hidden }] },
      of,
      'online_check_in',
    )
    await sendAllDue()
    expect(await skipped(trip)).toEqual(['online_check_in skipped no_flights'])
  })
})

describe('the balance', () => {
  const balance_due_on = '2031-02-20'
  const paragraph = ({ body_plain }: DueMessage) =>
    body_plain.split('\n\n').find((one) => one.includes('Due by')) ?? body_plain
  let buyer: string
  let of: string
  let trip: string
  beforeEach(async () => {
    buyer = crypto.randomUUID()
    const row = { external_id: buyer, name: 'Ayşe', email: `${buyer}@example.com` }
    of = String((await importRows(cell, agency.key, 'customers', [row])).rows[0]?.id)
    trip = await make(agency, rome, of, 'payment_due')
  })
  const dueNotifications = async () => {
    await sendAllDue()
    return paragraph(only(await messages(trip)))
  }
  const reference = async () =>
    only(await sql<{ number: string }>('select reference_number as number from trips where id = $1', [trip])).number

  it('is the open amount of the customer’s own bookings on the next due day', async () => {
    const other = crypto.randomUUID()
    await importRows(cell, agency.key, 'customers', [{ external_id: other, name: 'Can' }])
    await book(trip, buyer, { balance_due_on })
    await book(trip, buyer, { balance_due_on })
    await book(trip, buyer, { balance_due_on: '2031-02-28' })
    await book(trip, buyer, {})
    await book(trip, other, { balance_due_on })
    await sql(`update bookings set status = 'cancelled' where id = $1`, [await book(trip, buyer, { balance_due_on })])
    expect(await dueNotifications()).toBe(
      `To pay: TRY 2,501.00\nDue by: Thursday, 20 February 2031\nReference: ${await reference()}`,
    )
  })
  it('excludes payments of invoices, and is not requested from customers who have paid', async () => {
    const booking = await book(trip, buyer, {
      balance_due_on,
      invoice_date: '2031-01-10',
      transaction_date: '2031-01-10',
    })
    const pay = (amount: string) =>
      sql(
        `insert into customer_payments (account_id, invoice_id, amount, paid_on, created_by)
         select account_id, id, $2, '2031-01-11', 'test' from customer_invoices where booking_id = $1`,
        [booking, amount],
      )
    await pay('1000')
    expect(await dueNotifications()).toContain('To pay: TRY 250.50\n')
    await pay('250.5')
    const paid = await make(agency, rome, of, 'payment_due')
    await sql('update trip_bookings set trip_id = $2 where booking_id = $1', [booking, paid])
    await sendAllDue()
    expect(await skipped(paid)).toEqual(['payment_due skipped nothing_due'])
  })
  it('is reported without an amount if one is unknown', async () => {
    await book(trip, buyer, { balance_due_on })
    await sql('update bookings set sell_total = null where id = $1', [await book(trip, buyer, { balance_due_on })])
    expect(await dueNotifications()).toBe(`Due by: Thursday, 20 February 2031\nReference: ${await reference()}`)
  })
  it('of several currencies is never summed', async () => {
    await book(trip, buyer, { balance_due_on })
    await sql(`update bookings set currency = 'JPY' where id = $1`, [await book(trip, buyer, { balance_due_on })])
    expect(await dueNotifications()).toContain('To pay: JP¥1,251 and TRY 1,250.50\n')
  })
})

describe('passports', () => {
  const traveler = async (of: string, passport_expiry: string | null) =>
    only(
      await sql<{ id: string }>(
        `insert into travelers (account_id, customer_id, first_name, last_name, passport_number, passport_expiry)
         values ($1, $2, 'Mehmet', 'Gizli', 'U7654321', $3) returning id`,
        [agency.number, of, passport_expiry],
      ),
    ).id
  const goes = async (of: string, ...expiries: (string | null)[]): Promise<Written> => ({
    ...rome,
    travelers: await Promise.all(expiries.map(async (expiry) => ({ traveler_id: await traveler(of, expiry) }))),
  })
  it('that are missing or expire early are reported to the advisor, or the owner, without names', async () => {
    const of = await customer(agency, { name: 'Ayşe Gizli', email: 'a@example.com' })
    const written = await goes(of, null, '2031-09-18', '2031-09-19', '2035-01-01')
    const nameless = {
      ...written,
      travelers: [...(written.travelers ?? []), { name: 'Somebody' }, { customer_id: of }],
    }
    await sql(`update seats set locale = 'tr' where id = $1`, [agency.advisor])
    const message = await dueMessageOf(
      agency,
      withTrip(nameless, { assigned_advisor_id: agency.advisor }),
      of,
      'passport_check',
    )
    expect(message).toMatchObject({ to_addresses: ['advisor@agency.example'], customer_id: null, purpose: 'service' })
    expect(message.body_plain).toContain(
      'Pasaportu bilinmeyen yolcu sayısı: 3\nSüresi erken dolan pasaport sayısı: 1\nŞu tarihe kadar geçerli olmalı: 19 Eylül 2031 Cuma',
    )
    expect(JSON.stringify(message)).not.toMatch(/Gizli|U7654321|a@example/)
    expect((await dueMessageOf(agency, nameless, of, 'passport_check')).to_addresses).toEqual(['owner@agency.example'])
    await sql('update seats set active = false where id = $1', [agency.advisor])
    const left = await dueMessageOf(
      agency,
      withTrip(nameless, { assigned_advisor_id: agency.advisor }),
      of,
      'passport_check',
    )
    expect(left.to_addresses).toEqual(['owner@agency.example'])
  })
  it('that are valid are not reported', async () => {
    const of = await customer(agency, { name: 'Mehmet Gizli' })
    const written = await goes(of, '2031-09-19')
    const trips = [
      await make(
        agency,
        { ...written, travelers: [...(written.travelers ?? []), { customer_id: of }] },
        of,
        'passport_check',
      ),
      await make(agency, rome, of, 'passport_check'),
    ]
    await sendAllDue()
    for (const trip of trips) expect(await skipped(trip)).toEqual(['passport_check skipped nothing_to_check'])
  })
})
