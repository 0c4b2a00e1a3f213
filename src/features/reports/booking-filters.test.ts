import { expect, it } from 'vitest'
import { entities } from '../../registry.ts'
import { IS_FIRM, IS_SALE, NOT_SOLD_YET } from './booking-filters.ts'

/** The states of a booking that is sold, of all verticals. */
const SOLD =
  'confirmed in_house checked_out no_show out returned sailing in_progress completed issued partly_voided exchanged contracted operating submitted appointment_scheduled in_process approved rejected delivered closed'
const TAKEN_BACK = ['cancelled', 'void']

it('each state of each vertical is told apart: not sold yet, sold, refunded or taken back', () => {
  const verticals = entities.filter(({ entity }) => 'transaction_date' in entity.fields)
  const states = new Set(verticals.flatMap(({ entity }) => entity.statuses))
  expect(
    [...states].toSorted(),
    'List a new state in NOT_SOLD_YET of booking-filters.ts, or in SOLD of this test',
  ).toEqual([...NOT_SOLD_YET, ...SOLD.split(' '), 'refunded', ...TAKEN_BACK].toSorted())
  for (const state of states) {
    expect(IS_SALE.includes(`'${state}'`)).toBe([...NOT_SOLD_YET, ...TAKEN_BACK].includes(state))
    expect(IS_FIRM.includes(`'${state}'`)).toBe([...NOT_SOLD_YET, ...TAKEN_BACK, 'refunded'].includes(state))
  }
})
