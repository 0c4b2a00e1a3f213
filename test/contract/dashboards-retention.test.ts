import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Policies } from '../../src/platform/access/policies.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { agencyIn, ROLES } from '../harness/dashboards.ts'
import { keeping, retentionOf, writeKept } from '../harness/retention.ts'

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const ask = async (key: string, query: string) =>
  (await cell.call('GET', `/retention?${query}`, { key })).body as { data: { window_days: number } }

describe('the retention dashboard', () => {
  it('is what trips, leads, touches and codes come to, as far as the role may see, on leap days and in any zone', async () => {
    await fc.assert(
      fc.asyncProperty(keeping, fc.constantFrom(...Object.keys(ROLES)), async (given, role) => {
        const { zone, now, days } = given
        const agency = await agencyIn(cell, zone)
        const kept = await writeKept(cell, agency, given)
        const { key } = await agency.makeKey({ role })
        cell.clock.set(now)
        const { data } = await ask(key, `window_days=${days}`)
        expect(data).toEqual(retentionOf(kept, agency, { zone, now, days }, ROLES[role] as Policies))
      }),
      { numRuns: 40 },
    )
  })
  it('looks 7 to 365 days ahead, and 60 where it is asked for no integer', async () => {
    const read = async (given: string) => (await ask(agency.key, `window_days=${given}`)).data.window_days
    const given = ['7', '61', '365', '06', '6', '-30', '0', '-0', '366', '9'.repeat(400), `-${'9'.repeat(400)}`]
    expect(await Promise.all(given.map(read))).toEqual([7, 61, 365, 7, 7, 7, 7, 7, 365, 365, 7])
    const others = ['', '30.5', '1e2', '+30', '%2030', '0x20', 'ninety', 'null', '30&window_days=90']
    expect(await Promise.all(others.map(read))).toEqual(others.map(() => 60))
    expect((await ask(agency.key, '')).data.window_days).toBe(60)
  })
})
