import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { findDesk } from '../../src/features/accounts/reads/find-desk.ts'
import { fileBooking } from '../../src/features/filing/commands/file-booking.ts'
import { addTraveler } from '../../src/features/trips/commands/add-traveler.ts'
import { cancelTrip } from '../../src/features/trips/commands/update-trip.ts'
import { BUILT_IN_ROLES } from '../../src/platform/access/policies.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { clockedDatabase } from '../harness/database-clock.ts'
import { restrictTagOf, updateAccountOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'
import { type Row, tripsOf } from '../harness/trips.ts'

let cell: TestCell
let agency: Agency
let clock: Awaited<ReturnType<typeof clockedDatabase>>
beforeAll(async () => {
  clock = await clockedDatabase()
  cell = await startCell({ connection: clock.connection, deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const { make, change, list, read, segment, customer, inAccount } = tripsOf(() => cell)
const titles = async (query: string, of: Agency) => (await list(query, of)).data.map(({ title }) => title)
const day = (from: string, days: number) => Temporal.PlainDate.from(from).add({ days }).toString()
/** Does it while it is that time, by the clock of the database. */
async function at<T>(instant: string, work: () => Promise<T>): Promise<T> {
  await clock.set(instant)
  return work().finally(() => clock.set(null))
}
const inZone = (of: Agency, timeZone: string) => updateAccountOf(cell, of.number, { timeZone })

describe('a trip', () => {
  it('is read with everything that the command line made it of', async () => {
    const buyer = await customer(agency, { email: 'ayse@example.com' })
    const id = await make(
      agency,
      {
        title: 'Bahar turu',
        status: 'proposed',
        trip_type: 'honeymoon',
        start_date: '2031-05-01',
        end_date: '2031-05-04',
        destinations: 'Roma, Napoli',
        primary_currency: 'eur',
        assigned_advisor_id: agency.advisor,
        summary: 'Four days',
        internal_notes: 'Late payer',
        cover_image_url: 'https://images.example/rome.jpg',
        settings: '{"language": "tr"}',
        notification_preferences: { survey: false },
      },
      buyer,
    )
    const trip = await read(id, agency)
    expect(trip).toEqual({
      id,
      reference_number: expect.stringMatching(/^TRP-\d{4}-000001$/),
      title: 'Bahar turu',
      status: 'proposed',
      trip_type: 'honeymoon',
      start_date: '2031-05-01',
      end_date: '2031-05-04',
      duration_nights: 3,
      destinations: ['Roma', 'Napoli'],
      primary_currency: 'EUR',
      cover_image_url: 'https://images.example/rome.jpg',
      assigned_advisor: { id: agency.advisor, name: 'Işıl Çağlar', email: 'advisor@agency.example' },
      primary_customer: { id: buyer, name: 'Ayşe Yılmaz' },
      traveler_count: 1,
      days_until: expect.any(Number),
      updated_at: trip.created_at,
      summary: 'Four days',
      internal_notes: 'Late payer',
      settings: { show_prices: false, language: 'tr' },
      notification_preferences: { survey: false },
      account_id: agency.account.uuid,
      company_id: agency.company.id,
      customers: [{ id: buyer, name: 'Ayşe Yılmaz', email: 'ayse@example.com' }],
      travelers: [{ id: expect.any(String), customer_id: buyer, name: 'Ayşe Yılmaz', is_lead: true }],
      day_count: 4,
      created_at: trip.created_at,
    })
    const own = await makeAgency(cell)
    expect((await cell.call('GET', `/trips/${id}`, { key: own.key })).status).toBe(404)
    expect((await list('', own)).data).toEqual([])
  })
  it('shows its customer and travellers only to roles that may know them', async () => {
    const own = await makeAgency(cell)
    const [open, hidden] = [
      await customer(own, { name: 'Ada', email: 'ada@example.com' }),
      await customer(own, { name: 'Vip', email: 'vip@example.com', tags: ['vip'] }),
    ]
    const [opened, id] = [await make(own, { title: 'Open' }, open), await make(own, { title: 'Hidden' }, hidden)]
    await inAccount(own, (tx) => addTraveler(tx, id, { customer: null, traveler: null, name: 'Can', lead: false }))
    await restrictTagOf(cell, own.number, 'vip')
    for (const [role, policies] of Object.entries(BUILT_IN_ROLES)) {
      const { key } = await own.makeKey({ role })
      const names = ({ primary_customer, customers, travelers }: Row) =>
        [primary_customer, ...(customers as object[]), ...(travelers as object[])].map((who) => ({
          ...(who as object),
        }))
      const personal = policies.has('view_personal_data')
      const vip = personal && policies.has('view_restricted_customers')
      expect([role, names(await read(opened, { key }))]).toMatchObject([
        role,
        [
          { id: open, name: personal ? 'Ada' : null },
          { email: personal ? 'ada@example.com' : null },
          { name: personal ? 'Ada' : null },
        ],
      ])
      expect([role, names(await read(id, { key }))]).toMatchObject([
        role,
        [
          { id: hidden, name: vip ? 'Vip' : null },
          { email: vip ? 'vip@example.com' : null },
          { name: vip ? 'Vip' : null },
          { name: personal ? 'Can' : null },
        ],
      ])
      const listed = (await list('', { key })).data.map(({ primary_customer }) => (primary_customer as Row).name)
      expect([role, listed]).toEqual([role, [personal ? 'Ada' : null, vip ? 'Vip' : null]])
    }
  })
})

describe('the list of trips', () => {
  it('is walked completely, the earliest start first, those without one last, whatever the size of a page', async () => {
    const own = await makeAgency(cell)
    const buyer = await customer(own)
    const starts = fc.constantFrom(null, '2031-01-01', '2031-01-02', '1999-06-01')
    await fc.assert(
      fc.asyncProperty(
        fc.array(starts, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 5 }),
        async (dates, limit) => {
          for (const start_date of dates) await make(own, { start_date }, buyer)
          const walked = await walk(own, limit)
          const order = walked.map(({ start_date, id }) => `${start_date ?? 'never'} ${id}`)
          expect(order).toEqual([...order].sort())
          expect(walked.map(({ id }) => id)).toEqual((await walk(own, 100)).map(({ id }) => id))
        },
      ),
      { numRuns: 8 },
    )
  })
  it('misses no trip that stays where it is, and shows it once, while others move, come and go', async () => {
    const own = await makeAgency(cell)
    const buyer = await customer(own)
    const ids: string[] = []
    for (let nth = 0; nth < 24; nth++)
      ids.push(await make(own, { start_date: nth % 6 === 5 ? null : day('2031-01-01', nth % 9) }, buyer))
    const moving = ids.filter((_, nth) => nth % 4 === 0)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.record({ nth: fc.nat(5), to: fc.option(fc.nat(20)) }), { maxLength: 12 }),
        async (limit, moves) => {
          const acts = [...moves]
          const seen = await walk(own, limit, async () => {
            const act = acts.shift()
            if (!act) return
            await change(own, moving[act.nth] as string, {
              start_date: act.to === null ? null : day('2030-12-25', act.to),
            })
            await make(own, { start_date: day('2030-12-25', act.nth) }, buyer)
          })
          const counts = Map.groupBy(seen, ({ id }) => id)
          const staying = ids.filter((id) => !moving.includes(id))
          expect(staying.filter((id) => counts.get(id)?.length !== 1)).toEqual([])
        },
      ),
      { numRuns: 6 },
    )
  })
  it('follows state, scope, advisor and words together', async () => {
    const own = await makeAgency(cell)
    const buyer = await customer(own)
    const on = (title: string, status: string, start_date: string | null, end_date: string | null, more: object = {}) =>
      make(own, { title, status, start_date, end_date, ...more }, buyer)
    await on('done', 'confirmed', '2031-04-01', '2031-05-09')
    await on('Roma IŞIKLARI 100%', 'confirmed', '2031-05-08', '2031-05-12', { assigned_advisor_id: own.advisor })
    await on('planned', 'planning', '2031-05-09', '2031-05-12')
    const gone = await on('gone', 'confirmed', '2031-05-10', '2031-05-12', { assigned_advisor_id: own.advisor })
    await inAccount(own, async (tx) => cancelTrip(tx, await findDesk(tx, null), gone))
    await on('next', 'confirmed', '2031-05-11', '2031-05-12', { assigned_advisor_id: own.owner.id })
    await on('some day', 'confirmed', null, null)
    const number = String((await list('q=planned', own)).data[0]?.reference_number)
    await at('2031-05-10T12:00:00Z', async () => {
      for (const [query, expected] of [
        ['', ['done', 'Roma IŞIKLARI 100%', 'planned', 'gone', 'next', 'some day']],
        ['status=completed', ['done']],
        ['status=in_progress', ['Roma IŞIKLARI 100%']],
        ['status=confirmed', ['next', 'some day']],
        ['status=cancelled', ['gone']],
        ['status=draft', []],
        ['scope=active', ['Roma IŞIKLARI 100%', 'planned', 'next', 'some day']],
        ['scope=upcoming', ['next', 'some day']],
        ['scope=in_progress', ['Roma IŞIKLARI 100%']],
        [`assigned_to_id=${own.advisor}`, ['Roma IŞIKLARI 100%', 'gone']],
        [`scope=active&assigned_to_id=${own.advisor}`, ['Roma IŞIKLARI 100%']],
        [`scope=upcoming&status=in_progress`, []],
        ['q=isik', ['Roma IŞIKLARI 100%']],
        ['q=ROMA%20ışık', ['Roma IŞIKLARI 100%']],
        ['q=100%25', ['Roma IŞIKLARI 100%']],
        ['q=%25', ['Roma IŞIKLARI 100%']],
        ['q=_', []],
        ['q=___', []],
        ['q=ne', ['done', 'planned', 'gone', 'next']],
        [`q=${number.toLowerCase()}`, ['planned']],
        ['q=trp-&scope=upcoming', ['next', 'some day']],
        ['q=%20', ['done', 'Roma IŞIKLARI 100%', 'planned', 'gone', 'next', 'some day']],
      ] as const)
        expect([query, await titles(query, own)]).toEqual([query, expected])
      const shown = (await list('', own)).data.map(({ status, days_until }) => [status, days_until])
      expect(shown.slice(0, 3)).toEqual([
        ['completed', -39],
        ['in_progress', -2],
        ['planning', -1],
      ])
    })
    for (const query of ['status=x', 'scope=mine', 'assigned_to_id=x', 'limit=0', `q=${'x'.repeat(201)}`])
      expect((await cell.call('GET', `/trips?${query}`, { key: own.key })).status).toBe(422)
    const other = await makeAgency(cell)
    expect(await titles(`q=${number}`, other)).toEqual([])
  })
  it.each([
    ['Europe/Istanbul', '2031-05-10T21:00:00Z'],
    ['Europe/Berlin', '2031-03-29T23:00:00Z'], // the day of 23 hours begins
    ['Europe/Berlin', '2031-03-30T22:00:00Z'], // and ends
    ['Europe/Berlin', '2031-10-25T22:00:00Z'],
    ['Europe/Berlin', '2031-10-26T23:00:00Z'],
    ['America/New_York', '2031-03-10T04:00:00Z'],
    ['Pacific/Kiritimati', '2031-05-09T10:00:00Z'],
    ['Pacific/Pago_Pago', '2031-05-11T11:00:00Z'],
  ])('knows the days of %s, of which one begins at %s', async (zone, midnight) => {
    const own = await makeAgency(cell)
    await inZone(own, zone)
    const first = Temporal.Instant.from(midnight).toZonedDateTimeISO(zone)
    expect(first.toPlainTime().toString()).toBe('00:00:00')
    const today = first.toPlainDate().toString()
    const buyer = await customer(own)
    await make(
      own,
      { title: 'ended', status: 'confirmed', start_date: day(today, -3), end_date: day(today, -1) },
      buyer,
    )
    await make(own, { title: 'begins', status: 'confirmed', start_date: today, end_date: day(today, 1) }, buyer)
    await make(own, { title: 'one day', status: 'confirmed', start_date: day(today, -1) }, buyer)
    const states = async () =>
      Object.fromEntries((await list('', own)).data.map(({ title, status }) => [title, status]))
    const before = new Date(Date.parse(midnight) - 1).toISOString()
    expect(await at(before, states)).toEqual({ ended: 'in_progress', begins: 'confirmed', 'one day': 'in_progress' })
    expect(await at(before, () => titles('scope=upcoming', own))).toEqual(['begins'])
    expect(await at(midnight, states)).toEqual({ ended: 'completed', begins: 'in_progress', 'one day': 'completed' })
    expect(await at(midnight, () => titles('scope=in_progress', own))).toEqual(['begins'])
  })
})

describe('a trip that needs attention', () => {
  const TODAY = '2031-05-10'
  const NOON = `${TODAY}T09:00:00Z` // by the clock of Istanbul
  const attended = (of: Agency) => at(NOON, () => titles('scope=needs_attention', of))
  let own: Agency
  let buyer: string
  beforeAll(async () => {
    own = await makeAgency(cell)
    buyer = await customer(own)
  })
  /** Makes a trip in every state that is not over. */
  const planned = (title: string, more: object = {}) =>
    make(own, { title, status: 'planning', start_date: '2031-09-01', end_date: '2031-09-08', ...more }, buyer)
  const only = async (title: string) => {
    expect((await attended(own)).filter((found) => found.startsWith(title.slice(0, 4)))).toEqual([title])
  }

  it('is confirmed without dates', async () => {
    await planned('date-free', { status: 'confirmed', start_date: null, end_date: null })
    await planned('date-less but planned', { start_date: null, end_date: null })
    await only('date-free')
  })
  it('has a booking whose option ends within three days', async () => {
    const stay = { check_in_on: '2031-09-01', check_out_on: '2031-09-02', status: 'option' }
    for (const [title, option_date] of [
      ['option in three days', day(TODAY, 3)],
      ['option in four days', day(TODAY, 4)],
    ] as const) {
      const { rows } = await importRows(cell, own.key, 'hotel_stays', [{ external_id: title, ...stay, option_date }])
      const id = await planned(title)
      await inAccount(own, (tx) => fileBooking(tx, id, String(rows[0]?.id)))
    }
    await only('option in three days')
  })
  it('has an overdue task', async () => {
    const task = (taskable_id: string, due_at: string) =>
      cell.call('POST', '/tasks', {
        key: own.key,
        body: { task: { subject: 'x', taskable_type: 'Trip', taskable_id, due_at } },
      })
    await task(await planned('task was due'), `${TODAY}T08:59:59Z`)
    await task(await planned('task is due later'), `${TODAY}T09:00:01Z`)
    const done = (await task(await planned('task was done'), '2031-05-01T00:00:00Z')).body as { data: Row }
    await cell.call('PATCH', `/tasks/${done.data.id}/complete`, { key: own.key })
    await only('task was due')
  })
  it('has an unconfirmed segment and leaves within fourteen days', async () => {
    const leaving = async (title: string, days: number, status: string) => {
      const id = await planned(title, { start_date: day(TODAY, days), end_date: day(TODAY, days + 2) })
      await segment(own, id, 1, { status })
    }
    await leaving('soon', 14, 'option')
    await leaving('soon, and confirmed', 14, 'confirmed')
    await leaving('soon enough', 15, 'option')
    await only('soon')
  })
  it('has a traveller whose passport is not good for six months after the return', async () => {
    const stays = (expiry: string, nth: number) => ({
      external_id: `passport ${nth}`,
      check_in_on: '2031-01-01',
      check_out_on: '2031-01-02',
      customer_external_id: 'P',
      travelers: [
        { first_name: `Traveller ${nth}`, last_name: 'Su', passport_number: `P${nth}`, passport_expiry: expiry },
      ],
    })
    await importRows(cell, own.key, 'customers', [{ external_id: 'P', name: 'Traveller 3 Su' }])
    const expiries = ['2032-03-07', '2032-03-08', '2032-03-08', '2032-03-07']
    await importRows(cell, own.key, 'hotel_stays', expiries.map(stays))
    const directory = await ask<{ id: string; customer_id: string; first_name: string }>(
      cell,
      'select id, customer_id, first_name from travelers where account_id = $1 order by first_name',
      [own.number],
    )
    expect(directory).toHaveLength(4)
    const going = async (title: string, traveler: string | null, who: string | null = null) => {
      const id = await planned(title)
      await inAccount(own, (tx) => addTraveler(tx, id, { customer: who, traveler, name: null, lead: false }))
    }
    await going('pass too old', directory[0]?.id ?? null)
    await going('pass good', directory[1]?.id ?? null)
    await going('pass of a customer', null, directory[0]?.customer_id)
    expect((await attended(own)).filter((title) => title.startsWith('pass'))).toEqual([
      'pass too old',
      'pass of a customer',
    ])
  })
  it('is found by a passport by roles alone that see personal data', async () => {
    const { key } = await own.makeKey({ role: 'viewer' })
    const found = await at(NOON, () => titles('scope=needs_attention&limit=100', { ...own, key }))
    expect(found).toEqual((await attended(own)).filter((title) => !title.startsWith('pass')))
  })
  it('is not cancelled or completed', async () => {
    const over = await planned('over', { status: 'confirmed', start_date: '2031-05-01', end_date: day(TODAY, -1) })
    const now = await planned('now', { status: 'confirmed', start_date: '2031-05-01', end_date: TODAY })
    const off = await planned('off', { start_date: TODAY })
    await change(own, off, { end_date: day(TODAY, 1) })
    for (const id of [over, now, off]) await segment(own, id, 1, { status: 'proposed' })
    await change(own, off, { status: 'cancelled' })
    const found = await attended(own)
    expect(['over', 'now', 'off'].filter((title) => found.includes(title))).toEqual(['now'])
  })
})

/** All trips, page by page. */
async function walk(of: Agency, limit: number, between: () => Promise<unknown> = async () => {}): Promise<Row[]> {
  const walked: Row[] = []
  for (let cursor = ''; ; ) {
    const { data, page } = await list(`limit=${limit}${cursor}`, of)
    walked.push(...data)
    if (page.next_cursor === null) return walked
    cursor = `&cursor=${page.next_cursor}`
    await between()
  }
}
