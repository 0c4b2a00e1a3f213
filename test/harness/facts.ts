import { beforeAll, beforeEach } from 'vitest'
import { factQueue } from '../../src/features/day-facts/day-facts.job.ts'
import type { FactProvider } from '../../src/features/day-facts/fact-provider.ts'
import { saveRates } from '../../src/features/exchange-rates/exchange-rates.store.ts'
import { openTrip } from '../../src/features/trips/commands/open-trip.ts'
import { type Agency, importRows, makeAgency } from './agency.ts'
import { startCell, type TestCell, uncounted } from './cell.ts'
import { type OpenMeteo, startOpenMeteo } from './open-meteo.ts'
import { askPastWalls } from './sql.ts'
import { GO_ON, logTo } from './worker.ts'

type Fact = { data: Record<string, unknown> | null; provider?: string | null; updated_at: string | null }
type Day = {
  primary_location: string | null
  latitude: number | null
  longitude: number | null
  timezone: string | null
  updated_at: string
  intelligence: { weather: Fact; currency: Fact; general: Fact }
}
type Row = { failures: number; data: { temperature_min: number } | null; about: string | null; minutes: number | null }
type Flight = [day: number, from: string, to: string]

const TODAY = Date.parse('2026-12-01T10:00Z')
const RATES = [
  { currency: 'TRY', day: '2026-11-30', baseUnits: '1', currencyUnits: '50' },
  { currency: 'GBP', day: '2026-11-30', baseUnits: '1', currencyUnits: '0.8' },
  { currency: 'GBP', day: '2026-11-10', baseUnits: '1', currencyUnits: '0.9' },
  { currency: 'TRY', day: '2026-11-10', baseUnits: '1', currencyUnits: '45' },
]

/** A cell with an agency and some rates, and a weather server, for a test file; each of its tests begins without facts. */
export function withFacts() {
  let cell: TestCell
  let agency: Agency
  let weather: OpenMeteo
  let failures: object[]
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    agency = await makeAgency(cell)
    await cell.deps.db.asSystem('a test', (tx) => saveRates(tx, { source: 'ecb', base: 'EUR', rates: RATES }))
  })
  beforeEach(async () => {
    cell.clock.set(TODAY)
    failures = []
    weather = await startOpenMeteo(() => cell.deps.now())
    await sql('delete from trip_day_facts')
  })
  /** As a superuser, past the walls. */
  const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(cell, text, values)
  const deps = () => ({ db: cell.deps.db, log: logTo(failures), now: cell.deps.now })
  const fly = (trip: string, [day, from, to]: Flight) =>
    sql(
      `insert into trip_segments (account_id, trip_id, trip_day_id, segment_type, position, departure_airport, arrival_airport)
       select account_id, trip_id, id, 'flight', 1, $3, $4 from trip_days where trip_id = $1 and day_number = $2`,
      [trip, day, from, to],
    )
  const makeDue = () => sql(`update trip_day_facts set next_attempt_at = now() where next_attempt_at < 'infinity'`)
  return {
    cell: () => cell,
    agency: () => agency,
    weather: () => weather,
    /** The errors logged by the queues. */
    failures: () => failures,
    sql,
    deps,
    fly,
    async makeTrip(start: string, end: string, flights: Flight[] = [], of = agency): Promise<string> {
      const row = { external_id: crypto.randomUUID(), name: 'Ada' }
      const [customer] = (await importRows(cell, of.key, 'customers', [row])).rows
      const id = await cell.deps.db.inAccount(of.number, (tx) =>
        openTrip(tx, {
          company: of.company.id,
          branch: null,
          customer: customer?.id as string,
          title: 'A trip',
          type: null,
          start,
          end,
          destinations: [],
          currency: 'EUR',
          advisor: null,
        }),
      )
      for (const flight of flights) await fly(id, flight)
      return id
    },
    want: (trip: string, of = agency) => sql('select request_day_facts($1, array[$2]::uuid[])', [of.number, trip]),
    dayOf: async (trip: string, number: number, of = agency) =>
      ((await cell.call('GET', `/trips/${trip}/days/${number}`, { key: of.key })).body as { data: Day }).data,
    /** Facts of a kind, in the order of the days, with the minutes until they are requested again. */
    rowsOf: (trip: string, kind = 'weather') =>
      sql<Row>(
        `select f.failures, f.data, f.about,
           case when f.next_attempt_at < 'infinity' then round((extract(epoch from f.next_attempt_at) - $3) / 60)::integer end as minutes
         from trip_day_facts f join trip_days d on d.id = f.trip_day_id where d.trip_id = $1 and f.kind = $2 order by d.day_number`,
        [trip, kind, cell.deps.now() / 1000],
      ),
    /** Finds everything due, in a process that has just started. */
    async findFacts(providers: readonly FactProvider[]): Promise<void> {
      for (const provider of providers) {
        const queue = factQueue(deps(), provider)
        for (let job = await queue.claim(); job; job = await queue.claim()) await job(GO_ON)
      }
    },
    makeDue,
    /** As if everything had been found that long ago. */
    async letPass(hours: number): Promise<void> {
      await sql(`update trip_day_facts set updated_at = updated_at - $1 * interval '1 hour'`, [hours])
      cell.clock.add(hours * 3_600_000)
      await makeDue()
    },
  }
}
