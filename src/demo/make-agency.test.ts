import { describe, expect, it } from 'vitest'
import { missing } from '../catalogue/read-cells.ts'
import { readRows } from '../imports/draft.ts'
import { importables } from '../registry.ts'
import { addDirt } from './add-dirt.ts'
import { makeAgency } from './make-agency.ts'

const SIZE = { customers: 600, suppliers: 60, stays: 800, today: '2026-09-15' }
const CONTEXT = { decimalSeparator: null, country: 'TR', currency: 'TRY' } as const

describe('the generated agency', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(makeAgency({ seed: 7, ...SIZE })).toEqual(makeAgency({ seed: 7, ...SIZE }))
    expect(makeAgency({ seed: 7, ...SIZE })).not.toEqual(makeAgency({ seed: 8, ...SIZE }))
  })
  it.each(importables.map(({ entity }) => [entity.key, entity] as const))(
    'has %s that read without an issue, tax numbers included',
    (key, entity) => {
      for (const seed of [1, 2, 3]) {
        const rows = makeAgency({ seed, ...SIZE })[key as 'customers']
        const { drafts, ignored } = readRows(entity, rows, new Set(), CONTEXT)
        expect(ignored).toEqual([])
        expect(
          drafts.flatMap(({ errors, warnings, given }) =>
            [...errors, ...warnings].map((issue) => ({ ...issue, given })),
          ),
        ).toEqual([])
      }
    },
  )
  it('has stays that name customers and suppliers of the agency', () => {
    const { customers, suppliers, hotel_stays } = makeAgency({ seed: 5, ...SIZE })
    const known = new Set(
      [...customers, ...suppliers].flatMap(({ external_id, email, code }) => [external_id, email, code]),
    )
    for (const stay of hotel_stays)
      expect([known.has(stay.customer_external_id), known.has(stay.supplier_external_id)]).toEqual([true, true])
  })
})

describe('its dirt', () => {
  it('makes as many rows fail as it says, for the reasons that it says', () => {
    const agency = makeAgency({ seed: 5, ...SIZE })
    const dirty = addDirt(agency, 5)
    for (const { entity } of importables) {
      const key = entity.key as 'customers'
      const { drafts } = readRows(entity, dirty.agency[key], new Set(), CONTEXT)
      const failed = drafts.filter(
        ({ errors, given }) => [...errors, ...missing(entity.fields, given, errors), ...entity.check(given)].length > 0,
      )
      const planted = Object.entries(dirty.failing[key]).reduce((sum, [, count]) => sum + count, 0)
      expect([key, failed.length]).toEqual([key, planted])
    }
  })
})
