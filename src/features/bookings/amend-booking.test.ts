import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Issue } from '../../catalogue/kind.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import type { RowContext, Stored } from '../../imports/importable.ts'
import { ALL_POLICIES } from '../../platform/access/policies.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { hotelStays } from './verticals/hotel-stays.entity.ts'

const NOW = '2026-05-01T10:00:00.000000Z'
const CONTEXT: RowContext = { currency: 'TRY', today: '2026-05-01', timeZone: 'UTC', now: NOW, policies: ALL_POLICIES }
/** The table of the decision record, written independently of the code. */
const MOVES: Readonly<Record<string, readonly string[]>> = {
  draft: ['option', 'confirmed', 'cancelled'],
  option: ['draft', 'confirmed', 'cancelled'],
  confirmed: ['in_house', 'cancelled', 'no_show'],
  in_house: ['checked_out', 'cancelled'],
  checked_out: [],
  cancelled: [],
  no_show: [],
}
const STATES = Object.keys(MOVES)
const OPEN = STATES.filter((state) => state !== 'cancelled')
const FIRM = ['confirmed', 'in_house', 'checked_out', 'no_show']
const line = (more: Values = {}): Values => ({
  kind: 'service_fee',
  amount: '25',
  label: null,
  currency: 'EUR',
  vat_rate: '20',
  tax_inclusive: true,
  quantity: 1,
  origin: 'given',
  ...more,
})
const room = (more: Values = {}): Values => ({
  name: 'Double',
  room_type: null,
  capacity: 2,
  occupancy: 2,
  nightly_rate: '180',
  single_supplement_amount: null,
  single_supplement_currency: null,
  ...more,
})
const stored = (more: Values = {}): Stored => ({
  id: 'a',
  status: 'draft',
  invoiced: false,
  currency: 'EUR',
  customer_id: null,
  supplier_id: 's',
  sell_total: '745.00',
  cost_total: '560.50',
  invoice_date: null,
  transaction_date: '2026-03-02',
  rate_basis: null,
  margin_mode: null,
  margin_value: null,
  notes: null,
  rooms: [room()],
  sell_lines: [line(), line({ kind: 'room_rate', amount: '180', vat_rate: null, quantity: 4, origin: 'room' })],
  cost_lines: [line({ kind: 'room_rate', amount: '140.125', vat_rate: '10', quantity: 4 })],
  ...more,
})
const NO_LOOK_UPS = {} as AccountTx
const rules = await hotelStays.rules?.(NO_LOOK_UPS, [], { ...CONTEXT, source: 'api' })
const amend = (record: Stored, given: Values) => {
  if (!rules?.amend) throw new Error('hotel stays are amended')
  return { errors: [], warnings: [], ...rules.amend(record, given) }
}
/** Each has a message for the sender of the row. */
const summaryOf = (issues: readonly Issue[]) =>
  issues.map(({ at, code, message }) => {
    expect(message).toMatch(/^[A-Z].*\.$/)
    return `${at} ${code}`
  })
const errors = ({ errors }: ReturnType<typeof amend>) => summaryOf(errors)
const warnings = ({ warnings }: ReturnType<typeof amend>) => summaryOf(warnings)

/** What a row may change besides price and status, each different from the stored value. */
const PLAIN: Values = {
  notes: 'New notes.',
  guest_count: 3,
  option_date: '2026-06-01',
  balance_due_on: '2026-06-01',
  customer_id: 'c',
  supplier_id: 's',
  assigned_to_id: 'x',
  travelers: [{ first_name: 'Ayşe' }],
}
const PRICES: Values = {
  currency: 'USD',
  rate_basis: 'net',
  margin_mode: 'percent',
  margin_value: '12.5',
  sell_lines: [line({ amount: '26' })],
  cost_lines: [],
  rooms: [room({ nightly_rate: '181' })],
}
const some = (cells: Values) => fc.subarray(Object.keys(cells)).map((names) => pick(cells, names))
const pick = (cells: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, cells[name]]))

describe('the state of a stay', () => {
  it('has every state that the entity declares', () => {
    expect([...hotelStays.entity.statuses].toSorted()).toEqual(STATES.toSorted())
  })
  const pairs = OPEN.flatMap((from) => STATES.filter((to) => to !== from).map((to) => [from, to] as const))
  it.each(pairs)('moves from %s to %s as declared, or is refused with the allowed moves', (from, to) => {
    const amendment = amend(stored({ status: from }), { status: to })
    const allowed = MOVES[from] ?? []
    if (allowed.includes(to)) {
      expect(errors(amendment)).toEqual([])
      expect(amendment.changes).toMatchObject({ status: to })
      expect(amendment.changes.cancelled_at).toBe(to === 'cancelled' ? NOW : undefined)
    } else {
      expect(amendment.errors).toMatchObject([{ at: 'status', code: 'invalid_transition', allowed }])
    }
  })
  it('is never left once it is cancelled', () => {
    for (const to of OPEN) {
      const amendment = amend(stored({ status: 'cancelled' }), { status: to })
      expect(errors(amendment)).toEqual(['status amendment_refused'])
      expect(amendment.reason).toBe('cancelled')
    }
  })
})

describe('an invoiced or cancelled stay', () => {
  const lock = fc.oneof(
    fc.constantFrom(...FIRM).map((status) => ['invoiced', stored({ status, invoiced: true })] as const),
    fc.boolean().map((invoiced) => ['cancelled', stored({ status: 'cancelled', invoiced })] as const),
  )
  it('takes notes alone, and refuses each other change of a row, which is refused as a whole', () => {
    const cells = fc.oneof(some(PLAIN), some({ ...PLAIN, ...PRICES, status: 'option', check_in_on: '2026-08-01' }))
    fc.assert(
      fc.property(lock, cells, ([reason, record], given) => {
        const amendment = amend(record, given)
        const refused = Object.keys(given).filter((name) => name !== 'notes')
        expect(amendment.errors.map(({ code }) => code)).toEqual(refused.map(() => 'amendment_refused'))
        expect(amendment.reason).toBe(refused.length > 0 ? reason : undefined)
        if (refused.length === 0) expect(amendment.changes).toEqual(given)
        expect(amend(record, { notes: 'x' })).toEqual({ changes: { notes: 'x' }, errors: [], warnings: [] })
      }),
    )
  })
  it('is not cancelled again', () => {
    const amendment = amend(stored({ status: 'cancelled' }), { status: 'cancelled' })
    expect([errors(amendment), amendment.reason]).toEqual([['status amendment_refused'], 'cancelled'])
  })
  it('is not changed by the price that it has', () => {
    fc.assert(
      fc.property(lock, ([, record]) => {
        const { sell_lines, cost_lines } = record
        const amendment = amend(record, { sell_lines, cost_lines, currency: null, transaction_date: null })
        expect(amendment).toEqual({ changes: {}, errors: [], warnings: [] })
      }),
    )
  })
  it('is cancelled by a row that changes nothing else but notes, where the table has the move, and is invoiced no longer', () => {
    for (const status of FIRM) {
      const record = stored({ status, invoiced: true, invoice_date: '2026-04-01', customer_id: 'c' })
      const alone = amend(record, { status: 'cancelled', sell_lines: record.sell_lines })
      const noted = amend(record, { status: 'cancelled', notes: 'Cancelled by phone.' })
      const cancelled = { status: 'cancelled', cancelled_at: NOW, invoiced: false }
      if (MOVES[status]?.includes('cancelled')) {
        expect(alone).toEqual({ changes: cancelled, errors: [], warnings: [] })
        expect(noted).toEqual({ ...alone, changes: { ...cancelled, notes: 'Cancelled by phone.' } })
      } else for (const amendment of [alone, noted]) expect(errors(amendment)).toEqual(['status invalid_transition'])
      for (const name of Object.keys(PLAIN).filter((name) => name !== 'notes')) {
        const amendment = amend(record, { status: 'cancelled', [name]: PLAIN[name] })
        expect(amendment.errors.map(({ code }) => code)).toContain('amendment_refused')
      }
    }
  })
  it('names the cell of the row that is refused, not the column that the cell fills', () => {
    const record = stored({ status: 'confirmed', invoiced: true })
    expect(errors(amend(record, { customer_id: 'c', supplier_id: 's', assigned_to_id: 'x' })).toSorted()).toEqual([
      'assigned_to_email amendment_refused',
      'customer_external_id amendment_refused',
      'supplier_external_id amendment_refused',
    ])
  })
})

describe('an open stay', () => {
  it('takes every change but the price, and one change of price refuses the row as a whole', () => {
    const open = fc.constantFrom(...OPEN).map((status) => stored({ status }))
    fc.assert(
      fc.property(open, some(PLAIN), some(PRICES), (record, plain, prices) => {
        const amendment = amend(record, { ...plain, ...prices })
        expect(errors(amendment).toSorted()).toEqual(
          Object.keys(prices)
            .map((name) => `${name} pricing_not_amendable`)
            .toSorted(),
        )
        if (Object.keys(prices).length === 0) expect(amendment.changes).toMatchObject(plain)
      }),
    )
  })
  it('reports a refused move beside a refused price', () => {
    expect(errors(amend(stored(), { status: 'no_show', currency: 'USD' }))).toEqual([
      'currency pricing_not_amendable',
      'status invalid_transition',
    ])
  })
  it('is unchanged by an empty row, and by clearing fields with a default', () => {
    for (const given of [{}, { currency: null }, { transaction_date: null, currency: null }])
      expect(amend(stored(), given)).toEqual({ changes: {}, errors: [], warnings: [] })
  })
  it('keeps its price when its dates change, with a warning for each', () => {
    const dates: Values = { check_in_on: '2026-08-01', check_out_on: '2026-08-09', transaction_date: '2026-04-01' }
    fc.assert(
      fc.property(some(dates), some(PLAIN), (moved, plain) => {
        const amendment = amend(stored(), { ...moved, ...plain })
        expect(errors(amendment)).toEqual([])
        expect(warnings(amendment).toSorted()).toEqual(
          Object.keys(moved)
            .map((name) => `${name} price_not_recalculated`)
            .toSorted(),
        )
        const names = Object.keys(amendment.changes).filter((name) => !['invoiced', 'travels_on'].includes(name))
        expect(amendment.changes.travels_on).toBe(moved.check_in_on)
        expect(names.toSorted()).toEqual([...Object.keys(moved), ...Object.keys(plain)].toSorted())
      }),
    )
  })
  it('is invoiced once it is firm and has an invoice date and a customer, whichever comes last', () => {
    const need: Values = { status: 'confirmed', invoice_date: '2026-05-01', customer_id: 'c' }
    fc.assert(
      fc.property(fc.subarray(Object.keys(need)), fc.subarray(Object.keys(need)), (before, now) => {
        const later = now.filter((name) => !before.includes(name))
        const has = (name: string) => before.includes(name) || later.includes(name)
        const amendment = amend(stored({ status: 'draft', ...pick(need, before) }), {
          guest_count: 3,
          ...pick(need, later),
        })
        expect(amendment.changes.invoiced).toBe(Object.keys(need).every(has))
        const lacksCustomer = has('status') && has('invoice_date') && !has('customer_id')
        expect(warnings(amendment)).toEqual(lacksCustomer ? ['customer_external_id not_invoiced'] : [])
      }),
    )
  })
})

describe('the same price', () => {
  const amount = fc
    .tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 1, max: 9999 }))
    .map(([whole, rest]) => `${whole}.${String(rest).padStart(4, '0')}`.replace(/0+$/, ''))
  const lines = fc.array(
    fc
      .record({
        kind: fc.constantFrom('room_rate', 'service_fee'),
        amount,
        label: fc.option(fc.constant('Handling')),
        currency: fc.constantFrom('EUR', 'USD', 'JPY'),
        vat_rate: fc.option(fc.constantFrom('0', '10', '7.5')),
        tax_inclusive: fc.boolean(),
        quantity: fc.integer({ min: 0, max: 9 }),
        origin: fc.constantFrom('given', 'room', 'derived'),
      })
      .map((cells): Values => cells),
    { maxLength: 4 },
  )
  const unoriginal = (line: Values): Values => ({ ...line, origin: undefined })
  const DIGITS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0 }
  /** As a record shows it: rounded half away from zero to its currency's digits. */
  const shown = (line: Values): Values => {
    const [whole = '0', rest = ''] = String(line.amount).split('.')
    const unit = 10n ** BigInt(4 - (DIGITS[String(line.currency)] ?? 2))
    const value = BigInt(whole + rest.padEnd(4, '0'))
    const rounded = String(((2n * value + unit) / (2n * unit)) * unit).padStart(5, '0')
    const text = `${rounded.slice(0, -4)}.${rounded.slice(-4)}`.replace(/\.?0+$/, '')
    return { ...unoriginal(line), amount: text === '' ? '0' : text }
  }
  it('is not a change, whether sent as the given lines, all lines, or the shown lines', () => {
    fc.assert(
      fc.property(lines, fc.constantFrom('sell_lines', 'cost_lines'), (all, name) => {
        const record = stored({ [name]: all })
        const given = all.filter(({ origin }) => origin === 'given').map(unoriginal)
        for (const sent of [given, all.map(unoriginal), all.map(shown)])
          expect(amend(record, { [name]: sent })).toEqual({ changes: {}, errors: [], warnings: [] })
      }),
    )
  })
  it('is not a change if a line omits the booking’s currency', () => {
    fc.assert(
      fc.property(lines, (all) => {
        const sent = all.map((line) => ({ ...line, currency: line.currency === 'EUR' ? null : line.currency }))
        expect(errors(amend(stored({ sell_lines: all }), { sell_lines: sent }))).toEqual([])
      }),
    )
  })
  it('is another with any cell of any given line changed, a line more, a line less, or in another order', () => {
    const other: Values = {
      kind: 'other',
      amount: '87654321',
      label: 'Other',
      currency: 'GBP',
      vat_rate: '99',
      tax_inclusive: null,
      quantity: 10,
    }
    const given = lines.map((all) => all.map((line) => ({ ...line, origin: 'given' }))).filter((all) => all.length > 0)
    fc.assert(
      fc.property(given, fc.nat(), fc.constantFrom(...Object.keys(other)), (all, place, cell) => {
        const at = place % all.length
        const changed = all.with(at, { ...(all[at] as Values), [cell]: other[cell] } as (typeof all)[number])
        for (const sent of [changed, all.toSpliced(at, 1), [...all, line({ amount: '87654321' })]])
          expect(errors(amend(stored({ sell_lines: all }), { sell_lines: sent }))).toEqual([
            'sell_lines pricing_not_amendable',
          ])
      }),
    )
  })
  it('stays when rooms change in other fields, or rooms without a price are added or removed', () => {
    const free = room({ name: 'Free', nightly_rate: null })
    for (const rooms of [
      [room({ name: 'Suite', occupancy: 1, capacity: null, room_type: 'suite' })],
      [room(), free],
      [free, room()],
      [room({ nightly_rate: '180.001' })],
    ])
      expect(errors(amend(stored(), { rooms }))).toEqual([])
    expect(errors(amend(stored({ rooms: [free] }), { rooms: null }))).toEqual([])
  })
  it('is another with other rates, supplements or currencies of rooms', () => {
    for (const rooms of [
      [room({ nightly_rate: '180.01' })],
      [room({ nightly_rate: null })],
      [room({ single_supplement_amount: '1' })],
      [room(), room()],
      [],
      null,
    ])
      expect(errors(amend(stored(), { rooms }))).toEqual(['rooms pricing_not_amendable'])
  })
  it('stands where a supplement names the currency that it had anyway, the booking’s', () => {
    const supplement = room({ occupancy: 1, single_supplement_amount: '20' })
    const named = { ...supplement, single_supplement_currency: 'EUR' }
    expect(errors(amend(stored({ rooms: [supplement] }), { rooms: [named] }))).toEqual([])
    expect(errors(amend(stored({ rooms: [named] }), { rooms: [supplement] }))).toEqual([])
    const foreign = { ...supplement, single_supplement_currency: 'USD' }
    expect(errors(amend(stored({ rooms: [supplement] }), { rooms: [foreign] }))).toEqual([
      'rooms pricing_not_amendable',
    ])
  })
})
