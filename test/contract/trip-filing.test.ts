import { describe, expect, it } from 'vitest'
import { mergeCustomers } from '../../src/features/customers/commands/merge-customers.ts'
import { ALL_POLICIES } from '../../src/platform/access/policies.ts'
import { customerMoves } from '../../src/registry.ts'
import { importRows } from '../harness/agency.ts'
import { fileAll, leg, makeTrip, withFiling } from '../harness/filing.ts'
import { ask } from '../harness/sql.ts'

const { the, newAgency, sql, stay, ticket, trip, file, shown, only, tripOf, news, again, refile } = withFiling()

describe('a booking', () => {
  it('is filed into the only trip of its customer with matching dates', async () => {
    const june = await trip('2031-06-12', '2031-06-20')
    const july = await trip('2031-07-01', '2031-07-09')
    const booking = await stay()
    await file()
    expect(await tripOf(booking)).toBe(june)
    expect(await shown(june)).toEqual([['2031-06-12', 'lodging', 'confirmed', 'Hotel']])
    expect(await shown(july)).toEqual([])
    expect(await news()).toEqual([])
  })
  it.each([
    ['begins before it', { check_in_on: '2031-06-11' }],
    ['ends after it', { check_out_on: '2031-06-21' }],
  ])('that %s is not filed, and its seat is notified', async (_, row) => {
    await trip('2031-06-12', '2031-06-20')
    await stay(row)
    await file()
    expect(await news()).toEqual(['Hotel Stay H fits into no trip'])
  })
  it('that fits several trips is not filed, and its seat is notified', async () => {
    await trip('2031-06-12', '2031-06-20')
    await trip('2031-06-10', '2031-06-15')
    const booking = await stay()
    await file()
    expect(await tripOf(booking)).toBeUndefined()
    expect(await news()).toEqual(['Hotel Stay H fits into 2 trips'])
  })
  it.each([
    ['of a customer without trips', async () => {}],
    ['whose customer’s trips have no dates', () => trip(null, null)],
    [
      'whose only trip is cancelled',
      async () => sql(`update trips set status = 'cancelled' where id = $1`, [await trip('2031-06-01', '2031-06-30')]),
    ],
    [
      'whose only trip is over',
      async () => sql(`update trips set status = 'confirmed' where id = $1`, [await trip('2021-06-01', '2021-06-30')]),
    ],
  ])('%s causes no notification', async (_, prepare) => {
    await prepare()
    await stay()
    await stay({ external_id: 'H2', check_in_on: '2021-06-02', check_out_on: '2021-06-03' })
    await file()
    expect([await news(), await sql('select from trip_bookings where account_id = $1', [the.agency.number])]).toEqual([
      [],
      [],
    ])
  })
  it('is not filed into a trip of another account or customer', async () => {
    const other = await newAgency()
    const theirs = await makeTrip(the.cell, other, { start: '2031-06-12', end: '2031-06-20' })
    await importRows(the.cell, the.agency.key, 'customers', [{ external_id: 'D', name: 'Deniz' }])
    const another = await trip('2031-06-12', '2031-06-20', 'D')
    await stay()
    await file()
    expect([await shown(theirs), await shown(another)]).toEqual([[], []])
  })
  it('that is over, cancelled or without dates is not worth telling', async () => {
    await trip('2031-06-12', '2031-06-20')
    await stay({ check_in_on: '2021-06-01', check_out_on: '2021-06-02' })
    await stay({ external_id: 'H2', status: 'cancelled', check_in_on: '2031-01-01', check_out_on: '2031-01-02' })
    await ticket({ legs: [leg('IST', 'LHR', null, null)] })
    await file()
    expect(await news()).toEqual([])
  })
  it('is reported once, and again when its dates change', async () => {
    await trip('2031-06-12', '2031-06-20')
    await stay({ check_in_on: '2031-06-11' })
    await file()
    await stay({ check_in_on: '2031-06-11', notes: 'Late arrival.' })
    await file()
    await again()
    expect((await news()).length).toBe(1)
    await stay({ check_in_on: '2031-06-10' })
    await file()
    expect((await news()).length).toBe(2)
    const found = await stay({ check_in_on: '2031-06-12' })
    await file()
    expect([await tripOf(found), (await news()).length]).toEqual([expect.any(String), 2])
  })
  it('is reported together with all others of a run, once to each seat', async () => {
    await trip('2031-06-12', '2031-06-20')
    const row = { customer_external_id: 'C', check_in_on: '2031-05-01', check_out_on: '2031-05-02' }
    const rows = Array.from({ length: 7 }, (_, at) => ({
      ...row,
      external_id: `H${at}`,
      ...(at < 2 && { assigned_to_email: 'advisor@agency.example' }),
    }))
    await importRows(the.cell, the.agency.key, 'hotel_stays', rows)
    await sql('update seats set active = false where account_id = $1 and id = $2', [
      the.agency.number,
      the.agency.advisor,
    ])
    await stay({ external_id: 'own', ...row })
    await fileAll(the.cell, { most: 3 })
    expect(await news()).toEqual(['8 bookings fit into no trip, or into several'])
    await sql('update seats set active = true where account_id = $1 and id = $2', [
      the.agency.number,
      the.agency.advisor,
    ])
    await importRows(
      the.cell,
      the.agency.key,
      'hotel_stays',
      rows.map((each) => ({ ...each, check_out_on: '2031-05-03' })),
      { on_conflict: 'update' },
    )
    await fileAll(the.cell, { most: 3 })
    const seats = await sql<{ seat_id: string; title: string; subject_id: string | null }>(
      `select seat_id, title, subject_id from notifications where kind = 'booking_unfiled' and account_id = $1 order by created_at, title`,
      [the.agency.number],
    )
    expect(seats.slice(1)).toEqual([
      { seat_id: the.agency.advisor, title: '2 bookings fit into no trip, or into several', subject_id: null },
      { seat_id: the.agency.owner.id, title: '5 bookings fit into no trip, or into several', subject_id: null },
    ])
  })
})

describe('a booking that was not filed', () => {
  it('is filed when a trip is made for it', async () => {
    const booking = await stay()
    await file()
    const june = await trip('2031-06-12', '2031-06-20')
    await file()
    expect([await tripOf(booking), (await shown(june)).length]).toEqual([june, 1])
  })
  it('is filed when the dates of a trip change', async () => {
    const june = await trip('2031-06-13', '2031-06-20')
    const booking = await stay()
    await file()
    await sql(`update trips set start_date = '2031-06-12' where id = $1`, [june])
    await refile(june)
    await fileAll(the.cell, { most: 1 })
    expect(await tripOf(booking)).toBe(june)
  })
  it('is filed when its customer is found to be another, who has a trip', async () => {
    await importRows(the.cell, the.agency.key, 'customers', [{ external_id: 'D', name: 'Deniz' }])
    const theirs = await trip('2031-06-12', '2031-06-20', 'D')
    const booking = await stay()
    await file()
    const [loser, into] = await Promise.all(
      ['C', 'D'].map(
        async (external) =>
          (
            await ask<{ id: string }>(the.cell, 'select id from customers where account_id = $1 and external_id = $2', [
              the.agency.number,
              external,
            ])
          )[0]?.id as string,
      ),
    )
    await the.cell.deps.db.inAccount(the.agency.number, (tx) =>
      mergeCustomers(tx, ALL_POLICIES, { loser: loser as string, into: into as string }, customerMoves),
    )
    await file()
    expect(await tripOf(booking)).toBe(theirs)
  })
  it('is filed when its actual customer has a trip with its dates', async () => {
    await importRows(the.cell, the.agency.key, 'customers', [{ external_id: 'D', name: 'Deniz' }])
    const theirs = await trip('2031-06-12', '2031-06-20', 'D')
    const booking = await stay()
    await file()
    const [loser, into] = await Promise.all(
      ['D', 'C'].map(
        async (external) =>
          (
            await ask<{ id: string }>(the.cell, 'select id from customers where account_id = $1 and external_id = $2', [
              the.agency.number,
              external,
            ])
          )[0]?.id as string,
      ),
    )
    await the.cell.deps.db.inAccount(the.agency.number, (tx) =>
      mergeCustomers(tx, ALL_POLICIES, { loser: loser as string, into: into as string }, customerMoves),
    )
    await file()
    expect(await tripOf(booking)).toBe(theirs)
  })
  it('stays out of the trip that somebody took it out of', async () => {
    const june = await trip('2031-06-12', '2031-06-20')
    const booking = await stay()
    await file()
    await sql('update trip_bookings set trip_id = null where booking_id = $1', [booking])
    await refile(june)
    await file()
    expect([await tripOf(booking), (await only(june)).status]).toEqual([null, 'cancelled'])
  })
})
