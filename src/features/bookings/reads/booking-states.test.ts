import { expect, it } from 'vitest'
import { entities } from '../../../registry.ts'
import { BOOKING_STATES, statesWhere } from './booking-states.ts'

const verticals = entities.flatMap(({ entity }) => (entity.base?.table === 'bookings' ? [entity] : []))

it('every state belongs to a vertical', () => {
  const used = new Set(verticals.flatMap(({ statuses }) => statuses))
  const hint = 'Remove these states from BOOKING_STATES of src/features/bookings/reads/booking-states.ts'
  expect(
    Object.keys(BOOKING_STATES).filter((state) => !used.has(state)),
    hint,
  ).toEqual([])
})
it('an offer is open, and what is refunded or cancelled is closed with its segments', () => {
  expect(statesWhere(({ sale, isOpen }) => sale === 'offer' && !isOpen)).toEqual([])
  const isOver = statesWhere(({ sale }) => sale === 'refunded' || sale === 'cancelled')
  expect(isOver).toEqual(
    statesWhere(({ sale, isOpen, segments }) => sale !== 'sold' && !isOpen && segments === 'cancelled'),
  )
})
