import { findDesk } from '../../src/features/accounts/reads/find-desk.ts'
import { addDay } from '../../src/features/trips/commands/add-day.ts'
import { addSegment } from '../../src/features/trips/commands/add-segment.ts'
import { createTrip } from '../../src/features/trips/commands/create-trip.ts'
import { changeTrip } from '../../src/features/trips/commands/update-trip.ts'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'

type Fields = Record<string, unknown>
export type Row = Fields & { id: string; title: string; status: string }
export type Page = { data: Row[]; page: { next_cursor: string | null } }

/** Helpers for trips by the command line, in a cell that exists once the tests run. */
export const tripsOf = (cell: () => TestCell) => {
  const inAccount = <T>({ number }: Agency, work: (tx: AccountTx) => Promise<T>) =>
    cell().deps.db.inAccount(number, work)
  async function customer({ key }: Agency, more: Fields = {}): Promise<string> {
    const body = { customer: { name: 'Ayşe Yılmaz', ...more } }
    const answer = await cell().call('POST', '/customers', { key, body })
    return (answer.body as { data: Row }).data.id
  }
  return {
    inAccount,
    customer,
    make: async (agency: Agency, trip: Fields = {}, of?: string): Promise<string> => {
      const buyer = of ?? (await customer(agency))
      return inAccount(agency, async (tx) => createTrip(tx, await findDesk(tx, null), buyer, trip))
    },
    change: (agency: Agency, id: string, trip: Fields) =>
      inAccount(agency, async (tx) => changeTrip(tx, await findDesk(tx, null), id, trip)),
    day: (agency: Agency, id: string, day: Fields = {}, after: number | null = null) =>
      inAccount(agency, async (tx) => addDay(tx, await findDesk(tx, null), id, after, day)),
    segment: (agency: Agency, id: string, day: number, segment: Fields = {}, place: number | null = null) =>
      inAccount(agency, async (tx) =>
        addSegment(tx, await findDesk(tx, null), id, { day, place }, { segment_type: 'activity', ...segment }),
      ),
    list: async (query: string, { key }: Pick<Agency, 'key'>) =>
      (await cell().call('GET', `/trips?${query}`, { key })).body as Page,
    read: async <T = Row>(path: string, { key }: Pick<Agency, 'key'>) =>
      ((await cell().call('GET', `/trips/${path}`, { key })).body as { data: T }).data,
  }
}
