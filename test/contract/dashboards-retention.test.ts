import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Policies } from '../../src/platform/access/policies.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { agencyIn, ROLES } from '../harness/dashboards.ts'
import { type Keeping, keeping, retentionOf, writeKept } from '../harness/retention.ts'

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
/** Requests the dashboard of the made-up data, and compares. */
async function compare(given: Keeping, role: string): Promise<void> {
  const { zone, now, days } = given
  const agency = await agencyIn(cell, zone)
  const kept = await writeKept(cell, agency, given)
  const { key } = await agency.makeKey({ role })
  cell.clock.set(now)
  const { data } = await ask(key, `window_days=${days}`)
  expect(data).toEqual(retentionOf(kept, agency, { zone, now, days }, ROLES[role] as Policies))
}
/** Completed trips that ended a number of days before the noon of a day in Istanbul, each of the next customer. */
function ended(day: string, days: number, ago: readonly number[], buyers: number): Keeping {
  const [zone, today] = ['Europe/Istanbul', Temporal.PlainDate.from(day)]
  const now = today.toZonedDateTime({ timeZone: zone, plainTime: '12:00' }).epochMilliseconds
  const one = { status: 'confirmed', nights: 3, dates: 'both', other: 30, hasAdvisor: true } as const
  const trips = ago.map((ended, at) => ({ ...one, ended, buyer: at % buyers }))
  return { zone, today, now, days, trips, leads: [], touches: [], codes: [] }
}
const ask = async (key: string, query: string) =>
  (await cell.call('GET', `/retention?${query}`, { key })).body as { data: { window_days: number } }

describe('the retention dashboard', () => {
  it('is what trips, leads, touches and codes come to, as far as the role may see, on leap days and in any zone', async () => {
    await fc.assert(fc.asyncProperty(keeping, fc.constantFrom(...Object.keys(ROLES)), compare), { numRuns: 20 })
  })
  it.each([
    [
      'the first 50 anniversaries',
      ended(
        '2031-05-01',
        30,
        Array.from({ length: 60 }, (_, at) => 340 + (at % 20)),
        7,
      ),
    ],
    [
      'the first 50 who may travel again',
      ended(
        '2031-05-01',
        7,
        Array.from({ length: 60 }, () => 180),
        1,
      ),
    ],
    ['who ended 150 to 210 days ago', ended('2031-05-01', 7, [149, 150, 151, 209, 210, 211], 6)],
    ['the 28th a year after a 29th of February', ended('2029-02-21', 7, [357, 358, 359], 3)],
    ['the first and the last day of the window', ended('2031-05-01', 7, [357, 358, 365, 366], 4)],
  ])('shows %s', (_, given) => compare(given, 'owner'))
  it('looks 7 to 365 days ahead, and 60 where it is asked for no integer', async () => {
    const read = async (given: string) => (await ask(agency.key, `window_days=${given}`)).data.window_days
    const given = ['7', '61', '365', '06', '6', '-30', '0', '-0', '366', '9'.repeat(400), `-${'9'.repeat(400)}`]
    expect(await Promise.all(given.map(read))).toEqual([7, 61, 365, 7, 7, 7, 7, 7, 365, 365, 7])
    const others = ['', '30.5', '1e2', '+30', '%2030', '0x20', 'ninety', 'null', '30&window_days=90']
    expect(await Promise.all(others.map(read))).toEqual(others.map(() => 60))
    expect((await ask(agency.key, '')).data.window_days).toBe(60)
  })
})
