import { describe, expect, it } from 'vitest'
import { entities } from '../../registry.ts'
import { VERTICALS } from './booking-services.ts'
import { segmentStatus } from './segment-status.ts'

/** What is no draft, in words of its own. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  draft: ['draft', 'lead', 'planning', 'requested'],
  proposed: ['quoted'],
  option: ['option'],
  confirmed: [
    'confirmed',
    'contracted',
    'in_house',
    'checked_out',
    'in_progress',
    'out',
    'returned',
    'sailing',
    'operating',
    'completed',
  ],
  ticketed: ['issued', 'partly_voided'],
  cancelled: ['cancelled', 'void', 'refunded', 'exchanged', 'no_show'],
}
const verticals = entities.flatMap(({ entity }) => (entity.base?.table === 'bookings' ? [entity] : []))

describe('the state of a segment', () => {
  it.each(Object.entries(EXPECTED))('is %s for these', (status, ofBookings) => {
    expect(new Set(ofBookings.map(segmentStatus))).toEqual(new Set([status]))
  })
  it('is known for every state of a booking that has segments', () => {
    const known = Object.values(EXPECTED).flat()
    const unknown = verticals
      .filter(({ key }) => key !== 'visa_cases') // which has none
      .flatMap(({ statuses = [] }) => statuses.filter((status) => !known.includes(status)))
    expect(unknown).toEqual([])
  })
})

it('every vertical is read', () => {
  expect([...VERTICALS].sort()).toEqual(verticals.map(({ key }) => key).sort())
})
