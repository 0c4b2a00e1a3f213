import { describe, expect, it } from 'vitest'
import { BLANK_DOCUMENT, BLANK_REFUND } from './formats/blank.ts'
import { inSale, priceOf, refundPriceOf } from './sale-price.ts'
import { type FileWarning, type Money, NO_FARE, type TicketDocument } from './ticket-file.ts'

const eur = (amount: string): Money => ({ currency: 'EUR', amount })
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
const priced = (more: Partial<TicketDocument>, currency = 'EUR', price: typeof priceOf = priceOf) => {
  const document = { ...DOCUMENT, ...more }
  const warnings: FileWarning[] = []
  return { warnings, ...price(document, currency, inSale(currency, document, warnings)) }
}

describe('the price of a document', () => {
  it('has the airline’s fees beside what is printed, or beside what an exchange costs', () => {
    const taxes = [
      { code: 'YR', amount: '60.00' },
      { code: 'OB', amount: '5.00' },
    ]
    expect(priced({})).toMatchObject({ base_fare: '200.00', taxes, total: '265' })
    const exchange = { originals: [], additionalCollection: eur('40.00'), residual: null, penalty: eur('25.00') }
    expect(priced({ exchange })).toMatchObject({ taxes, total: '45' })
  })
  it('of an exchange has the penalty once, and commission on the fare that was paid on top', () => {
    const exchange = { originals: [], additionalCollection: eur('185.00'), residual: null, penalty: eur('25.00') }
    const commission = { rate: '5', amount: null }
    expect(priced({ exchange, commission })).toMatchObject({ commission_rate: null, commission_amount: '5' })
    const even = { ...exchange, additionalCollection: eur('0') }
    expect(priced({ exchange: even, commission })).toMatchObject({ commission_rate: null, commission_amount: '0' })
    const untold = { ...exchange, additionalCollection: null }
    expect(priced({ exchange: untold, commission })).toMatchObject({
      taxes: expect.arrayContaining([{ code: 'CP', amount: '25.00' }]),
      total: '290',
      commission_rate: '5',
    })
  })
  it('has the mark-up on a nett fare as commission, and tells nobody the nett fare', () => {
    const netFare = { ...NO_FARE, total: eur('230.00') }
    expect(priced({ netFare })).toMatchObject({ commission_amount: '30', warnings: [] })
    const other = { ...NO_FARE, total: { currency: 'USD', amount: '230.00' } }
    expect(priced({ netFare: other })).toMatchObject({ commission_amount: null, warnings: [] })
  })
  it('has no amount of another currency than its sale, and none of its commission', () => {
    const commission = { rate: null, amount: '9.00' }
    expect(priced({ commission })).toMatchObject({ commission_amount: '9.00' })
    const foreign = priced({ commission }, 'USD')
    expect(foreign).toMatchObject({ base_fare: null, taxes: null, total: null, commission_amount: null })
    expect(foreign.warnings.map(({ code }) => code)).toContain('other_currency')
    const refund = { ...BLANK_REFUND, gross: eur('200.00'), commissionRecall: commission, total: eur('200.00') }
    expect(priced({ refund }, 'EUR', refundPriceOf)).toMatchObject({ total: '-200', commission_amount: '-9' })
    expect(priced({ refund }, 'USD', refundPriceOf)).toMatchObject({ total: null, commission_amount: null })
  })
})
