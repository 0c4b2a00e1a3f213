import { expect, it } from 'vitest'
import { entities } from '../../registry.ts'
import { VERTICALS } from './booking-services.store.ts'
import { segmentStatus } from './segment-status.ts'

it('a state that this version does not know is that of a draft', () => {
  expect(segmentStatus('new')).toBe('draft')
})

it('every vertical is read', () => {
  const verticals = entities.flatMap(({ entity }) => (entity.base?.table === 'bookings' ? [entity.key] : []))
  const hint = 'Add a source for a new vertical to SOURCES of src/features/filing/booking-services.store.ts'
  expect([...VERTICALS].toSorted(), hint).toEqual(verticals.toSorted())
})
