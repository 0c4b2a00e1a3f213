import { describe, expect, it } from 'vitest'
import { entities } from '../../registry.ts'
import { VERTICALS } from './booking-services.store.ts'
import { BOOKING_STATES, segmentStatus } from './segment-status.ts'

const verticals = entities.flatMap(({ entity }) => (entity.base?.table === 'bookings' ? [entity] : []))

describe('the state of a segment', () => {
  it('is given for each state of a booking that has segments, and for no other', () => {
    const states = verticals.filter(({ key }) => key !== 'visa_cases').flatMap(({ statuses = [] }) => statuses)
    const hint = 'List a new state in BOOKING_STATES of segment-status.ts'
    expect(Object.values(BOOKING_STATES).flat().sort(), hint).toEqual([...new Set(states)].sort())
  })
  it('is that of a draft for a state that is not known', () => {
    expect(segmentStatus('new')).toBe('draft')
  })
})

it('every vertical is read', () => {
  const hint = 'Add a source for a new vertical to SOURCES of booking-services.store.ts'
  expect([...VERTICALS].sort(), hint).toEqual(verticals.map(({ key }) => key).sort())
})
