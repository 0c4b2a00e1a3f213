import { describe, expect, it } from 'vitest'
import { BLANK_DOCUMENT, BLANK_REFUND } from './formats/blank.ts'
import { inSale, passengerPriceOf, refundPriceOf, saleCurrencyOf } from './sale-price.ts'
import { type FileWarning, NO_FARE, type PrintedMoney, type TicketDocument } from './ticket-file.ts'

const eur = (amount: string): PrintedMoney => ({ currency: 'EUR', amount })
const tax = (code: string, amount: string) => ({ ...eur(amount), code, nature: null })
const DOCUMENT: TicketDocument = {
  ...BLANK_DOCUMENT,
  number: '2352400000001',
  kind: 'ticket',
  passenger: 0,
  airline: 'TK',
  fare: {
    ...NO_FARE,
    base: eur('200.00'),
    taxes: [tax('YR', '60.00')],
    fees: [tax('OB', '5.00')],
    total: eur('260.00'),
  },
}
type Price = (...args: Parameters<typeof passengerPriceOf>) => ReturnType<typeof passengerPriceOf>
const priced = (more: Partial<TicketDocument>, currency = 'EUR', price: Price = passengerPriceOf) => {
  const document = { ...DOCUMENT, ...more }
  const warnings: FileWarning[] = []
  return { warnings, ...price(document, currency, inSale(currency, document, warnings), warnings) }
}

describe('the price of a document', () => {
  it("adds the airline's fees to the printed total, or to the cost of an exchange", () => {
    const taxes = [
      { code: 'YR', amount: '60.00' },
      { code: 'OB', amount: '5.00' },
    ]
    expect(priced({})).toMatchObject({ base_fare: '200.00', taxes, total: '265' })
    const exchange = {
      originals: [],
      additionalCollection: eur('40.00'),
      fareDifference: null,
      residual: null,
      penalty: eur('25.00'),
    }
    expect(priced({ exchange })).toMatchObject({ taxes, total: '45' })
  })
  it('of an exchange includes the penalty once, and commission on the additional fare', () => {
    const exchange = {
      originals: [],
      additionalCollection: eur('185.00'),
      fareDifference: null,
      residual: null,
      penalty: eur('25.00'),
    }
    const commission = { rate: '5', amount: null }
    expect(priced({ exchange, commission })).toMatchObject({ commission_rate: null, commission_amount: '5' })
    const even = { ...exchange, additionalCollection: eur('0') }
    expect(priced({ exchange: even, commission })).toMatchObject({ commission_rate: null, commission_amount: '0' })
    const unprinted = { ...exchange, additionalCollection: null }
    expect(priced({ exchange: unprinted, commission })).toMatchObject({
      taxes: expect.arrayContaining([{ code: 'CP', amount: '25.00' }]),
      total: '290',
      commission_rate: '5',
    })
  })
  it('has the mark-up on a net fare as commission, and does not reveal the net fare', () => {
    const netFare = { ...NO_FARE, total: eur('230.00') }
    expect(priced({ netFare })).toMatchObject({ commission_amount: '30', warnings: [] })
    const other = { ...NO_FARE, total: { currency: 'USD', amount: '230.00' } }
    expect(priced({ netFare: other })).toMatchObject({ commission_amount: null, warnings: [] })
  })
  it('has no amount in another currency than its sale, and no commission on one', () => {
    const commission = { rate: null, amount: '9.00' }
    expect(priced({ commission })).toMatchObject({ commission_amount: '9.00' })
    const foreign = priced({ commission }, 'USD')
    expect(foreign).toMatchObject({
      base_fare_currency: 'EUR',
      equivalent_fare: null,
      taxes: null,
      total: null,
      commission_amount: null,
    })
    expect(foreign.warnings.map(({ code }) => code)).toContain('other_currency')
    const refund = { ...BLANK_REFUND, gross: eur('200.00'), commissionRecall: commission, total: eur('200.00') }
    expect(priced({ refund }, 'EUR', refundPriceOf)).toMatchObject({ total: '-200', commission_amount: '-9' })
    expect(priced({ refund }, 'USD', refundPriceOf)).toMatchObject({ total: null, commission_amount: null })
  })
})

describe('the currency of a sale', () => {
  const usd = { currency: 'USD', amount: '1.00' }
  const exchange = { originals: [], additionalCollection: usd, fareDifference: null, residual: null, penalty: null }
  it.each<[string, Partial<TicketDocument>]>([
    ['total', { fare: { ...NO_FARE, base: eur('1'), total: usd }, refund: { ...BLANK_REFUND, total: eur('1') } }],
    ['collection of an exchange', { fare: { ...NO_FARE, base: eur('1'), equivalent: eur('1') }, exchange }],
    ['refund', { fare: { ...NO_FARE, equivalent: eur('1') }, refund: { ...BLANK_REFUND, total: usd } }],
    ['equivalent fare', { fare: { ...NO_FARE, base: eur('1'), equivalent: usd, taxes: [tax('YR', '1')] } }],
    ['first tax', { fare: { ...NO_FARE, base: eur('1'), taxes: [{ ...tax('YR', '1'), currency: 'USD' }] } }],
    ['base fare', { fare: { ...NO_FARE, base: usd }, refund: { ...BLANK_REFUND, gross: eur('1') } }],
    ['gross refund', { fare: NO_FARE, refund: { ...BLANK_REFUND, gross: usd } }],
  ])('is that of the %s if nothing nearer to the total is printed', (_, more) => {
    expect(saleCurrencyOf({ ...DOCUMENT, exchange: null, refund: null, ...more })).toBe('USD')
  })
  it('is unknown if no amount is printed', () => {
    expect(saleCurrencyOf({ ...DOCUMENT, fare: NO_FARE, exchange: null, refund: null })).toBeNull()
  })
})

describe('the price of a document with missing amounts', () => {
  it('has no total, fare or taxes if none is printed', () => {
    expect(priced({ fare: NO_FARE })).toEqual({
      warnings: [],
      base_fare: null,
      base_fare_currency: null,
      equivalent_fare: null,
      taxes: null,
      total: null,
      commission_rate: null,
      commission_amount: null,
    })
  })
  it('has the fare as filed, with its currency if that is valid', () => {
    const filed = { currency: 'USD', amount: '220.00' }
    const fare = { ...DOCUMENT.fare, base: filed }
    expect(priced({ fare })).toMatchObject({ base_fare: '220.00', base_fare_currency: 'USD', equivalent_fare: null })
    const unknown = { ...fare, base: { currency: 'AH', amount: '220.00' } }
    expect(priced({ fare: unknown })).toMatchObject({ base_fare: null, base_fare_currency: null })
    const both = priced({ fare: { ...fare, equivalent: eur('200.00') } })
    expect(both).toMatchObject({ base_fare: '220.00', equivalent_fare: '200.00' })
  })
  it('warns which amount of which sale was left out, and truncates tax codes', () => {
    const fare = { ...DOCUMENT.fare, taxes: [{ ...tax('YR', '60.00'), currency: 'USD' }, tax('ABCDEFGHIJKL', '1.00')] }
    const price = priced({ fare })
    expect(price.warnings).toEqual([
      { code: 'other_currency', message: expect.stringMatching(/2352400000001.*USD 60.00.*EUR/) },
    ])
    expect(price).toMatchObject({
      taxes: [
        { code: 'ABCDEFGHIJ', amount: '1.00' },
        { code: 'OB', amount: '5.00' },
      ],
    })
  })
  it.each([
    ['100', '100'],
    ['100.01', null],
    [null, null],
    ['0', '0'],
  ])('reads a commission of %s percent as %s', (rate, taken) => {
    expect(priced({ commission: { rate, amount: null } })).toMatchObject({ commission_rate: taken })
  })
  it('has a mark-up only if there is a total and no commission rate', () => {
    const netFare = { ...NO_FARE, total: eur('230.00') }
    expect(priced({ netFare, fare: { ...DOCUMENT.fare, total: null } })).toMatchObject({ commission_amount: null })
    expect(priced({ netFare, commission: { rate: '5', amount: null } })).toMatchObject({
      commission_rate: '5',
      commission_amount: null,
    })
    expect(priced({ netFare: NO_FARE })).toMatchObject({ commission_amount: null })
  })
})

describe('the price of a refund', () => {
  const refunded = (refund: Partial<typeof BLANK_REFUND>, more: Partial<TicketDocument> = {}) =>
    priced({ ...more, refund: { ...BLANK_REFUND, ...refund } }, 'EUR', refundPriceOf)

  it('refunds the fare and its taxes, keeps the penalties, and returns the commission', () => {
    expect(
      refunded({
        gross: eur('200.00'),
        refundable: eur('150.00'),
        taxes: [tax('YR', '60.00')],
        taxTotal: eur('61.00'),
        penalty: eur('25.00'),
        otherFees: eur('3.00'),
        total: eur('182.00'),
        commissionRecall: { rate: '5', amount: '7.50' },
      }),
    ).toEqual({
      warnings: [],
      base_fare: '-150',
      taxes: [
        { code: 'YR', amount: '-60' },
        { code: 'CP', amount: '25.00' },
        { code: 'CP', amount: '3.00' },
      ],
      total: '-182',
      commission_amount: '-7.5',
      commission_rate: null,
    })
  })
  it('has the gross fare, the sum of taxes and the commission rate if nothing nearer is printed', () => {
    const commissionRecall = { rate: '5', amount: null }
    expect(refunded({ gross: eur('200.00'), taxTotal: eur('61.00'), commissionRecall })).toMatchObject({
      base_fare: '-200',
      taxes: [{ code: 'XT', amount: '-61' }],
      total: null,
      commission_amount: null,
      commission_rate: '5',
    })
  })
  it.each([
    ['told of nothing', BLANK_REFUND],
    ['told of not at all', null],
  ])('is unknown if it is %s', (_, refund) => {
    expect(priced({ refund }, 'EUR', refundPriceOf)).toEqual({
      warnings: [],
      base_fare: null,
      taxes: null,
      total: null,
      commission_amount: null,
      commission_rate: null,
    })
  })
})
