import { beforeAll, describe, expect, it } from 'vitest'
import { findDesk } from '../../src/features/accounts/reads/find-desk.ts'
import type { Desk } from '../../src/imports/desk.ts'
import { changeRecord, makeRecord } from '../../src/imports/engine/one-record.ts'
import type { ImportRow } from '../../src/imports/engine/read-rows.ts'
import { ALL_POLICIES } from '../../src/platform/access/policies.ts'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import { entities } from '../../src/registry.ts'
import { type Agency, importRows } from '../harness/agency.ts'
import { errors, parts, type Row, type Shown, warnings, withRecords } from '../harness/records.ts'
import { ask } from '../harness/sql.ts'

const { amend, make, newAgency, next, read, send, the } = withRecords()

describe('transfers and car rentals', () => {
  const transfer = (more: object = {}): Row => ({
    external_id: next('X'),
    pickup_at: '2026-07-10T12:15:00',
    pickup_location: 'Airport',
    dropoff_location: 'Hotel',
    ...more,
  })
  const rental = (more: object = {}): Row => ({ external_id: next('R'), ...more })
  it('read a time without an offset on the account’s clock, and with one as it is', async () => {
    const times = async (pickup_at: string) =>
      (await read('transfers', await make('transfers', transfer({ pickup_at })))).pickup_at
    expect(await times('2026-07-10T12:15:00')).toBe('2026-07-10T09:15:00.000000Z')
    expect(await times('2026-01-10 12:15')).toBe('2026-01-10T09:15:00.000000Z')
    expect(await times('2026-07-10T12:15:00+02:00')).toBe('2026-07-10T10:15:00.000000Z')
    expect(await times('2026-07-10T00:15:00.5Z')).toBe('2026-07-10T00:15:00.500000Z')
  })
  it.each([
    ['a winter day', '2026-03-29T01:30:00', '2026-03-29T00:30:00.000000Z'],
    ['a gap, which moves later', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000000Z'],
    ['the end of a gap', '2026-03-29T03:00:00', '2026-03-29T01:00:00.000000Z'],
    ['an overlap, at its earlier offset', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000000Z'],
    ['an overlap with an offset', '2026-10-25T02:30:00+01:00', '2026-10-25T01:30:00.000000Z'],
    ['the end of an overlap', '2026-10-25T03:00:00', '2026-10-25T02:00:00.000000Z'],
  ])('read a time in Berlin in %s', async (_, pickup_at, instant) => {
    const berlin = await newAgency()
    await ask(the.cell, 'update accounts set time_zone = $$Europe/Berlin$$ where account_id = $1', [berlin.number])
    const { key } = await berlin.makeKey()
    const row = transfer({ pickup_at })
    await importRows(the.cell, key, 'transfers', [row])
    expect((await read('transfers', row, key)).pickup_at).toBe(instant)
  })
  it('refuse times in the wrong order, whatever their offsets, in a new record and in an amended one', async () => {
    const early = { pickup_at: '2026-07-10T12:00:00+03:00', dropoff_at: '2026-07-10T10:30:00+02:00' }
    expect(errors(await send('transfers', transfer(early)))).toEqual(['dropoff_at inconsistent'])
    const back = transfer({ return_pickup_at: '2026-07-10T12:14:59' })
    expect(errors(await send('transfers', back))).toEqual(['return_pickup_at inconsistent'])
    const row = await make('transfers', transfer({ dropoff_at: '2026-07-10T10:30:00+01:00' }))
    const change = await amend('transfers', { external_id: row.external_id, pickup_at: '2026-07-10T13:00:00' })
    expect(errors(change)).toEqual(['dropoff_at inconsistent'])

    const at = '2026-07-10T11:30:00+03:00'
    expect(errors(await send('car_rentals', rental({ pickup_at: at, return_at: '2026-07-10T08:30:00Z' })))).toEqual([
      'return_at inconsistent',
    ])
    const car = await make('car_rentals', rental({ pickup_at: at, return_at: '2026-07-10T08:30:01Z' }))
    expect(errors(await amend('car_rentals', { external_id: car.external_id, return_at: at }))).toEqual([
      'return_at inconsistent',
    ])
    await make('car_rentals', rental({ pickup_at: at }))
  })
  it('keep their price when they move, with a warning', async () => {
    const sell_lines = [{ kind: 'transfer_fare', amount: '60.00' }]
    const row = await make('transfers', transfer({ sell_lines }))
    const change = await amend('transfers', { external_id: row.external_id, pickup_at: '2026-07-11T12:15:00' })
    expect([change.status, ...warnings(change)]).toEqual(['updated', 'pickup_at price_not_recalculated'])
    expect((await read('transfers', row)).totals.sell).toBe('60.00')
    expect(await amend('transfers', { external_id: row.external_id, pickup_at: '2026-07-11T09:15:00Z' })).toMatchObject(
      {
        status: 'unchanged',
      },
    )
  })
})

describe('cruises', () => {
  const cruise = (more: object = {}): Row => ({
    external_id: next('CR'),
    currency: 'EUR',
    transaction_date: '2026-03-02',
    rate_basis: 'commissionable',
    sell_lines: [{ kind: 'cabin_fare', amount: '1450.00', quantity: 2, vat_rate: '20' }],
    ...more,
  })
  it('derive their cost from the commission', async () => {
    const percent = await make('cruises', cruise({ margin_mode: 'percent', margin_value: '12' }))
    expect((await read('cruises', percent)).totals).toEqual({
      sell: '2900.00',
      cost: '2552.00',
      margin: '290.00',
      vat: '483.33',
    })
    const flat = await read('cruises', await make('cruises', cruise({ margin_mode: 'amount', margin_value: '100' })))
    expect(parts(flat.cost_lines)).toEqual([
      ['cabin_fare', null, '2900.00'],
      ['commission', null, '-100.00'],
    ])
    const none = await read('cruises', await make('cruises', cruise()))
    expect(none.totals.margin).toBe('0.00')
    const given = cruise({ margin_value: '12', cost_lines: [{ kind: 'cabin_fare', amount: '1.00' }] })
    expect((await read('cruises', await make('cruises', given))).totals.cost).toBe('1.00')
  })
  it('may leave and return on one day, and not the other way round', async () => {
    await make('cruises', cruise({ embark_on: '2026-08-01', disembark_on: '2026-08-01' }))
    const back = cruise({ embark_on: '2026-08-01', disembark_on: '2026-07-31' })
    expect(errors(await send('cruises', back))).toEqual(['disembark_on inconsistent'])
  })
})

describe('a record created in the application', () => {
  let desk: Desk
  const inAccount = <T>(of: Agency, work: (tx: AccountTx) => Promise<T>) => the.cell.deps.db.inAccount(of.number, work)
  const importableOf = (key: string) => {
    const found = entities.find(({ entity }) => entity.key === key)
    if (!found) throw new Error(`There is no entity ${key}`)
    return found
  }
  const sampleOf = (key: string) => {
    const { external_id: _, ...row } = { ...importableOf(key).entity.sample.rows[0] }
    return { ...row, customer_external_id: 'C' } as Record<string, unknown>
  }
  const keys = entities.filter(({ entity }) => entity.readOnly).map(({ entity }) => entity.key)
  beforeAll(async () => {
    desk = await inAccount(the.agency, async (tx) => {
      const { time_zone: timeZone, country, currency, ...place } = await findDesk(tx, null)
      return {
        ...place,
        read: { decimalSeparator: null, country, currency, timeZone },
        context: {
          currency,
          today: '2026-05-05',
          timeZone: 'UTC',
          now: '2026-05-05T09:00:00Z',
          policies: ALL_POLICIES,
        },
      }
    })
  })
  const made = async (key: string, row: object = {}): Promise<ImportRow> =>
    inAccount(the.agency, (tx) => makeRecord(tx, importableOf(key), { ...sampleOf(key), ...row }, desk))
  const changed = (key: string, id: string | null, row: object, of = the.agency) =>
    inAccount(of, (tx) => changeRecord(tx, importableOf(key), String(id), { ...row }, desk))
  const feed = async (entity: string, role: string | null = null): Promise<Shown[]> => {
    const { key } = await the.agency.makeKey({ role })
    return ((await the.cell.call('GET', `/imports/${entity}/records`, { key })).body as { data: Shown[] }).data
  }
  const find = async (entity: string, id: string | null, role: string | null = null) => {
    const record = (await feed(entity, role)).find((shown) => shown.id === id)
    if (!record) throw new Error(`${entity} ${id} is not in the feed`)
    return record
  }

  it.each(keys)('%s cannot be imported, and the refusal names where they are read', async (key) => {
    for (const path of [`/imports/${key}`, `/imports/${key}/validate`]) {
      const { status, body } = await the.cell.call('POST', path, {
        key: the.agency.key,
        body: { rows: [{ external_id: '1' }] },
      })
      expect([status, body]).toMatchObject([
        422,
        { code: 'entity_not_writable', error: expect.stringContaining(`/api/v1/imports/${key}/records`) },
      ])
    }
    expect((await the.cell.call('GET', `/imports/entities/${key}`, { key: the.agency.key })).status).toBe(404)
  })
  it.each(keys)('of %s follows the rules of imports, and is in the feed', async (key) => {
    const { id, status, errors } = await made(key)
    expect([status, errors]).toEqual(['created', []])
    const record = await find(key, id)
    expect(record).toMatchObject({ entity: key, external_id: null, source_system: null, version: 1 })
    expect(record.customer).toMatchObject({ external_id: 'C', name: 'Ayşe' })
    expect(await changed(key, id, { notes: 'x' })).toMatchObject({ status: 'updated' })
    expect(await changed(key, id, { notes: 'x' })).toMatchObject({ status: 'unchanged' })
    expect(await find(key, id)).toMatchObject({ notes: 'x', version: 2, totals: record.totals })
    expect(await changed(key, id, { status: 'completed', currency: 'USD' })).toMatchObject({ status: 'failed' })
    expect(await changed(key, id, { status: 'cancelled' })).toMatchObject({
      status: 'updated',
      recordStatus: 'cancelled',
    })
    expect(await changed(key, id, { currency: 'USD' })).toMatchObject({ status: 'failed', reason: 'cancelled' })
    expect((await find(key, id)).cancelled_at).not.toBeNull()
  })
  it.each(keys)('%s with a field that they have not are refused whole', async (key) => {
    const before = (await feed(key)).length
    expect(await made(key, { nonesuch: 1 })).toMatchObject({
      status: 'failed',
      errors: [{ at: 'nonesuch', code: 'not_allowed' }],
    })
    expect(await made(key, { external_id: 'E' })).toMatchObject({ status: 'failed', errors: [{ at: 'external_id' }] })
    expect(await feed(key)).toHaveLength(before)
    const { id } = await made(key)
    expect(await changed(key, id, { notes: 'x', nonesuch: 1 })).toMatchObject({ status: 'failed' })
    expect(await find(key, id)).toMatchObject({ notes: null, version: 1 })
  })
  it.each(keys)('%s are not those of another account, nor of another entity', async (key) => {
    const { id } = await made(key)
    expect(await changed(key, id, { notes: 'x' }, await newAgency())).toBeUndefined()
    const other = keys.find((name) => name !== key) as string
    expect(await changed(other, id, { notes: 'x' })).toBeUndefined()
    expect(await changed(key, '019dd7b0-0000-7000-8000-000000000000', { notes: 'x' })).toBeUndefined()
  })
  it('shows a role no money, costs or people that it may not see', async () => {
    const charter = await made('charters', { deposit_amount: '100.00', cost_lines: [{ kind: 'x', amount: '9.00' }] })
    const unseen = { sell: null, cost: null, margin: null, vat: null }
    const viewed = await find('charters', charter.id, 'viewer')
    expect(viewed).toMatchObject({ totals: unseen, deposit_amount: null, sell_lines: null, cost_lines: null })
    expect(viewed.customer?.name).toBeNull()
    expect(await find('charters', charter.id, 'advisor')).toMatchObject({
      totals: { sell: '14000.00', cost: null, margin: null },
      deposit_amount: '100.00',
      cost_lines: null,
    })
    const visa = await made('visa_cases', { visa_number: 'V1' })
    expect(await find('visa_cases', visa.id, 'viewer')).toMatchObject({
      visa_number: null,
      applicants: null,
      fee_amount: null,
      service_fee_amount: null,
      destination_country: 'GB',
    })
    expect(await find('visa_cases', visa.id, 'marketing')).toMatchObject({
      visa_number: 'V1',
      applicants: [{ first_name: 'Ayşe' }],
      fee_amount: null,
      totals: unseen,
    })
    const event = await made('events')
    expect(await find('events', event.id, 'viewer')).toMatchObject({ budget_amount: null, totals: unseen })
    expect(await find('events', event.id)).toMatchObject({ budget_amount: '900000.00' })
  })
  it('sells a visa for the consulate’s fee and the service fee, and buys it for the fee alone', async () => {
    const { id } = await made('visa_cases', {
      applicants: [{ first_name: 'Zeynep', last_name: 'Ak', passport_number: 'Z1' }],
    })
    const { sell_lines, cost_lines, totals } = await find('visa_cases', id)
    expect(parts(sell_lines)).toEqual([
      ['visa_fee', null, '135.00'],
      ['service_fee', null, '60.00'],
    ])
    expect(parts(cost_lines)).toEqual([['visa_fee', null, '135.00']])
    expect(totals).toMatchObject({ sell: '195.00', cost: '135.00' })
    const dearer = await changed('visa_cases', id, { fee_amount: '136.00' })
    expect(dearer?.errors).toMatchObject([{ at: 'fee_amount', code: 'pricing_not_amendable' }])
    expect(await changed('visa_cases', id, { fee_amount: '135' })).toMatchObject({ status: 'unchanged' })
    expect(
      await ask(
        the.cell,
        `select passport_number like '~sealed~%' as sealed from travelers
        where account_id = $1 and first_name = 'Zeynep'`,
        [the.agency.number],
      ),
    ).toEqual([{ sealed: true }])
  })
})
