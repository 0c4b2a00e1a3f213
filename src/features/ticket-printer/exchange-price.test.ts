import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencyDigits, type Fixed, fixed, percentOf, print } from '../../platform/money.ts'
import { ticketLines } from '../bookings/verticals/tickets/ticket-lines.ts'
import { BLANK_DOCUMENT } from './formats/blank.ts'
import { inSale, passengerPriceOf } from './sale-price.ts'
import { type Fare, type FileWarning, NO_FARE, type PrintedMoney, type TicketDocument } from './ticket-file.ts'

const CURRENCY = 'TRY'
const cents = fc.integer({ min: 0, max: 9_999_99 })
const money = (amount: number): PrintedMoney => ({ currency: CURRENCY, amount: (amount / 100).toFixed(2) })
const CODES = ['YR', 'TR', 'GB', 'XT']
const taxList = fc
  .uniqueArray(fc.constantFrom(...CODES), { maxLength: 4 })
  .chain((codes) => fc.tuple(...codes.map((code) => cents.map((amount) => ({ code, nature: null, ...money(amount) })))))
const fares: fc.Arbitrary<Fare> = fc.record({
  base: cents.map(money),
  equivalent: fc.constant(null),
  rate: fc.constant(null),
  taxes: taxList,
  paidTaxes: taxList,
  exempt: fc.constant([]),
  fees: taxList.map((fees) => fees.slice(0, 1)),
  total: fc.option(cents.map(money)),
})
const percents = fc.integer({ min: 0, max: 9999 }).map((rate) => (rate / 100).toFixed(2))
const exchanges: fc.Arbitrary<TicketDocument> = fc
  .record({
    fare: fares,
    netFare: fc.option(fares),
    commission: fc.option(
      fc.oneof(
        percents.map((rate) => ({ rate, amount: null })),
        cents.map((amount) => ({ rate: null, amount: money(amount).amount })),
      ),
    ),
    exchange: fc.record({
      originals: fc.constant([{ number: '2352400000001', coupons: '12' }]),
      additionalCollection: fc.option(cents.map(money)),
      fareDifference: fc.option(cents.map(money)),
      residual: fc.option(cents.map(money)),
      penalty: fc.option(cents.map(money)),
    }),
  })
  .map((drawn) => ({ ...BLANK_DOCUMENT, number: '2352400000002', kind: 'ticket', passenger: 0, ...drawn }))

function marginOf(document: TicketDocument): Fixed {
  const warnings: FileWarning[] = []
  const passenger = passengerPriceOf(document, CURRENCY, inSale(CURRENCY, document, warnings), warnings)
  const { sell, cost } = ticketLines({ currency: CURRENCY, passengers: [passenger] })
  const sum = (lines: typeof sell) => lines.reduce((total, { amount }) => total + fixed(amount), 0n)
  return sum(sell) - sum(cost)
}
const atLeastZero = (amount: Fixed) => (amount > 0n ? amount : 0n)

describe('the margin of an exchange', () => {
  it('is zero without a commission and a net fare, and never below zero', () => {
    fc.assert(
      fc.property(exchanges, (document) => {
        expect(marginOf(document) >= 0n).toBe(true)
        expect(marginOf({ ...document, commission: null, netFare: null })).toBe(0n)
      }),
    )
  })
  it('is the excess of the selling fare over the net fare, if both refer to the same part of the document', () => {
    fc.assert(
      fc.property(exchanges, cents, fc.boolean(), (document, owed, isKnown) => {
        const { fare } = document
        const exchange = document.exchange && {
          ...document.exchange,
          additionalCollection: isKnown ? fare.total : null,
        }
        const netFare = { ...fare, total: money(owed) }
        const sold = fare.total ? fixed(fare.total.amount) : null
        const own = sold === null ? 0n : atLeastZero(sold - fixed(netFare.total.amount))
        expect(marginOf({ ...document, commission: null, netFare, exchange })).toBe(own)
      }),
    )
  })
  it('is zero if the net fare refers to the whole document and only part of it was collected', () => {
    fc.assert(
      fc.property(exchanges, cents, cents, (document, collected, more) => {
        const paidTaxes = [{ code: 'YR', nature: null, ...money(100) }]
        const fare = { ...document.fare, paidTaxes, total: money(collected) }
        const netFare = { ...fare, paidTaxes: [], taxes: paidTaxes, total: money(collected + more) }
        const exchange = document.exchange && { ...document.exchange, additionalCollection: money(collected) }
        expect(marginOf({ ...document, commission: null, fare, netFare, exchange })).toBe(0n)
      }),
    )
  })
  it('applies the commission rate to the balance of fares, if the file prints one', () => {
    fc.assert(
      fc.property(exchanges, cents, cents, percents, (document, collected, balance, rate) => {
        const exchange = document.exchange && {
          ...document.exchange,
          additionalCollection: money(collected),
          fareDifference: money(balance),
        }
        const due = percentOf(fixed(money(balance).amount), fixed(rate), currencyDigits(CURRENCY))
        expect(marginOf({ ...document, commission: { rate, amount: null }, exchange })).toBe(due)
      }),
    )
  })
  it('applies the rate to the amount beyond penalty and new taxes, if the taxes already paid are listed', () => {
    fc.assert(
      fc.property(cents, cents, taxList, taxList, percents, (fareDue, penalty, fresh, old, rate) => {
        const codes = new Set(fresh.map(({ code }) => code))
        const paidTaxes = old.filter(({ code }) => !codes.has(code))
        const sum = fresh.reduce((total, { amount }) => total + fixed(amount), 0n)
        const collected = fixed(money(fareDue).amount) + fixed(money(penalty).amount) + sum
        const printed = { currency: CURRENCY, amount: print(collected) }
        const all = [...fresh, ...paidTaxes]
        const newFare = { ...NO_FARE, base: money(99_999), total: printed, paidTaxes }
        const document = (taxes: Fare['taxes']): TicketDocument => ({
          ...BLANK_DOCUMENT,
          number: '2352400000002',
          kind: 'ticket',
          passenger: 0,
          fare: { ...newFare, taxes },
          commission: { rate, amount: null },
          exchange: {
            originals: [],
            additionalCollection: printed,
            fareDifference: null,
            residual: null,
            penalty: money(penalty),
          },
        })
        const due = percentOf(fixed(money(fareDue).amount), fixed(rate), currencyDigits(CURRENCY))
        expect(marginOf(document(fresh))).toBe(due)
        expect(marginOf(document(all))).toBe(due)
      }),
    )
  })
})
