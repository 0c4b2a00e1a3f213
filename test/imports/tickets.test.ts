import { describe, expect, it } from 'vitest'
import { importRows } from '../harness/agency.ts'
import { errors, type Line, parts, type Row, warnings, withRecords } from '../harness/records.ts'
import { ask } from '../harness/sql.ts'

const { amend, make, next, read, send, sendAll, the } = withRecords()

describe('tickets', () => {
  let number = 0
  const ticketNumber = () => {
    number += 1
    return `235${String(number).padStart(10, '0')}`
  }
  const passenger = (more: object = {}) => ({ first_name: 'Ayşe', last_name: 'Yılmaz', ...more })
  const sale = (more: object = {}): Row => ({
    external_id: next('T'),
    currency: 'EUR',
    transaction_date: '2026-03-02',
    passengers: [passenger()],
    ...more,
  })
  const sold = (more: object = {}) => make('tickets', sale(more))
  const of = (...numbers: string[]) =>
    sale({ passengers: numbers.map((ticket_number) => passenger({ ticket_number })) })
  const leg = (departure_airport: string, arrival_airport: string) => ({
    airline_code: 'TK',
    flight_number: '1',
    departure_airport,
    arrival_airport,
  })

  it('open as an option where they have a ticketing deadline, else as a draft', async () => {
    const option = await sold({ option_date: '2026-09-01' })
    expect((await read('tickets', option)).status).toBe('option')
    expect((await read('tickets', await sold())).status).toBe('draft')
    expect((await read('tickets', await sold({ option_date: '2026-09-01', status: 'issued' }))).status).toBe('issued')
  })
  it('stored before a field of their items existed show it as null, and are unchanged by the same row', async () => {
    const row = sale({
      status: 'issued',
      invoice_date: '2026-03-02',
      legs: [leg('IST', 'LHR')],
      passengers: [passenger({ base_fare: '1.00' })],
    })
    await make('tickets', row)
    await ask(
      the.cell,
      `update tickets t set
         legs = (select jsonb_agg(leg - '{airline_locator,not_valid_after,not_valid_before,operating_airline_name}'::text[])
           from jsonb_array_elements(t.legs) leg),
         passengers = (select jsonb_agg(p - '{coupons,seats,fare_mark,base_fare_currency}'::text[])
           from jsonb_array_elements(t.passengers) p) where t.id in (select id from bookings where external_id = $1)`,
      [row.external_id],
    )
    expect(await read('tickets', row)).toMatchObject({
      legs: [{ departure_airport: 'IST', airline_locator: null, not_valid_after: null }],
      passengers: [{ base_fare: '1.00', coupons: null, seats: null, fare_mark: null, base_fare_currency: null }],
    })
    expect(await amend('tickets', row)).toMatchObject({ status: 'unchanged', errors: [] })
  })
  it('have no base fare of another currency in their price, and say so where nothing else tells it', async () => {
    const foreign = { base_fare: '100.00', base_fare_currency: 'NUC', taxes: [{ code: 'YR', amount: '5.00' }] }
    const alone = sale({ passengers: [passenger(foreign)] })
    expect(warnings(await send('tickets', alone))).toContain('passengers[0].base_fare inconsistent')
    expect(await read('tickets', alone)).toMatchObject({ totals: { sell: '5.00' } })
    const both = await sold({ passengers: [passenger({ ...foreign, equivalent_fare: '90.00' })] })
    expect(await read('tickets', both)).toMatchObject({ totals: { sell: '95.00' } })
  })
  it('have a line for each part and tax code: sell is total, fee and penalty less discount, cost total less commission', async () => {
    const row = await sold({
      passengers: [
        passenger({
          base_fare: '100.00',
          taxes: [
            { code: 'YR', amount: '20.00' },
            { code: 'TR', amount: '5.50' },
          ],
          commission_amount: '4.00',
          service_fee: '10.00',
        }),
        passenger({
          base_fare: '4000.00',
          equivalent_fare: '90.00',
          taxes: [{ code: 'YR', amount: '10.00' }],
          commission_rate: '7',
          service_fee: '10.00',
          penalty: '15.00',
          discount: '3.00',
          total: '100.00',
        }),
      ],
    })
    const { id, totals } = await read('tickets', row)
    const lines = await ask<Line & { side: string }>(
      the.cell,
      `select side, kind, label, gross::numeric(9, 2)::text as gross, origin from booking_lines
       where booking_id = $1 order by position`,
      [id],
    )
    const linesOf = (side: string) => parts(lines.filter((line) => line.side === side))
    const total = [
      ['base_fare', null, '190.00'],
      ['tax', 'YR', '30.00'],
      ['tax', 'TR', '5.50'],
    ]
    expect(linesOf('sell')).toEqual([
      ...total,
      ['service_fee', null, '20.00'],
      ['penalty', null, '15.00'],
      ['discount', null, '-3.00'],
    ])
    expect(linesOf('cost')).toEqual([...total, ['commission', null, '-10.30']])
    expect(totals).toEqual({ sell: '257.50', cost: '215.20', margin: '42.30', vat: '0.00' })
    expect(new Set(lines.map(({ origin }) => origin))).toEqual(new Set(['passenger']))
  })
  it('keep a total that is not fare and taxes, with a warning', async () => {
    const row = sale({
      passengers: [
        passenger({ base_fare: '100.00', taxes: [{ code: 'YR', amount: '20.00' }], total: '130.00' }),
        passenger({ total: '50.00' }),
      ],
    })
    const outcome = await send('tickets', row)
    expect([outcome.status, ...warnings(outcome)]).toEqual(['created', 'passengers[0].total inconsistent'])
    expect((await read('tickets', row)).totals).toMatchObject({ sell: '180.00', cost: '180.00' })
    expect(await amend('tickets', row)).toMatchObject({ status: 'unchanged' })
  })
  it.each([
    ['2352403123456', true],
    ['235-2403123456', true],
    ['235 2403 123456', true],
    ['235-240312345', false],
    ['235-24031234567', false],
    ['TK-2403123456', false],
    ['', null],
  ])('read the ticket number %j', async (text, isNumber) => {
    const row = sale({ passengers: [passenger({ ticket_number: text })] })
    const outcome = await send('tickets', row)
    if (isNumber === false) return expect(errors(outcome)).toEqual(['passengers[0].ticket_number invalid_string'])
    const { passengers } = await read('tickets', row)
    expect(passengers).toMatchObject([{ ticket_number: isNumber ? '2352403123456' : null }])
    await amend('tickets', { external_id: row.external_id, status: 'cancelled' })
  })
  it('hold their numbers against other sales, other rows of the batch and their own passengers, until they are cancelled', async () => {
    const [one, two, three] = [ticketNumber(), ticketNumber(), ticketNumber()]
    const first = await make('tickets', of(one, two))
    const taken = 'passengers[0].ticket_number duplicate_ticket_number'
    expect(errors(await send('tickets', of(`${two.slice(0, 3)}-${two.slice(3)}`)))).toEqual([taken])
    expect(errors(await send('tickets', of(three, three)))).toEqual([taken.replace('0', '1')])
    const batch = await sendAll('tickets', [of(three), of(three), of(ticketNumber())])
    expect(batch.map(({ status }) => status)).toEqual(['created', 'failed', 'created'])
    expect(errors(batch[1])).toEqual([taken])
    expect(await amend('tickets', first)).toMatchObject({ status: 'unchanged', errors: [] })
    expect(await amend('tickets', { external_id: first.external_id, status: 'cancelled' })).toMatchObject({
      status: 'updated',
    })
    expect(await send('tickets', of(one, two))).toMatchObject({ status: 'created', errors: [] })
  })
  it('free their numbers for the rows after them, and take none where a row fails or is cancelled', async () => {
    const [one, two] = [ticketNumber(), ticketNumber()]
    const first = await make('tickets', of(one))
    const rows = await sendAll('tickets', [
      { external_id: first.external_id, status: 'cancelled' },
      of(one),
      { ...of(two), status: 'cancelled' },
      { ...of(two), pnr: 7 },
      of(two),
    ])
    expect(rows.map(({ status }) => status)).toEqual(['updated', 'created', 'created', 'failed', 'created'])
    const other = await make('tickets', of(ticketNumber()))
    const [three, four] = [ticketNumber(), ticketNumber()]
    const beyond = [passenger({ ticket_number: four, base_fare: '9'.repeat(15), service_fee: '9'.repeat(15) })]
    const again = await sendAll('tickets', [
      { external_id: other.external_id, passengers: [passenger({ ticket_number: three })], pnr: 7 },
      of(three),
      sale({ passengers: beyond }),
      of(four),
    ])
    expect(again.map(({ status }) => status)).toEqual(['failed', 'created', 'failed', 'created'])
    expect(errors(again[2])).toEqual(['sell_lines out_of_range'])
  })
  it('hold conjunction numbers as they hold ticket numbers, and none of exchanged tickets', async () => {
    const [one, two] = [ticketNumber(), ticketNumber()]
    await make(
      'tickets',
      sale({
        passengers: [
          passenger({
            ticket_number: one,
            conjunction_ticket_numbers: [two],
            exchanged_ticket_number: '2209999999999',
          }),
        ],
      }),
    )
    expect(errors(await send('tickets', of(two)))).toEqual(['passengers[0].ticket_number duplicate_ticket_number'])
    const conjunction = sale({ passengers: [passenger({ conjunction_ticket_numbers: [ticketNumber(), one] })] })
    expect(errors(await send('tickets', conjunction))).toEqual([
      'passengers[0].conjunction_ticket_numbers[1] duplicate_ticket_number',
    ])
    expect(await send('tickets', of('2209999999999'))).toMatchObject({ status: 'created' })
  })
  it('take other numbers and names by an amendment, and never other money', async () => {
    const [one, two] = [ticketNumber(), ticketNumber()]
    const money = { base_fare: '100.00', taxes: [{ code: 'YR', amount: '20.00' }], service_fee: '5.00' }
    const row = await sold({ passengers: [passenger({ ...money, ticket_number: one })] })
    const holder = await make('tickets', of(two))
    const change = (...passengers: object[]) => amend('tickets', { external_id: row.external_id, passengers })
    expect(errors(await change(passenger({ ...money, ticket_number: two })))).toEqual([
      'passengers[0].ticket_number duplicate_ticket_number',
    ])
    const renamed = passenger({ ...money, first_name: 'Ayşegül', base_fare: '100', ticket_number: one })
    expect(await change(renamed)).toMatchObject({ status: 'updated', errors: [], warnings: [] })
    for (const other of [
      { ...money, base_fare: '101.00' },
      { ...money, taxes: [{ code: 'YR', amount: '21.00' }] },
      { ...money, taxes: [{ code: 'TR', amount: '20.00' }] },
      { ...money, service_fee: undefined },
      { ...money, discount: '1.00' },
      { ...money, commission_rate: '5' },
      { ...money, total: '120.00' },
    ])
      expect([other, errors(await change(passenger({ ...other, ticket_number: one })))]).toEqual([
        other,
        ['passengers pricing_not_amendable'],
      ])
    expect(errors(await change())).toEqual(['passengers pricing_not_amendable', 'passengers required'])
    const three = ticketNumber()
    expect(await change(passenger({ ...money, ticket_number: three }))).toMatchObject({ status: 'updated', errors: [] })
    expect(await amend('tickets', { ...holder, passengers: [passenger({ ticket_number: one })] })).toMatchObject({
      status: 'updated',
    })
    expect((await read('tickets', row)).totals).toMatchObject({ sell: '125.00', cost: '120.00' })
  })
  it('follow their legs: itinerary type, and whether they lead abroad', async () => {
    const kinds = async (legs: object[] | null) => {
      const { itinerary_type, international } = await read('tickets', await sold({ legs }))
      return [itinerary_type, international]
    }
    expect(await kinds(null)).toEqual([null, null])
    expect(await kinds([leg('IST', 'ADB')])).toEqual(['one_way', false])
    expect(await kinds([leg('IST', 'LHR'), leg('LGW', 'SAW')])).toEqual(['round_trip', true])
    expect(await kinds([leg('IST', 'LHR'), leg('CDG', 'ADB')])).toEqual(['multi_city', true])
    expect(await kinds([leg('IST', 'QQQ')])).toEqual(['one_way', null])
    const row = await sold({ legs: [leg('IST', 'LHR')] })
    const change = await amend('tickets', {
      external_id: row.external_id,
      legs: [leg('IST', 'ESB'), leg('ESB', 'IST')],
    })
    expect(change).toMatchObject({ status: 'updated', errors: [] })
    expect(await read('tickets', row)).toMatchObject({ itinerary_type: 'round_trip', international: false })
    await amend('tickets', { external_id: row.external_id, legs: null })
    expect(await read('tickets', row)).toMatchObject({ itinerary_type: null, international: null })
  })
  it('save their passengers to the customer’s traveller directory', async () => {
    await importRows(the.cell, the.agency.key, 'customers', [{ external_id: 'CT', name: 'Traveller' }])
    const people = [
      passenger({ passport_number: 'P1', ticket_number: ticketNumber(), base_fare: '1.00' }),
      passenger({ first_name: 'Can', last_name: 'Ak', date_of_birth: '2019-01-01', passenger_type: 'child' }),
    ]
    await sold({ customer_external_id: 'CT', passengers: people })
    await sold({ customer_external_id: 'CT', passengers: [passenger({ passport_number: 'P1', nationality: 'TR' })] })
    const directory = await ask(
      the.cell,
      `select t.first_name, t.passport_number, t.nationality, t.date_of_birth::text from travelers t
        join customers c on c.account_id = t.account_id and c.id = t.customer_id
       where c.account_id = $1 and c.external_id = 'CT' order by t.first_name`,
      [the.agency.number],
    )
    expect(JSON.parse(the.cell.opened(the.agency.number, JSON.stringify(directory)))).toEqual([
      { first_name: 'Ayşe', passport_number: 'P1', nationality: 'TR', date_of_birth: null },
      { first_name: 'Can', passport_number: null, nationality: null, date_of_birth: '2019-01-01' },
    ])
  })
  it('add a fare type that the account has not had, once they are written', async () => {
    const known = sale({ fare_type: 'Season Ticket' })
    await importRows(the.cell, the.agency.key, 'tickets', [
      known,
      sale({ fare_type: 'Failed', currency: 'XXX' }),
      { ...known, fare_type: 'Skipped' },
    ])
    expect((await read('tickets', known)).fare_type).toBe('season_ticket')
    expect((await read('tickets', await sold({ fare_type: 'SEASON ticket' }))).fare_type).toBe('season_ticket')
    expect((await read('tickets', await sold({ fare_type: 'Published' }))).fare_type).toBe('published')
    expect(await ask(the.cell, 'select key, label from terms where account_id = $1', [the.agency.number])).toEqual([
      { key: 'season_ticket', label: 'Season Ticket' },
    ])
  })
})
