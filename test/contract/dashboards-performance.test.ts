import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Policies } from '../../src/platform/access/policies.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { agencyIn, ROLES } from '../harness/dashboards.ts'
import { performanceOf, surveying, writeSurveys } from '../harness/performance.ts'
import { ask as sql } from '../harness/sql.ts'

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const ask = async (key: string, query: string) =>
  (await cell.call('GET', `/performance?${query}`, { key })).body as { data: { window_days: number } }
const refusal = async (query: string) => {
  const { status, body } = await cell.call('GET', `/performance?${query}`, agency)
  return [status, (body as { code: string }).code]
}

describe('the performance dashboard', () => {
  it('is what surveys, ratings and gestures come to, as far as the role may see, on days of 23 and 25 hours too', async () => {
    await fc.assert(
      fc.asyncProperty(
        surveying,
        fc.constantFrom(...Object.keys(ROLES)),
        fc.nat({ max: 3 }),
        async (given, role, nth) => {
          const { zone, now, days } = given
          const agency = await agencyIn(cell, zone)
          const surveyed = await writeSurveys(cell, agency, given)
          const { key } = await agency.makeKey({ role })
          cell.clock.set(now)
          for (const advisor of [null, surveyed.seats[nth]?.id ?? null]) {
            const { data } = await ask(key, `window_days=${days}${advisor === null ? '' : `&advisor_id=${advisor}`}`)
            expect(data).toEqual(performanceOf(surveyed, { zone, now, days, advisor }, ROLES[role] as Policies))
          }
        },
      ),
      { numRuns: 20 },
    )
  })
  it('has a window of 90 days, or another one that is allowed', async () => {
    const others = ['', '0', '7', '45', '89.9', '030', '+30', '%2030', '1e2', '-30', '366', 'ninety', '9'.repeat(400)]
    for (const given of [...others, '30&window_days=60'])
      expect([given, (await ask(agency.key, `window_days=${given}`)).data.window_days]).toEqual([given, 90])
    for (const days of [30, 60, 90, 180, 365])
      expect((await ask(agency.key, `window_days=${days}`)).data.window_days).toBe(days)
    expect((await ask(agency.key, '')).data.window_days).toBe(90)
  })
  it('refuses an invalid advisor id', async () => {
    for (const given of ['', 'Ada', `${randomUUID()}&advisor_id=${randomUUID()}`])
      expect(await refusal(`advisor_id=${given}`)).toEqual([422, 'invalid_parameter'])
  })
  it('refuses an unknown advisor, and accepts a seat without trips and a former seat', async () => {
    const other = await makeAgency(cell)
    for (const id of [other.advisor, randomUUID()]) {
      const { status, body } = await cell.call('GET', `/performance?advisor_id=${id}`, agency)
      expect(status).toBe(422)
      expect(body).toMatchObject({ code: 'invalid_parameter', details: { advisor_id: [expect.any(String)] } })
    }
    for (const active of [true, false]) {
      await sql(cell, 'update seats set active = $1 where id = $2', [active, other.advisor])
      const { data } = await ask(other.key, `advisor_id=${other.advisor.toUpperCase()}`)
      expect(data).toMatchObject({ advisor: { id: other.advisor }, invited: 0, per_advisor: [] })
    }
  })
})
