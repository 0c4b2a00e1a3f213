import { expect, it } from 'vitest'
import { withRecords } from '../harness/records.ts'
import { queryOf, runReport } from '../harness/reports.ts'

const { the, make, amend } = withRecords()

it('a departure has the seats that were sold on it, before it leaves and after it is completed', async () => {
  await make('tour_departures', { external_id: 'D', title: 'Tour', starts_on: '2026-07-01', max_capacity: 20 })
  const seats = [
    ['B1', 'confirmed', 4, 'completed'],
    ['B2', 'confirmed', 3, 'no_show'],
    ['B3', 'option', 2, 'cancelled'],
  ] as const
  for (const [external_id, status, guest_count] of seats)
    await make('tour_bookings', { external_id, tour_departure_external_id: 'D', status, guest_count })
  const load = async () => {
    const query = queryOf({ from: '2026-07-01', to: '2026-07-01' })
    const { rows } = await runReport(the.cell, the.agency.key, 'departures_load', query)
    return rows.map((row) => [row.inventory_state, row.bookings, row.seats_held, row.seats_free, row.load])
  }
  expect(await load()).toEqual([['open', 3, 9, 11, '45.00']])
  for (const [external_id, , , status] of seats) {
    if (status !== 'cancelled') await amend('tour_bookings', { external_id, status: 'in_progress' })
    await amend('tour_bookings', { external_id, status })
  }
  for (const inventory_state of ['departed', 'completed'])
    await amend('tour_departures', { external_id: 'D', inventory_state })
  expect(await load()).toEqual([['completed', 2, 7, 13, '35.00']])
})
