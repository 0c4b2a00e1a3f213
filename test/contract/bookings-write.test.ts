import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { type BookingState, stateMeaning } from '../../src/features/bookings/reads/booking-states.ts'
import { importables } from '../../src/registry.ts'
import { runsOf } from '../fuzz/settings.ts'
import { type Agency, importRows, type Outcome } from '../harness/agency.ts'
import { rowOf } from '../harness/arbitrary-rows.ts'
import { bookingDesk, bookingKinds, type ShownBooking } from '../harness/bookings.ts'
import { fileAll, makeTrip } from '../harness/filing.ts'
import { withRecords } from '../harness/records.ts'
import { ask } from '../harness/sql.ts'

const { the, newAgency, next } = withRecords()
type Desk = Awaited<ReturnType<typeof bookingDesk>>
let desk: Desk
let twin: { agency: Agency; desk: Desk }
const records = (agency: Agency) =>
  Promise.all([
    importRows(the.cell, agency.key, 'customers', [
      { external_id: 'R0', name: 'Ömer' },
      { external_id: 'R1', name: 'Işıl', email: 'r1@example.com' },
    ]),
    importRows(the.cell, agency.key, 'suppliers', [
      { external_id: 'R1', name: 'Airline' },
      { external_id: 'R2', name: 'Bus', code: 'CODE1' },
    ]),
    importRows(the.cell, agency.key, 'tour_departures', [
      { external_id: 'R0', title: 'Cappadocia', starts_on: '2026-08-01', ends_on: '2026-08-04', max_capacity: 40 },
      { external_id: 'R1', title: 'Ephesus', starts_on: '2026-09-01', ends_on: '2026-09-03', max_capacity: 2 },
    ]),
  ])
beforeAll(async () => {
  await records(the.agency)
  for (const { entity } of importables.filter(({ entity }) => !entity.base))
    await importRows(the.cell, the.agency.key, entity.key, [...entity.sample.rows])
  desk = await bookingDesk(the.cell, the.agency)
  const agency = await newAgency()
  await records(agency)
  twin = { agency, desk: await bookingDesk(the.cell, agency) }
})

/** The vertical's sample, as somebody begins with it. */
function sampleOf(key: string): Record<string, unknown> {
  const { entity, moves } = bookingKinds.find((kind) => kind.entity.key === key) as (typeof bookingKinds)[number]
  const { external_id: _, ...row } = entity.sample.rows[0] as Record<string, unknown>
  const passengers = (row.passengers as { ticket_number: string }[] | undefined)?.map((passenger) => ({
    ...passenger,
    ticket_number: `235${String(2_700_000_000 + Number(next('')))}`,
  }))
  const status = Object.keys(moves)[0]
  return { ...row, status, customer_external_id: 'C', ...(passengers && { passengers }) }
}
const verticals = bookingKinds.map(({ entity }) => entity.key)

/** A body with other texts is refused before it is looked into. */
const isText = (row: object) => !/\\u0000|\\ud800/.test(JSON.stringify(row))

/** What two accounts cannot have in common. */
function withoutIdentity(record: Record<string, unknown>): unknown {
  const APART = [
    'id',
    'external_id',
    'source_system',
    'company_id',
    'branch_id',
    'created_at',
    'updated_at',
    'cancelled_at',
  ]
  const named = (of: unknown) => of && { ...(of as object), id: null }
  return {
    ...Object.fromEntries(Object.entries(record).filter(([name]) => !APART.includes(name))),
    customer: named(record.customer),
    supplier: named(record.supplier),
    ...(record.tour_departure ? { tour_departure: named(record.tour_departure) } : {}),
  }
}

describe.each(importables.filter(({ entity }) => entity.base).map(({ entity }) => [entity.key, entity] as const))(
  'a new booking of %s',
  (key, entity) => {
    it('is what an import of the same row makes, with the same errors and warnings', async () => {
      await fc.assert(
        fc.asyncProperty(rowOf(entity).filter(isText), async (given) => {
          const { unknown_column: _, external_id: __, ...row } = given
          const external_id = next('I')
          const of = { decimal_separator: '.' }
          const imported = (await importRows(the.cell, twin.agency.key, key, [{ ...row, external_id }], of))
            .rows[0] as Outcome
          const { status, body } = await desk.create(key, row)
          const messages = Object.fromEntries(
            [...Map.groupBy(imported.errors, ({ field }) => field)].map(([field, issues]) => [
              field,
              [...new Set(issues.map(({ message }) => message))],
            ]),
          )
          expect([status, body.details ?? {}]).toEqual([imported.errors.length > 0 ? 422 : 201, messages])
          if (status !== 201) return
          expect(body.warnings).toEqual(imported.warnings)
          const path = `/app/v1/imports/${key}/records/${external_id}`
          const { data } = (await the.cell.call('GET', path, { session: twin.desk.session })).body as { data: never }
          expect(withoutIdentity(body.data.record)).toEqual(withoutIdentity(data))
        }),
        { numRuns: runsOf(25) },
      )
    })
  },
)

describe.each(verticals)('a booking of %s', (key) => {
  const kind = bookingKinds.find(({ entity }) => entity.key === key) as (typeof bookingKinds)[number]

  it('is created once for a repeated request, with the next number, and shown to the feed', async () => {
    const headers = { 'idempotency-key': `one ${key}` }
    const sample = sampleOf(key)
    const first = await desk.create(key, sample, headers)
    const again = await desk.create(key, sample, headers)
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    const { record, id } = first.body.data
    expect(record).toMatchObject({ source_system: 'backdesk', external_id: expect.stringMatching(/^B-\d{6}$/) })
    const following = await desk.make(key, sampleOf(key))
    expect(Number(following.record.external_id?.toString().slice(2))).toBe(
      Number(record.external_id?.toString().slice(2)) + 1,
    )
    const feed = await the.cell.call('GET', `/app/v1/imports/${key}/records?external_id=${record.external_id}`, {
      session: desk.session,
    })
    expect((feed.body as { data: unknown[] }).data).toEqual([(await desk.read(id)).record])
  })
  it('is updated only by who read the newest version, and keeps what the update does not name', async () => {
    const made = await desk.make(key, sampleOf(key))
    const { status, body } = await desk.update(made, { notes: 'Call back.', customer_id: null })
    expect([status, body.data.version]).toEqual([200, made.version + 1])
    expect(body.data.record).toMatchObject({ notes: 'Call back.', customer: null, totals: made.record.totals })
    for (const stale of [
      await desk.update(made, { notes: 'Mine.' }),
      await desk.price(made, {}),
      await desk.move(made, 'cancelled'),
      await desk.cancel(made),
    ])
      expect([stale.status, stale.body.code, stale.body.data]).toEqual([409, 'stale', body.data])
    const same = await desk.update(body.data, body.data.record)
    expect([same.body.details, same.body.data]).toEqual([undefined, body.data])
  })
  it('refuses unknown attributes, other prices and ids of another account, all at once', async () => {
    const made = await desk.make(key, sampleOf(key))
    const [stranger] = await ask<{ id: string }>(the.cell, `select id from customers where account_id = $1 limit 1`, [
      twin.agency.number,
    ])
    const bad = { nonesuch: 1, customer_id: stranger?.id, supplier_id: 'x', assigned_to_id: twin.agency.advisor }
    const { status, body } = await desk.update(made, { ...bad, currency: 'USD', status: 'cancelled' })
    expect([status, Object.keys(body.details ?? {}).toSorted()]).toEqual([
      422,
      [...Object.keys(bad), 'currency', 'status'].toSorted(),
    ])
    const creating = await desk.create(key, { ...sampleOf(key), ...bad, external_id: 'B-000001' })
    expect(Object.keys(creating.body.details ?? {}).toSorted()).toEqual([...Object.keys(bad), 'external_id'].toSorted())
    expect(await desk.read(made.id)).toEqual(made)
  })
  it('is priced until it is invoiced; a preview shows the price and stores nothing', async () => {
    const made = await desk.make(key, sampleOf(key))
    const price = kind.entity.fields.sell_lines
      ? { rate_basis: null, sell_lines: [{ kind: 'other', amount: '1000.00', vat_rate: '20', quantity: 2 }] }
      : { currency: 'TRY' }
    const preview = await desk.price(made, price, true)
    expect([preview.body.details, await desk.read(made.id)]).toEqual([undefined, made])
    const priced = await desk.price(made, price)
    const shown = ({ record, ...other }: ShownBooking) => ({ ...other, record: { ...record, updated_at: null } })
    expect([priced.status, shown(priced.body.data)]).toEqual([200, shown(preview.body.data)])
    if (kind.entity.fields.sell_lines) {
      const own = priced.body.data.record.sell_lines
      expect(own.filter(({ origin }) => origin === 'given').map(({ gross }) => gross)).toEqual(['2000.00'])
    }
    const back = await desk.price(priced.body.data, {
      currency: made.record.currency,
      sell_lines: made.record.sell_lines ?? undefined,
      rate_basis: made.record.rate_basis ?? undefined,
    })
    const { status, body } = back
    expect([status, body.data?.record.totals]).toEqual([200, made.record.totals])
  })
  it('moves as its vertical allows, and nowhere else', async () => {
    for (const [from, targets = []] of Object.entries(kind.moves))
      for (const to of kind.entity.statuses) {
        if (to === from) continue
        const made = await desk.make(key, { ...sampleOf(key), status: from })
        const { status, body } = await desk.move(made, to)
        expect([from, to, status]).toEqual([from, to, targets.includes(to) ? 200 : 422])
        expect(made.next_statuses).toEqual([...targets])
        if (status === 200) expect(body.data.record.status).toBe(to)
      }
  })
  it('that is invoiced keeps its price and stays sold; cancelling it does what its preview says', async () => {
    const sold = Object.keys(kind.moves).find(
      (state) => stateMeaning(state as BookingState)?.sale === 'sold' && kind.moves[state]?.includes('cancelled'),
    )
    const trip = await makeTrip(the.cell, the.agency, { start: '2026-03-01', end: '2026-12-31' })
    const made = await desk.make(key, {
      ...sampleOf(key),
      supplier_external_id: 'S',
      status: sold,
      invoice_date: '2026-03-02',
    })
    await fileAll(the.cell)
    expect(made).toMatchObject({ locked: 'invoiced', editable: ['notes'], priced_by: [] })
    const states = made.next_statuses.map((state) => stateMeaning(state as BookingState)?.sale)
    expect(states.filter((sale) => sale !== 'sold' && sale !== 'cancelled')).toEqual([])
    expect((await desk.price(made, {})).body.details?.price?.[0]).toContain('Cancel it')
    expect((await desk.update(made, { option_date: '2026-05-05' })).body.details?.option_date?.[0]).toContain(
      'invoiced',
    )
    const { effects } = await desk.preview(made)
    expect(await desk.read(made.id)).toEqual(
      expect.objectContaining({ record: made.record, documents: made.documents }),
    )
    expect(effects.credited.map(({ invoice_id }) => invoice_id)).toEqual(
      made.documents.filter(({ type }) => type === 'invoice').map(({ id }) => id),
    )
    const cancelled = await desk.cancel(made)
    expect([cancelled.status, cancelled.body.effects]).toEqual([200, effects])
    const { documents, record } = cancelled.body.data
    expect([
      record.status,
      documents.filter(({ type }) => type === 'credit_note').map(({ reverses_id }) => reverses_id),
    ]).toEqual(['cancelled', effects.credited.map(({ invoice_id }) => invoice_id)])
    expect(
      documents
        .filter(({ status }) => status === 'void')
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(effects.voided.map(({ bill_id }) => bill_id).toSorted())
    const segments = () =>
      ask<{ id: string }>(
        the.cell,
        `select id from trip_segments where account_id = $1 and trip_id = $2 and booking_id = $3 and status = 'cancelled'`,
        [the.agency.number, trip, made.id],
      )
    const before = await segments()
    await fileAll(the.cell)
    const gone = new Set((await segments()).map(({ id }) => id))
    for (const { id } of before) gone.delete(id)
    expect([...gone].toSorted()).toEqual(effects.segments.map(({ id }) => id).toSorted())
    expect((await desk.cancel(cancelled.body.data)).status).toBe(422)
    await ask(the.cell, `update trips set status = 'cancelled' where account_id = $1 and id = $2`, [
      the.agency.number,
      trip,
    ])
  })
})

describe('a role', () => {
  it('that sees no costs changes what it sees, and not the lines', async () => {
    const advisor = await bookingDesk(the.cell, the.agency, the.agency.advisor)
    const made = await advisor.make('hotel_stays', sampleOf('hotel_stays'))
    expect(made.record).toMatchObject({ cost_lines: null, totals: { cost: null, margin: null } })
    expect(made.editable).toContain('check_in_on')
    expect(made.priced_by).not.toContain('sell_lines')
    const seen = Object.entries(made.record).filter(([name]) => made.editable.includes(name) && name !== 'travelers')
    const own = await advisor.update(made, { ...Object.fromEntries(seen), notes: 'Mine.' })
    expect(own.body.details).toBeUndefined()
    const lines = await advisor.price(own.body.data, { cost_lines: [{ kind: 'other', amount: '1' }] })
    expect([lines.status, Object.keys(lines.body.details ?? {})]).toEqual([422, ['cost_lines']])
  })
  it('that sees no costs does not have the sell price follow from them in another way', async () => {
    const advisor = await bookingDesk(the.cell, the.agency, the.agency.advisor)
    const cost_lines = [{ kind: 'other', amount: '89.00' }]
    const net = { rate_basis: 'net', margin_mode: 'amount', margin_value: '10.85', cost_lines, sell_lines: [] }
    const made = await desk.make('transfers', { ...sampleOf('transfers'), ...net, currency: 'EUR' })
    expect(made.record).toMatchObject({ totals: { sell: '99.85' } })
    const same = { currency: 'EUR', rate_basis: 'net', margin_mode: 'amount' }
    expect(made.priced_by).toEqual(expect.arrayContaining(Object.keys(same)))
    const as = await advisor.price(made, same, true)
    expect([as.status, as.body.data.record]).toMatchObject([200, { totals: { sell: '99.85', cost: null } }])
    const others = { currency: 'USD', rate_basis: null, margin_mode: 'percent' }
    for (const [name, value] of Object.entries(others)) {
      expect(as.body.data.priced_by).not.toContain(name)
      for (const given of [value, null]) {
        const answer = await advisor.price(made, { [name]: given }, true)
        expect([answer.status, Object.keys(answer.body.details ?? {})]).toEqual([422, [name]])
      }
    }
  })
  it('that may not write bookings is refused, and other accounts find none', async () => {
    const made = await desk.make('transfers', sampleOf('transfers'))
    const seat = { name: 'A', email: `accountant-${next('')}@agency.example`, role: 'accountant', branchId: null }
    const id = await the.cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, the.agency.number, seat))
    const accountant = await bookingDesk(the.cell, the.agency, id)
    expect((await accountant.update(made, { notes: 'x' })).status).toBe(403)
    expect((await accountant.preview(made)).status).toBe(403)
    for (const answer of [
      await twin.desk.update(made, {}),
      await twin.desk.cancel(made),
      await twin.desk.price(made, {}),
    ])
      expect(answer.status).toBe(404)
  })
})
