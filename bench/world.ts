import { type Agencies, makeAgencies } from './agencies.ts'
import { newDataDir, startCell } from './cell.ts'
import { BOOKINGS, fillBookings, fillPeople } from './fill.ts'

const ACCOUNTS = 100

/** The data of the cases, created on first use. */
export type World = {
  readonly rounds: number
  /** Customers of the filled cell, over all its accounts. */
  readonly customers: number
  readonly customersEach: number
  /** A cell with 100 accounts and all the customers. */
  filled(): Promise<Agencies>
  /** The same, with a million bookings, 100,000 of them in its first account. */
  withBookings(): Promise<Agencies>
  /** Another cell, whose accounts are empty. */
  empty(): Promise<Agencies>
  note(text: string): void
}

export function makeWorld(rounds: number, customers: number): World {
  const note = (text: string) => void process.stderr.write(`${text}\n`)
  const cell = async () => makeAgencies(await startCell(newDataDir()), ACCOUNTS)
  const timed = async (what: string, work: Promise<unknown>) => {
    const before = performance.now()
    await work
    note(`  ${what} in ${((performance.now() - before) / 1000).toFixed(1)} s`)
  }
  const filled = lazily(async () => {
    const agencies = await cell()
    await timed(`filled with ${customers} customers`, fillPeople(agencies, customers))
    return agencies
  })
  return {
    rounds,
    customers,
    customersEach: Math.max(1, Math.round(customers / ACCOUNTS)),
    note,
    filled,
    withBookings: lazily(async () => {
      const agencies = await filled()
      await timed(`filled with ${BOOKINGS} bookings`, fillBookings(agencies))
      return agencies
    }),
    empty: cell,
  }
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
