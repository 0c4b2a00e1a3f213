import type { Random } from '../random.ts'
import type { PLACES } from '../vocabulary.ts'
import type { Calendar } from './calendar.ts'
import { adultAge, makePerson, type Person } from './people.ts'
import { type Row, repeat } from './row.ts'

/** The customer with the travellers: a person's family, or a company's staff. */
export type Customer = { readonly row: Row; readonly people: readonly Person[] }
/** The supplier. Only hotels have a place. */
export type Supplier = { readonly row: Row; readonly place: (typeof PLACES)[number] | null }

/** What the rows of an entity are made from. `random` is the entity's own, so that one does not move another. */
export type World = {
  readonly random: Random
  readonly day: Calendar
  /** From 0 to 99: agencies of different series share no e-mail address, supplier code or ticket number. */
  readonly series: number
  readonly customers: readonly Customer[]
  readonly suppliers: ReadonlyMap<unknown, readonly Supplier[]>
}

export function supplierOf({ random, suppliers }: World, ...types: readonly string[]): Supplier {
  return random.pick(types.flatMap((type) => suppliers.get(type) ?? []))
}

/** The number of the customer's people, with friends if there are too few. */
export function party({ random, day }: World, { people }: Customer, size: number): Person[] {
  const friends = Math.max(0, size - people.length)
  return [...people.slice(0, size), ...repeat(friends, () => makePerson(random, day, adultAge(random)))]
}
