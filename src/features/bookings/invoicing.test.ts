import { describe, expect, it } from 'vitest'
import { invoicing, notInvoiced } from './invoicing.ts'

const BOOKING = {
  status: 'confirmed',
  invoice_date: '2026-05-01',
  customer_id: 'c',
  supplier_id: 's',
  cost_total: '100.00',
}
/** The state of a booking, and the cells that are warned of. */
const of = (more: object) => {
  const booking = { ...BOOKING, ...more }
  const state = invoicing(booking)
  const warnings = notInvoiced(state, booking)
  for (const warning of warnings)
    expect(warning).toMatchObject({ code: 'not_invoiced', message: expect.stringMatching(/^The .*\.$/) })
  return [state, ...warnings.map(({ at }) => at)]
}

describe('a booking', () => {
  it('is invoiced once it is sold, has an invoice date and somebody to invoice', () => {
    expect(of({})).toEqual(['invoiced'])
    expect([of({ status: 'draft' }), of({ invoice_date: null })]).toEqual([['open'], ['open']])
  })
  it('does not happen without a customer, and warns', () => {
    expect(of({ customer_id: null })).toEqual(['no_customer', 'customer_external_id'])
    expect(of({ customer_id: null, status: 'draft' })).toEqual(['open'])
  })
  it('warns if its cost, known or not, has no supplier bill', () => {
    const unbilled = ['invoiced', 'supplier_external_id']
    expect([of({ supplier_id: null }), of({ supplier_id: null, cost_total: null })]).toEqual([unbilled, unbilled])
    expect(of({ supplier_id: null, cost_total: '0.00' })).toEqual(['invoiced'])
    expect(of({ supplier_id: null, status: 'draft' })).toEqual(['open'])
  })
})
