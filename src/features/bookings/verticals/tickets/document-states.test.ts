import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Values } from '../../../../catalogue/read-cells.ts'
import { followsDocuments, statusOfSale } from './document-states.ts'

const STATUSES = ['open', 'void', 'refunded', 'exchanged'] as const
const passenger = (document_status: string | null, ticket_number: string | null = '2352400000001'): Values => ({
  ticket_number,
  document_status,
})
const sale = fc.array(fc.constantFrom(...STATUSES), { minLength: 1, maxLength: 4 })
const state = (statuses: readonly (string | null)[], base = 'issued') =>
  statusOfSale(
    statuses.map((status) => passenger(status)),
    base,
  )

describe('the state of a sale', () => {
  it.each<[string, readonly string[]]>([
    ['issued', ['open', 'open']],
    ['void', ['void', 'void']],
    ['partly_voided', ['void', 'open']],
    ['refunded', ['refunded', 'refunded']],
    ['exchanged', ['exchanged', 'exchanged']],
    ['refunded', ['exchanged', 'refunded']],
    ['refunded', ['refunded', 'void']],
    ['exchanged', ['exchanged', 'void']],
    ['issued', ['open', 'refunded']],
    ['issued', ['open', 'exchanged']],
    ['partly_voided', ['open', 'exchanged', 'void']],
  ])('is %s if the documents are %j', (expected, statuses) => {
    expect(state(statuses)).toBe(expected)
  })
  it('does not depend on the order of passengers, and is unchanged while all documents are valid', () => {
    fc.assert(
      fc.property(sale, fc.constantFrom('draft', 'option', 'issued'), (statuses, base) => {
        expect(state(statuses.toReversed(), base)).toBe(state(statuses, base))
        expect(state([...statuses, null], base)).toBe(state([...statuses, 'open'], base))
        if (statuses.every((status) => status === 'open')) expect(state(statuses, base)).toBe(base)
      }),
    )
  })
  it('ignores passengers without a document', () => {
    fc.assert(
      fc.property(sale, fc.constantFrom(...STATUSES), (statuses, other) => {
        const passengers = [passenger(other, null), ...statuses.map((status) => passenger(status))]
        expect(statusOfSale(passengers, 'issued')).toBe(state(statuses))
      }),
    )
    expect([statusOfSale([], 'draft'), statusOfSale([passenger('void', null)], 'draft')]).toEqual(['draft', 'draft'])
  })
  it('is derived only from documents', () => {
    const followed = ['draft', 'option', 'issued', 'partly_voided', 'void', 'refunded', 'exchanged', 'cancelled']
    expect(followed.filter(followsDocuments)).toEqual(['partly_voided', 'void', 'refunded', 'exchanged'])
  })
})
