import { beforeAll } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { type Agency, makeAgency } from './agency.ts'
import { type Answer, startCell, type TestCell, uncounted } from './cell.ts'
import { signInAs } from './console.ts'
import { tripsOf } from './trips.ts'

export type Segment = { id: string; position: number; title: string | null; version: number; start_time: string | null }
export type Day = {
  id: string
  day_number: number
  date: string | null
  title: string | null
  version: number
  segments: Segment[]
}
export type Traveler = {
  id: string
  name: string | null
  is_lead: boolean
  position: number
  version: number
  customer_id: string | null
}
export type Trip = {
  id: string
  title: string
  status: string
  version: number
  travelers: Traveler[]
  days: Day[]
  end_date: string
}
export type Undo = { token: string; until: string }

/** What an answer says of a refusal. */
export const outcome = ({ status, body }: Answer) => [status, (body as { code?: string }).code]
/** What takes the change of an answer back. */
export function undoOf({ body, text }: Answer): Undo {
  const { undo } = body as { undo: Undo | null }
  if (!undo) throw new Error(text)
  return undo
}
/** All that people wrote of a trip, without what counts its changes. */
export const content = (trip: Trip) =>
  JSON.parse(
    JSON.stringify(trip, (name, value) =>
      ['version', 'updated_at', 'intelligence'].includes(name) ? undefined : value,
    ),
  ) as Trip

/** For a test file: a cell with an agency, whose owner and advisor edit trips over the application API. */
export function withTripEditors() {
  const the = {} as { cell: TestCell; agency: Agency; owner: string; advisor: string }
  beforeAll(async () => {
    the.cell = await startCell({ deps: { count: uncounted } })
    the.agency = await makeAgency(the.cell)
    the.owner = await signInAs(the.cell, the.agency.number, the.agency.owner.id)
    the.advisor = await sessionOf('advisor')
  })
  const trips = tripsOf(() => the.cell)
  async function sessionOf(role: string): Promise<string> {
    const seat = { name: role, email: `${role}-${crypto.randomUUID()}@a.example`, role, branchId: null }
    const { cell, agency } = the
    const id = await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
    return signInAs(cell, agency.number, id)
  }
  const app = (method: string, path: string, body?: object, session = the.owner) =>
    the.cell.call(method, `/app/v1/trips${path}`, { session, ...(body && { body }) })
  const read = async (id: string, session = the.owner): Promise<Trip> =>
    ((await app('GET', `/${id}/itinerary`, undefined, session)).body as { data: Trip }).data
  const undo = (id: string, { token }: Undo, session = the.owner) => app('POST', `/${id}/undo`, { token }, session)
  /** A trip of some days from the 10th of May 2031, each with some segments. */
  async function tripOf(segments: readonly number[]): Promise<string> {
    const last = Temporal.PlainDate.from('2031-05-10')
      .add({ days: segments.length - 1 })
      .toString()
    const id = await trips.make(the.agency, { start_date: '2031-05-10', end_date: last })
    for (const [at, many] of segments.entries())
      for (let nth = 0; nth < many; nth++)
        await trips.segment(the.agency, id, at + 1, { title: `${at}.${nth}`, start_time: '2031-05-10T10:00' })
    return id
  }
  return { the, trips, sessionOf, app, read, undo, tripOf }
}
