import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, importRows, makeAgency, type Outcome } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'

type Stay = {
  status: string
  currency: string
  totals: Record<string, string | null>
  invoiced: boolean
  version: number
  customer: { external_id: string; id: string } | null
  supplier: { external_id: string } | null
  sell_lines: Record<string, unknown>[]
  cost_lines: Record<string, unknown>[]
  cancelled_at: string | null
} & Record<string, unknown>

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  await importRows(cell, agency.key, 'customers', [
    { external_id: 'C1', name: 'One', email: 'One@Example.com' },
    { external_id: 'C2', name: 'Two', email: 'twin@example.com' },
    { external_id: 'C3', name: 'Three', email: 'TWIN@example.com' },
  ])
  await importRows(cell, agency.key, 'suppliers', [{ external_id: 'S1', name: 'Hotel', code: 'HTL' }])
})
let count = 0
const stay = (more: object = {}) => ({
  external_id: `H${++count}`,
  check_in_on: '2026-07-10',
  check_out_on: '2026-07-14',
  currency: 'EUR',
  ...more,
})
const one = async (row: object, more: object = {}): Promise<Outcome> =>
  (await importRows(cell, agency.key, 'hotel_stays', [row], more)).rows[0] as Outcome
const read = async (id: string): Promise<Stay> =>
  (
    (await cell.call('GET', `/imports/hotel_stays/records/${encodeURIComponent(id)}`, { key: agency.key })).body as {
      data: Stay
    }
  ).data
const make = async (more: object = {}) => {
  const row = stay(more)
  expect(await one(row)).toMatchObject({ status: 'created', errors: [] })
  return row
}
const codes = (outcome: Outcome) => outcome.errors.map(({ field, code }) => `${field} ${code}`)
const line = (more: object = {}) => ({ kind: 'room_rate', amount: '100.00', ...more })

describe('pricing', () => {
  it('multiplies rooms by nights, adds the single supplement for one guest, and takes both as given lines', async () => {
    const { external_id } = await make({
      rate_basis: 'net',
      margin_value: '10',
      cost_lines: [line()],
      rooms: [
        { name: 'Double', nightly_rate: '180.00', occupancy: 2, single_supplement_amount: '30' },
        {
          name: 'Single',
          nightly_rate: '150.00',
          occupancy: 1,
          single_supplement_amount: '1.5',
          single_supplement_currency: 'EUR',
        },
      ],
    })
    const { totals, sell_lines } = await read(external_id)
    expect(sell_lines.map(({ kind, quantity, gross, origin }) => [kind, quantity, gross, origin])).toEqual([
      ['room_rate', 4, '720.00', 'room'],
      ['room_rate', 4, '600.00', 'room'],
      ['single_supplement', 4, '6.00', 'room'],
    ])
    expect(totals).toEqual({ sell: '1326.00', cost: '100.00', margin: '1226.00', vat: '0.00' })
  })
  it('derives the missing side from the margin, with the VAT of the lines', async () => {
    const net = await make({
      rate_basis: 'net',
      margin_mode: 'percent',
      margin_value: '12.5',
      cost_lines: [line({ vat_rate: '20', quantity: 3 })],
    })
    expect((await read(net.external_id)).totals).toEqual({
      sell: '337.50',
      cost: '300.00',
      margin: '31.25',
      vat: '56.25',
    })
    const flat = await make({ rate_basis: 'net', margin_mode: 'amount', margin_value: '40', cost_lines: [line()] })
    expect((await read(flat.external_id)).sell_lines.map(({ kind, gross }) => [kind, gross])).toEqual([
      ['room_rate', '100.00'],
      ['margin', '40.00'],
    ])
    const commission = await make({
      rate_basis: 'commissionable',
      margin_mode: 'amount',
      margin_value: '15',
      sell_lines: [line()],
    })
    expect((await read(commission.external_id)).cost_lines.map(({ kind, gross }) => [kind, gross])).toEqual([
      ['room_rate', '100.00'],
      ['commission', '-15.00'],
    ])
  })
  it('rounds each line to its currency’s digits', async () => {
    for (const [currency, amount, gross] of [
      ['JPY', '1000.5', '1001'],
      ['KWD', '1.2345', '1.235'],
      ['TRY', '1.005', '1.01'],
    ]) {
      const row = stay({ currency, sell_lines: [line({ amount, tax_inclusive: true })] })
      const outcome = await one(row, { decimal_separator: '.' })
      expect(outcome.errors).toEqual([])
      expect((await read(row.external_id)).totals.sell).toBe(gross)
    }
  })
  it('leaves the totals empty, with a warning, where a line of another currency has no rate', async () => {
    const row = stay({ sell_lines: [line(), line({ currency: 'USD' })] })
    expect((await one(row)).warnings.map(({ code }) => code)).toEqual(['exchange_rate_missing'])
    expect((await read(row.external_id)).totals).toEqual({ sell: null, cost: null, margin: null, vat: null })
  })
  it('refuses lines that add up to more than can be kept', async () => {
    expect(codes(await one(stay({ sell_lines: [line({ amount: '999999999999999', quantity: 1_000_000 })] })))).toEqual([
      'sell_lines out_of_range',
    ])
  })
  it('uses the row’s currency, else the company’s, and the day of the import as the exchange-rate anchor', async () => {
    const { external_id } = await make({ currency: null, transaction_date: null, sell_lines: [line()] })
    const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Istanbul' }).format(new Date())
    expect(await read(external_id)).toMatchObject({ currency: 'TRY', transaction_date: today })
  })
})

describe('references', () => {
  it('are found by external id, then by e-mail or code', async () => {
    const byId = await make({ customer_external_id: 'C1', supplier_external_id: 'S1' })
    expect(await read(byId.external_id)).toMatchObject({
      customer: { external_id: 'C1' },
      supplier: { external_id: 'S1' },
    })
    const byKey = await make({
      customer_external_id: 'one@EXAMPLE.com',
      supplier_external_id: 'HTL',
      assigned_to_email: 'OWNER@agency.example',
    })
    expect(await read(byKey.external_id)).toMatchObject({
      customer: { external_id: 'C1' },
      supplier: { external_id: 'S1' },
      assigned_to_email: 'owner@agency.example',
    })
  })
  it('that are not found, fit two or name no seat leave the booking unlinked with a warning', async () => {
    const warned = async (more: object) => (await one(stay(more))).warnings.map(({ field, code }) => `${field} ${code}`)
    expect(await warned({ customer_external_id: 'nobody' })).toEqual(['customer_external_id reference_not_found'])
    expect(await warned({ customer_external_id: 'twin@example.com' })).toEqual([
      'customer_external_id reference_ambiguous',
    ])
    expect(await warned({ assigned_to_email: 'nobody@example.com' })).toEqual(['assigned_to_email unknown_seat'])
    expect(await warned({ customer_external_id: 'C1', supplier_external_id: 'S1' })).toEqual([])
  })
  it('look for external ids in their own source system alone', async () => {
    const outcome = await one(stay({ customer_external_id: 'C1' }), { source_system: 'elsewhere' })
    expect(outcome.warnings.map(({ code }) => code)).toEqual(['reference_not_found'])
  })
})

describe('a re-send', () => {
  it('is skipped whatever it holds, and creates nothing twice', async () => {
    const row = await make()
    expect(await one({ external_id: row.external_id, check_in_on: 'nonsense' })).toMatchObject({
      status: 'skipped',
      reason: 'already_exists',
      errors: [],
      record_status: 'draft',
    })
  })
  it('that repeats an external id in one batch is worked off in order', async () => {
    const row = stay({ status: 'draft' })
    const rows = [
      { ...row, check_out_on: 'nonsense' },
      row,
      { ...row, status: 'option' },
      { ...row, status: 'no_show' },
      { ...row, notes: 'x' },
    ]
    const { rows: outcomes } = await importRows(cell, agency.key, 'hotel_stays', rows, { on_conflict: 'update' })
    expect(outcomes.map(({ status, record_status }) => `${status} ${record_status}`)).toEqual([
      'failed null',
      'created draft',
      'updated option',
      'failed option',
      'updated draft',
    ])
  })
})

describe('on_conflict update', () => {
  const amend = (row: object) => one(row, { on_conflict: 'update' })
  it('updates given fields, clears emptied ones, and keeps absent ones', async () => {
    const { external_id } = await make({ notes: 'first', guest_count: 2, customer_external_id: 'C1' })
    expect(await amend({ external_id, guest_count: '3', notes: '' })).toMatchObject({
      status: 'updated',
      errors: [],
      warnings: [],
    })
    expect(await read(external_id)).toMatchObject({
      guest_count: 3,
      notes: null,
      customer: { external_id: 'C1' },
      version: 2,
    })
    expect(await amend({ external_id, customer_external_id: null })).toMatchObject({ status: 'updated' })
    expect((await read(external_id)).customer).toBeNull()
    expect(codes(await amend({ external_id, check_in_on: null }))).toEqual(['check_in_on required'])
  })
  it('finds no change in the same row, or in one that was read back', async () => {
    const row = await make({
      status: 'confirmed',
      customer_external_id: 'C1',
      rate_basis: 'net',
      margin_value: '5.00',
      sell_lines: [line({ vat_rate: '20.0' })],
      cost_lines: [line()],
      rooms: [{ nightly_rate: '80' }],
      travelers: [{ first_name: 'A' }],
    })
    expect(await amend(row)).toMatchObject({ status: 'unchanged', errors: [] })
    const { sell_lines, cost_lines } = await read(row.external_id)
    expect(await amend({ external_id: row.external_id, sell_lines, cost_lines })).toMatchObject({
      status: 'unchanged',
      errors: [],
    })
    expect((await read(row.external_id)).version).toBe(1)
  })
  it('takes derived lines that were read back, rounded as they are shown', async () => {
    const row = await make({ rate_basis: 'net', margin_value: '7.77', cost_lines: [line({ amount: '33.33' })] })
    const { sell_lines, cost_lines } = await read(row.external_id)
    expect(sell_lines[0]?.amount).toBe('35.92')
    expect(await amend({ external_id: row.external_id, sell_lines, cost_lines })).toMatchObject({
      status: 'unchanged',
      errors: [],
    })
  })
  it.each([
    ['sell_lines', { sell_lines: [line({ amount: '101' })] }],
    ['sell_lines', { sell_lines: [] }],
    ['cost_lines', { cost_lines: [line(), line()] }],
    ['rooms', { rooms: [{ nightly_rate: '81' }] }],
    ['rate_basis', { rate_basis: 'commissionable' }],
    ['margin_value', { margin_value: '6' }],
    ['currency', { currency: 'USD' }],
  ])('refuses another price (%s) as a whole', async (field, price) => {
    const { external_id } = await make({
      notes: 'before',
      rate_basis: 'net',
      margin_value: '5',
      sell_lines: [line()],
      cost_lines: [line()],
      rooms: [{ nightly_rate: '80' }],
    })
    expect(codes(await amend({ external_id, notes: 'after', ...price }))).toEqual([`${field} pricing_not_amendable`])
    expect(await read(external_id)).toMatchObject({ notes: 'before', version: 1 })
  })
  it('keeps the price when dates move, and warns', async () => {
    const { external_id } = await make({ rooms: [{ nightly_rate: '100' }] })
    expect((await amend({ external_id, check_out_on: '2026-07-20' })).warnings.map(({ code }) => code)).toEqual([
      'price_not_recalculated',
    ])
    expect((await read(external_id)).totals.sell).toBe('400.00')
    expect(codes(await amend({ external_id, check_in_on: '2026-07-21' }))).toEqual(['check_out_on inconsistent'])
  })
  it('changes rooms that carry the same price', async () => {
    const { external_id } = await make({ rooms: [{ name: 'A', nightly_rate: '100.00' }] })
    expect(await amend({ external_id, rooms: [{ name: 'B', nightly_rate: '100' }] })).toMatchObject({
      status: 'updated',
      errors: [],
    })
  })
  it('moves through the states, and names the allowed ones where it may not', async () => {
    const { external_id } = await make({ status: 'confirmed' })
    const refused = await amend({ external_id, status: 'draft' })
    expect(refused.errors).toMatchObject([
      { field: 'status', code: 'invalid_transition', allowed: ['in_house', 'cancelled', 'no_show'] },
    ])
    expect(await amend({ external_id, status: 'in_house' })).toMatchObject({
      status: 'updated',
      record_status: 'in_house',
    })
  })
  it('lets an invoiced stay change its notes or be cancelled, and a cancelled one its notes alone', async () => {
    const { external_id } = await make({ status: 'confirmed', invoice_date: '2026-07-01', customer_external_id: 'C1' })
    expect((await read(external_id)).invoiced).toBe(true)
    const refused = await amend({ external_id, guest_count: 4, notes: 'x', status: 'cancelled' })
    expect([refused.reason, ...codes(refused).sort()]).toEqual([
      'invoiced',
      'guest_count amendment_refused',
      'status amendment_refused',
    ])
    expect(await amend({ external_id, notes: 'x' })).toMatchObject({ status: 'updated' })
    expect(await amend({ external_id, status: 'cancelled' })).toMatchObject({
      status: 'updated',
      record_status: 'cancelled',
    })
    expect((await read(external_id)).cancelled_at).not.toBeNull()
    expect(await amend({ external_id, guest_count: 4 })).toMatchObject({ status: 'failed', reason: 'cancelled' })
    expect(await amend({ external_id, notes: 'y' })).toMatchObject({ status: 'updated' })
  })
  it('cancels an invoiced stay and changes its notes in one row, as two rows would', async () => {
    const invoiced = () => make({ status: 'confirmed', invoice_date: '2026-07-01', customer_external_id: 'C1' })
    const [together, apart] = [await invoiced(), await invoiced()]
    const notes = 'Cancelled by phone.'
    expect(await amend({ external_id: together.external_id, status: 'cancelled', notes })).toMatchObject({
      status: 'updated',
      record_status: 'cancelled',
      errors: [],
    })
    await amend({ external_id: apart.external_id, notes })
    await amend({ external_id: apart.external_id, status: 'cancelled' })
    const seen = async ({ external_id }: { external_id: string }) => {
      const { status, notes, invoiced, cancelled_at } = await read(external_id)
      return { status, notes, invoiced, cancelled: cancelled_at !== null }
    }
    expect(await seen(together)).toEqual({ status: 'cancelled', notes, invoiced: false, cancelled: true })
    expect(await seen(together)).toEqual(await seen(apart))
  })
  it('does not invoice without a customer, and warns', async () => {
    const outcome = await one(stay({ status: 'confirmed', invoice_date: '2026-07-01' }))
    expect(outcome.warnings.map(({ code }) => code)).toEqual(['not_invoiced'])
  })
  it('never moves a record to another company or branch', async () => {
    const row = await make()
    const { rows } = await importRows(cell, agency.key, 'hotel_stays', [row], {
      on_conflict: 'update',
      branch_id: agency.otherBranch,
    })
    expect(rows[0]).toMatchObject({
      status: 'unchanged',
      warnings: [{ field: 'branch_id', code: 'company_unchanged' }],
    })
  })
})

describe('amounts', () => {
  const amount = async (text: unknown, more: object = {}, currency = 'EUR') => {
    const row = stay({ currency, sell_lines: [line({ amount: text })] })
    const outcome = await one(row, more)
    return outcome.errors[0]?.code ?? (await read(row.external_id)).sell_lines[0]?.amount
  }
  it('are read as they are written, and never guessed', async () => {
    expect(await amount('1234.5')).toBe('1234.50')
    expect(await amount(1234.5)).toBe('invalid_money')
    expect(await amount('9,99')).toBe('invalid_money')
    expect(await amount('1,234.56')).toBe('invalid_money')
    expect(await amount('1.234')).toBe('1.23')
    expect(await amount('0.125')).toBe('0.13')
    expect(await amount('12.500')).toBe('12.50')
    expect(await amount('1.234', {}, 'KWD')).toBe('1.234')
    expect(await amount('1.234', { decimal_separator: '.' })).toBe('1.23')
    expect(await amount('1.234,56', { decimal_separator: ',' })).toBe('1234.56')
    expect(await amount('1234,5', { decimal_separator: ',' })).toBe('1234.50')
    expect(await amount('12.34,5', { decimal_separator: ',' })).toBe('invalid_money')
  })
  it('that may be thousands carry a warning, by the currency of the row', async () => {
    const warned = async (text: string, more = {}, currency = 'TRY') =>
      (await one(stay({ currency, sell_lines: [line({ amount: text })] }), more)).warnings.map(
        ({ field, code }) => `${field} ${code}`,
      )
    expect(await warned('12.500')).toEqual(['sell_lines[0].amount possible_thousands'])
    for (const text of ['0.125', '12.5000', '1234.567', '12.50']) expect(await warned(text)).toEqual([])
    expect(await warned('12.500', { decimal_separator: '.' })).toEqual([])
    expect(await warned('12.500', {}, 'KWD')).toEqual(['currency exchange_rate_missing'])
  })
})
