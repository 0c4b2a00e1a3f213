import { describe, expect, it } from 'vitest'
import { entities } from '../../../registry.ts'
import { CLOSED } from './count-open-bookings.ts'

const bookings = entities.filter(({ entity }) => entity.base?.table === 'bookings')
/** States of bookings that are still to be sold, to take place, or to be delivered. */
const OPEN =
  `draft option confirmed in_house out sailing in_progress requested quoted contracted operating lead planning
  documents_pending ready submitted appointment_scheduled in_process approved`.split(/\s+/)

describe('bookings', () => {
  it('are open or closed in every state of every vertical', () => {
    const states = new Set(bookings.flatMap(({ entity }) => entity.statuses))
    const hint = 'List a new state in CLOSED of count-open-bookings.ts, or in OPEN of this test'
    expect([...OPEN, ...CLOSED].toSorted(), hint).toEqual([...states].toSorted())
  })
})
