import type { Fed } from './bookings.ts'
import type { Books, Raw } from './books.ts'
import type { Cells, Item } from './item.ts'
import { daysBetween, inWindow, type Recomputed } from './recomputed.ts'

const textOf = (cell: unknown): string | null => (cell ? String(cell) : null)
type Person = { readonly owner: Fed; readonly id: string; readonly kind: string; readonly name: string | null }

function person(
  { owner }: Pick<Person, 'owner'>,
  day: string | null,
  cells: Cells,
): Pick<Item, 'currency' | 'about' | 'groups' | 'dates' | 'cells' | 'sums'> {
  return {
    currency: null,
    about: { company_id: owner.company_id, branch_id: owner.branch_id, customer_id: owner.id },
    groups: { customer: [owner.id, textOf(owner.name)] },
    dates: { transaction: day },
    cells: {
      ...cells,
      customer: textOf(owner.name),
      email: textOf(owner.email),
      phone: textOf(owner.phone),
      customer_id: owner.id,
    },
    sums: {},
  }
}

const ownersOf = ({ feed }: Books): Map<string, Fed> =>
  new Map(feed.customers.map((customer) => [customer.id, customer]))
const fullName = ({ first_name, last_name }: Raw): string =>
  [first_name, last_name].filter((part) => part !== null).join(' ')

export const passportExpiry: Recomputed = {
  items(books) {
    const owners = ownersOf(books)
    return books.tables.travelers.flatMap((traveler): Item[] => {
      const owner = owners.get(String(traveler.customer_id))
      const expiry = traveler.passport_expiry
      if (!owner || !expiry) return []
      const { first_name, last_name, passport_number, passport_country, nationality, id } = traveler as Cells
      const cells = { first_name, last_name, passport_number, passport_country, nationality, traveler_id: id } as Cells
      return [
        person({ owner }, expiry, { ...cells, passport_expiry: expiry, days_left: daysBetween(books.today, expiry) }),
      ]
    })
  },
}

/** People born on 29 February have their birthday on 28 February in other years. */
const birthdayIn = (born: string, year: number): string => Temporal.PlainDate.from(born).with({ year }).toString()

export const birthdays: Recomputed = {
  items(books, asked) {
    const owners = ownersOf(books)
    const rows = new Map(books.tables.customers.map((row) => [String(row.id), row]))
    const customers = [...owners.values()].map((owner) => ({
      owner,
      id: owner.id,
      kind: 'customer',
      name: textOf(owner.name),
      born: rows.get(owner.id)?.birthday ?? null,
    }))
    const travelers = books.tables.travelers.flatMap((traveler) => {
      const owner = owners.get(String(traveler.customer_id))
      const born = traveler.date_of_birth
      if (!owner || born === rows.get(owner.id)?.birthday) return []
      return [{ owner, id: String(traveler.id), kind: 'traveler', name: fullName(traveler), born }]
    })
    const years = [...new Set([asked.from, asked.to].map((day) => Number(day?.slice(0, 4))))]
    return [...customers, ...travelers].flatMap(({ owner, id, kind, name, born }) =>
      (born ? spanOf(years) : []).flatMap((year): Item[] => {
        const day = birthdayIn(String(born), year)
        if (day < String(born) || !inWindow(day, asked)) return []
        const turns = year - Number(born?.slice(0, 4))
        const opted = rows.get(owner.id)?.opted_in_marketing === 'true' ? 'yes' : 'no'
        const cells = { celebrates_on: day, turns, name, kind, opted_in_marketing: opted, person_id: id }
        return [person({ owner }, day, cells)]
      }),
    )
  },
}
const spanOf = (years: readonly number[]): number[] => {
  const first = Math.min(...years)
  return Array.from({ length: Math.max(...years) - first + 1 }, (_, at) => first + at)
}
