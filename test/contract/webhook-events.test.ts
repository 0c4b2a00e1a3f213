import { describe, expect, it, vi } from 'vitest'
import { charters } from '../../src/features/bookings/verticals/charters.entity.ts'
import { signingKeyOf } from '../../src/features/webhooks/signature.ts'
import { deskOf } from '../../src/imports/desk.ts'
import { changeRecord, makeRecord } from '../../src/imports/engine/one-record.ts'
import { ALL_POLICIES } from '../../src/platform/access/policies.ts'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import { importRows } from '../harness/agency.ts'
import { fanOutEvents } from '../harness/fan-out.ts'
import { type Row, withRecords } from '../harness/records.ts'
import { ask } from '../harness/sql.ts'

const { the, newAgency, make, amend, send, sendAll, read, next } = withRecords()

type Event = { id: string; event: string; occurred_at: string; data: Record<string, unknown> }
type Subscription = { readonly id: string; heard(): Promise<Event[]> }
type Wanted = { events?: string[]; entities?: string[]; role?: string; active?: boolean }
const ALL = ['record.created', 'record.updated', 'record.deleted']

/** A subscription, and its deliveries since the last call, in order. */
async function subscribe({
  events = ALL,
  entities = [],
  role = 'owner',
  active = true,
}: Wanted = {}): Promise<Subscription> {
  await fanOutEvents(the.cell) // earlier events are not for it
  const key = the.cell.deps.signingKeys.seal(signingKeyOf('whsec_test'))
  const [made] = await ask<{ id: string }>(
    the.cell,
    `insert into webhooks (account_id, url, events, entities, role, active, signing_key)
     values ($1, 'https://receiver.example/', $2, $3, $4, $5, $6) returning id`,
    [the.agency.number, events, entities, role, active, key],
  )
  const { id } = made as { id: string }
  return {
    id,
    async heard() {
      await fanOutEvents(the.cell)
      const rows = await ask<{ payload: string }>(
        the.cell,
        `delete from webhook_deliveries d using webhook_payloads p
         where d.webhook_id = $1 and p.account_id = d.account_id and p.event_id = d.event_id and p.role = d.role returning p.payload`,
        [id],
      )
      return rows.map(({ payload }) => JSON.parse(payload) as Event)
    },
  }
}
const stay = (more: object = {}): Row => ({
  external_id: next('H'),
  check_in_on: '2026-07-10',
  check_out_on: '2026-07-14',
  currency: 'EUR',
  customer_external_id: 'C',
  sell_lines: [{ kind: 'room_rate', amount: '100.00' }],
  ...more,
})
const deskFor = async (tx: AccountTx) => {
  const company = { id: the.agency.company.id, country: 'TR', currency: 'TRY' }
  return deskOf({ company, branch: null, timeZone: 'Europe/Istanbul', policies: ALL_POLICIES }, await tx.now)
}
const summaryOf = (events: Event[]) =>
  events.map(({ event, data }) => `${event} ${data.entity} ${data.external_id}`).sort()

describe('an event', () => {
  it('is sent for each record of a batch, as in the feed, with one id for all subscriptions', async () => {
    const [first, second] = [await subscribe(), await subscribe()]
    const rows = [stay(), stay(), stay()]
    await sendAll('hotel_stays', rows, {})
    const events = await first.heard()
    expect(summaryOf(events)).toEqual(rows.map(({ external_id }) => `record.created hotel_stays ${external_id}`).sort())
    for (const { id, occurred_at, data } of events) {
      expect(id).toMatch(/^evt_[0-9A-Za-z]+$/)
      expect(occurred_at).toBe(data.created_at)
      expect(data).toEqual(await read('hotel_stays', data as Row))
    }
    expect((await second.heard()).map(({ id }) => id).sort()).toEqual(events.map(({ id }) => id).sort())
  })
  it('is not sent for a dry run, a failed or skipped row, or a replayed batch', async () => {
    const row = stay()
    const subscription = await subscribe()
    await importRows(the.cell, the.agency.key, 'hotel_stays', [row, stay({ check_in_on: 'soon' })], {}, true)
    expect(await subscription.heard()).toEqual([])
    await sendAll('hotel_stays', [row, stay({ check_in_on: 'soon' })], {})
    expect(await subscription.heard()).toHaveLength(1)
    await send('hotel_stays', row)
    expect(await subscription.heard()).toEqual([])
  })
  it('is sent once for each record and transaction, and not for invisible changes', async () => {
    const row = await make('hotel_stays', stay())
    const subscription = await subscribe()
    await sendAll('hotel_stays', [
      { external_id: row.external_id, notes: 'one' },
      { external_id: row.external_id, notes: 'two' },
    ])
    const events = await subscription.heard()
    expect(summaryOf(events)).toEqual([`record.updated hotel_stays ${row.external_id}`])
    expect(events[0]?.data).toMatchObject({ notes: 'two' })
    await sendAll('hotel_stays', [
      { external_id: row.external_id, notes: 'three' },
      { external_id: row.external_id, notes: 'two' },
    ])
    expect(await subscription.heard()).toEqual([])
    await amend('hotel_stays', { external_id: row.external_id, notes: 'two' })
    expect(await subscription.heard()).toEqual([])
  })
  it('is sent for a cancellation, and for the departure whose seats it frees', async () => {
    const departure = await make('tour_departures', { external_id: next('TD'), title: 'Tour', max_capacity: 2 })
    const subscription = await subscribe()
    const booking = await make('tour_bookings', {
      external_id: next('TB'),
      tour_departure_external_id: departure.external_id,
      guest_count: 2,
      status: 'confirmed',
    })
    expect(summaryOf(await subscription.heard())).toEqual([
      `record.created tour_bookings ${booking.external_id}`,
      `record.updated tour_departures ${departure.external_id}`,
    ])
    await amend('tour_bookings', { external_id: booking.external_id, status: 'cancelled' })
    const events = await subscription.heard()
    expect(summaryOf(events)).toEqual([
      `record.updated tour_bookings ${booking.external_id}`,
      `record.updated tour_departures ${departure.external_id}`,
    ])
    expect(events.map(({ data }) => data.status).sort()).toEqual(['cancelled', 'open'])
  })
  it('is sent for the bookings of a merged customer', async () => {
    const [loser, winner] = [next('L'), next('W')]
    await sendAll('customers', [
      { external_id: loser, name: 'Loser' },
      { external_id: winner, name: 'Winner' },
    ])
    const row = await make('hotel_stays', stay({ customer_external_id: loser }))
    const subscription = await subscribe()
    const [from, to] = [
      await read('customers', { external_id: loser }),
      await read('customers', { external_id: winner }),
    ]
    const { status } = await the.cell.call('POST', `/customers/${from.id}/merge`, {
      key: the.agency.key,
      body: { into_id: to.id },
    })
    expect(status).toBe(200)
    const events = await subscription.heard()
    expect(summaryOf(events)).toEqual([`record.updated hotel_stays ${row.external_id}`])
    expect(events[0]?.data.customer).toMatchObject({ name: 'Winner' })
  })
  it('is sent for records that a reverted batch deletes', async () => {
    const row = stay()
    const { id: batch } = await importRows(the.cell, the.agency.key, 'hotel_stays', [row], {})
    const { id } = await read('hotel_stays', row)
    const subscription = await subscribe()
    await the.cell.call('POST', `/imports/${batch}/revert`, { key: the.agency.key })
    const events = await subscription.heard()
    expect(summaryOf(events)).toEqual([`record.deleted hotel_stays ${row.external_id}`])
    expect(events[0]?.data).toMatchObject({
      entity: 'hotel_stays',
      external_id: row.external_id,
      id,
      status: 'deleted',
    })
  })
  it('is sent for changes by the command line', async () => {
    const { cell, agency } = the
    const inAccount = <T>(fn: (tx: AccountTx) => Promise<T>) => cell.deps.db.inAccount(agency.number, fn)
    const subscription = await subscribe({ entities: ['charters'] })
    const { external_id: _, ...sample } = charters.entity.sample.rows[0] as Row
    const made = await inAccount(async (tx) => makeRecord(tx, charters, sample, await deskFor(tx)))
    expect(made.errors).toEqual([])
    expect((await subscription.heard()).map(({ event }) => event)).toEqual(['record.created'])
    await inAccount(async (tx) => changeRecord(tx, charters, made.id as string, { notes: 'Later.' }, await deskFor(tx)))
    expect((await subscription.heard()).map(({ event }) => event)).toEqual(['record.updated'])
  })
})

describe('a subscription', () => {
  it('receives its events and entities, and none while it is inactive', async () => {
    const created = await subscribe({ events: ['record.created'] })
    const tickets = await subscribe({ entities: ['tickets'] })
    const off = await subscribe({ active: false })
    const row = await make('hotel_stays', stay())
    await amend('hotel_stays', { external_id: row.external_id, notes: 'x' })
    expect(summaryOf(await created.heard())).toEqual([`record.created hotel_stays ${row.external_id}`])
    expect([await tickets.heard(), await off.heard()]).toEqual([[], []])
  })
  it('is sent no more than its role may see', async () => {
    const [owner, viewer] = [await subscribe(), await subscribe({ role: 'viewer' })]
    await make('hotel_stays', stay({ travelers: [{ first_name: 'Ayşe' }] }))
    const [seen, masked] = [(await owner.heard())[0]?.data, (await viewer.heard())[0]?.data]
    expect(seen).toMatchObject({
      totals: { sell: '100.00' },
      customer: { name: 'Ayşe' },
      travelers: [{ first_name: 'Ayşe' }],
    })
    expect(masked).toMatchObject({ totals: { sell: null }, customer: { name: null } })
    expect(JSON.stringify(masked)).not.toContain('Ayşe')
  })
  it('creates no body for a role without a subscription to the event', async () => {
    const owner = await subscribe()
    await subscribe({ role: 'advisor', events: ['record.deleted'] })
    await make('hotel_stays', stay())
    const ids = (await owner.heard()).map(({ id }) => id.slice('evt_'.length))
    const kept = await ask<{ role: string }>(the.cell, 'select role from webhook_payloads where event_id = any($1)', [
      ids,
    ])
    const roles = kept.map(({ role }) => role)
    expect([ids.length, roles.includes('owner'), roles.includes('advisor')]).toEqual([1, true, false])
  })
  it.each([
    ['POST', '/webhooks', { url: 'https://8.8.8.8/' }],
    ['PATCH', '/webhooks/:id', { active: true }],
  ])(
    'delays the response to %s %s until running changes have ended, which use its previous state',
    async (method, path, body) => {
      const { id } = await subscribe({ active: false })
      const { cell, agency } = the
      let answered: Promise<unknown> | undefined
      await cell.deps.db.inAccount(agency.number, async (tx) => {
        const { external_id: _, ...sample } = charters.entity.sample.rows[0] as Row
        expect((await makeRecord(tx, charters, sample, await deskFor(tx))).errors).toEqual([])
        let early = false
        answered = cell.call(method, path.replace(':id', id), { key: agency.key, body })
        void answered.then(() => {
          early = true
        })
        const waiting = 'select from pg_locks where not granted'
        await vi.waitFor(async () => expect(early || (await ask(cell, waiting)).length > 0).toBe(true))
        expect(early).toBe(false)
      })
      await answered
      await fanOutEvents(cell)
      const pending = `select from webhook_deliveries where webhook_id = $1 and status = 'pending'`
      expect(await ask(cell, pending, [id])).toEqual([])
    },
  )
  it('of another account receives nothing', async () => {
    const subscription = await subscribe()
    const other = await newAgency()
    await importRows(the.cell, other.key, 'hotel_stays', [stay()])
    expect(await subscription.heard()).toEqual([])
  })
})
