import { beforeAll, describe, expect, it } from 'vitest'
import { optionWarnings } from '../../src/features/bookings/option-warnings.job.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { updateAccountOf } from '../harness/settings.ts'
import { askPastWalls } from '../harness/sql.ts'
import { GO_ON } from '../harness/worker.ts'

type Warning = { seat_id: string; title: string; priority: string }

const OPTION = '2031-03-30' // when Berlin puts its clocks forward
let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})
const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(cell, text, values)
const agencyIn = async (zone: string) => {
  const agency = await makeAgency(cell)
  await updateAccountOf(cell, agency.number, { timeZone: zone })
  return agency
}
const book = async (of: Agency, row: object = {}) =>
  (
    await importRows(
      cell,
      of.key,
      'hotel_stays',
      [
        {
          external_id: 'H-1',
          status: 'option',
          option_date: OPTION,
          check_in_on: '2031-07-10',
          check_out_on: '2031-07-11',
          ...row,
        },
      ],
      { on_conflict: 'update' },
    )
  ).rows[0]?.id as string
const warningsOf = (of: Agency) =>
  sql<Warning>(
    `select seat_id, title, priority from notifications where kind = 'option_expiring' and account_id = $1 order by created_at, id`,
    [of.number],
  )
/** Looks through the options when the clock of the zone shows this. */
const lookAt = (zone: string, local: string) => {
  const at = Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds
  return optionWarnings.run({ db: cell.deps.db, now: () => at }, GO_ON)
}
const counts = async (of: Agency, zone: string, times: readonly string[]) => {
  const seen: number[] = []
  for (const time of times) {
    await lookAt(zone, time)
    seen.push((await warningsOf(of)).length)
  }
  return seen
}

describe('the warning of an option', () => {
  it.each(['Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'UTC'])(
    'is given three days and one day before, by the calendar of %s, once each',
    async (zone) => {
      const own = await agencyIn(zone)
      await book(own)
      const times = [
        '26T23:59:59',
        '27T00:00:00',
        '27T12:00',
        '28T23:59:59',
        '29T00:00:00',
        '29T12:00',
        '30T00:00',
        '31T00:00',
      ]
      expect(
        await counts(
          own,
          zone,
          times.map((time) => `2031-03-${time}`),
        ),
      ).toEqual([0, 1, 1, 1, 2, 2, 2, 2])
      expect((await warningsOf(own)).map(({ title, priority }) => [title, priority])).toEqual([
        [`Hotel Stay H-1: the option expires on ${OPTION}`, 'normal'],
        [`Hotel Stay H-1: the option expires on ${OPTION}`, 'high'],
      ])
    },
  )
  it.each([
    ['the day before the last', ['28T09:00', '29T09:00'], [1, 2]],
    ['the last day but one', ['29T09:00', '30T09:00'], [1, 1]],
    ['the day itself', ['30T23:59', '31T09:00'], [1, 1]],
    ['the day after', ['31T00:00'], [0]],
  ])('that was missed is given once on %s', async (_, times, expected) => {
    const own = await agencyIn('Europe/Berlin')
    await book(own)
    expect(
      await counts(
        own,
        'Europe/Berlin',
        times.map((time) => `2031-03-${time}`),
      ),
    ).toEqual(expected)
  })
  it('goes to the assignee, or to the owner, also if the assignee is inactive', async () => {
    const own = await agencyIn('Europe/Berlin')
    await book(own)
    await book(own, { external_id: 'H-2' })
    await sql('update bookings set assigned_to_id = $2 where account_id = $1 and external_id = $3', [
      own.number,
      own.advisor,
      'H-1',
    ])
    await lookAt('Europe/Berlin', '2031-03-27T09:00')
    expect((await warningsOf(own)).map(({ seat_id }) => seat_id).sort()).toEqual([own.advisor, own.owner.id].sort())
    await sql('update seats set active = false where account_id = $1 and id = $2', [own.number, own.advisor])
    await lookAt('Europe/Berlin', '2031-03-29T09:00')
    expect((await warningsOf(own)).slice(2).map(({ seat_id }) => seat_id)).toEqual([own.owner.id, own.owner.id])
  })
  it.each(['draft', 'confirmed', 'cancelled'])('is not given of a booking that is %s', async (status) => {
    const own = await agencyIn('Europe/Berlin')
    const id = await book(own)
    await sql('update bookings set status = $2 where id = $1', [id, status])
    expect(await counts(own, 'Europe/Berlin', ['2031-03-29T09:00'])).toEqual([0])
  })
  it('is given anew when the option date moves', async () => {
    const own = await agencyIn('Europe/Berlin')
    const id = await book(own)
    await lookAt('Europe/Berlin', '2031-03-27T09:00')
    await sql(`update bookings set option_date = '2031-04-10' where id = $1`, [id])
    expect(await counts(own, 'Europe/Berlin', ['2031-03-29T09:00', '2031-04-07T09:00', '2031-04-09T09:00'])).toEqual([
      1, 2, 3,
    ])
  })
  it('is given once by however many look at the same time', async () => {
    const own = await agencyIn('Europe/Berlin')
    for (let nth = 0; nth < 5; nth++) await book(own, { external_id: `H-${nth}` })
    const other = openDatabase(cell.connection, 4, () => {})
    const now = () => Date.parse('2031-03-27T09:00:00Z')
    await Promise.all([cell.deps.db, other, cell.deps.db, other].map((db) => optionWarnings.run({ db, now }, GO_ON)))
    await other.close()
    expect((await warningsOf(own)).length).toBe(5)
  })
})
