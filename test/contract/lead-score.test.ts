import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importRows, makeAgency } from '../harness/agency.ts'
import { withLeads } from '../harness/leads.ts'
import { updateAccountOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'

const STAGES = ['inbox', 'qualified', 'nurturing', 'proposal', 'won', 'lost']
const { the, make, patch, move, page } = withLeads()

describe('the score of a lead', () => {
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
  const day = fc
    .date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString())
  const people = maybe(fc.integer({ min: 0, max: 100_000 }))
  const amount = maybe(fc.integer({ min: -1_000_000, max: 1_000_000_000 }))
  const lead = fc.record({
    email: maybe(fc.constant('a@example.com')),
    phone: maybe(fc.constant('+905321234567')),
    stage: fc.constantFrom(...STAGES),
    estimated_value: amount,
    budget_per_person: amount,
    party_size: people,
    adult_count: people,
    child_count: people,
    destinations: fc.array(fc.constantFrom('Roma', 'Paris')),
    target_departure_on: maybe(day.map((text) => text.slice(0, 10))),
    created_at: fc.constant('2026-01-01T00:00:00Z'),
    first_responded_at: maybe(
      fc.integer({ min: 0, max: 10_000_000 }).map((s) => new Date(Date.UTC(2026, 0, 1) + s * 1000).toISOString()),
    ),
  })
  const scores = async (leads: object[]) => {
    const rows = await ask<{ score: number }>(
      the.cell,
      `select lead_score(json_populate_record(null::leads, l), '2026-06-01') as score from json_array_elements($1) with ordinality as x(l, n) order by n`,
      [JSON.stringify(leads)],
    )
    return rows.map(({ score }) => score)
  }

  it('is a whole number from 0 to 100, and the same for the same lead and day', () =>
    fc.assert(
      fc.asyncProperty(fc.array(lead, { minLength: 50, maxLength: 200 }), async (leads) => {
        const found = await scores(leads)
        expect(found.filter((score) => !Number.isInteger(score) || score < 0 || score > 100)).toEqual([])
        expect(await scores(leads)).toEqual(found)
      }),
      { numRuns: 20 },
    ))
  it('never falls by what becomes known, and reaches both ends', async () => {
    const least = { stage: 'lost', destinations: [], created_at: '2026-01-01T00:00:00Z' }
    const most = {
      ...least,
      email: 'a',
      phone: '+9',
      stage: 'proposal',
      estimated_value: 1_000_000,
      party_size: 5,
      destinations: ['Roma'],
      target_departure_on: '2026-06-15',
      first_responded_at: '2026-01-01T00:30:00Z',
    }
    expect(await scores([least, most])).toEqual([0, 100])
    const known = [
      'email',
      'phone',
      'estimated_value',
      'party_size',
      'destinations',
      'target_departure_on',
      'first_responded_at',
    ] as const
    const grown = known.map((_, at) => ({
      ...least,
      ...Object.fromEntries(known.slice(0, at + 1).map((name) => [name, most[name]])),
    }))
    const found = await scores(grown)
    expect(found).toEqual([...found].sort((a, b) => a - b))
  })
  it('is reckoned anew by each change, an import’s too', async () => {
    const bare = await make()
    const lead = { email: 'a@example.com', estimated_value: '1000000' }
    const { data: known } = await patch(bare.id, lead)
    expect(known.score).toBe(bare.score + 4 + 4 + 20)
    const { data: moved } = await move(bare.id, { stage: 'qualified' })
    expect(moved.score).toBe(known.score + 8 + 15)
    const own = await makeAgency(the.cell)
    const row = { external_id: 'L', name: 'Deniz' }
    const imported = async (more: object) => {
      await importRows(the.cell, own.key, 'leads', [{ ...row, ...more }])
      return (await page('', own.key)).data[0]?.score
    }
    expect([await imported({}), await imported({ party_size: 3, destinations: 'Roma' })]).toEqual([4, 4 + 6 + 4])
  })
  it('counts the days to departure from the account’s day', async () => {
    const [early, late] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] // at least a day apart at any moment
    const departure = (now: Temporal.Instant) =>
      now.toZonedDateTimeISO(early).toPlainDate().add({ days: 30 }).toString()
    const target_departure_on = departure(Temporal.Now.instant())
    const scoreIn = async (timeZone: string) => {
      const own = await makeAgency(the.cell)
      await updateAccountOf(the.cell, own.number, { timeZone })
      return (await make({ target_departure_on }, own.key)).score
    }
    expect([await scoreIn(early), await scoreIn(late)]).toEqual([4 + 4 + 15, 4 + 4 + 12])
  })
})
