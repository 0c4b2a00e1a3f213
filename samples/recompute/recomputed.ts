import type { Booking } from './bookings.ts'
import type { Books } from './books.ts'
import type { Cells, Item } from './item.ts'

/** The request of a report, as stated in its response. */
export type Asked = Readonly<Record<string, string | null>>
/** A preset, found another way: from what the books have, with nothing of its SQL. */
export type Recomputed = {
  /** The counted items, regardless of window and filters, unless only the recomputation can decide. */
  items(books: Books, asked: Asked): readonly Item[]
  /** It has a row for each sum: items of the same cells, currency and group are one, to which this adds. */
  readonly sum?: (row: Item, of: readonly Item[], all: readonly Item[]) => Cells
  /** Columns with texts only, which are not recomputed. */
  readonly words?: readonly string[]
}

type Whose = {
  readonly company_id: string
  readonly branch_id: string | null
  readonly currency: string
  readonly booking: Booking | null
  readonly customer: { readonly id: string; readonly name: string | null } | null
  readonly supplier: { readonly id: string; readonly name: string | null } | null
}
/** Whose and where something is, as filters, groupings and columns have it. */
export function partiesOf(books: Books, { company_id, branch_id, currency, booking, customer, supplier }: Whose) {
  const advisor = booking?.advisor ?? null
  const [branch, company] = [branchName(books, branch_id), companyName(books, company_id)]
  return {
    about: {
      company_id,
      branch_id,
      advisor_id: advisor?.id ?? null,
      customer_id: customer?.id ?? null,
      supplier_id: supplier?.id ?? null,
      currency,
      entity: booking?.entity ?? null,
    },
    names: {
      customer: customer?.name ?? null,
      supplier: supplier?.name ?? null,
      advisor: advisor?.name ?? null,
      branch,
      company,
    },
    groups: {
      customer: [customer?.id ?? null, customer?.name ?? null],
      supplier: [supplier?.id ?? null, supplier?.name ?? null],
      advisor: [advisor?.id ?? null, advisor?.name ?? null],
      branch: [branch_id, branch],
      company: [company_id, company],
      currency: [currency],
    } satisfies Item['groups'],
  }
}

/** The same of a booking, and what it is. */
export function bookingParties(books: Books, booking: Booking) {
  const { about, names, groups } = partiesOf(books, { ...booking, booking })
  const product = books.products.get(booking.entity) ?? null
  return {
    about,
    names: { ...names, product },
    groups: { ...groups, product: [booking.entity, product] } satisfies Item['groups'],
  }
}

export const companyName = (books: Books, id: string): string | null => books.companies.get(id)?.name ?? null
export const branchName = (books: Books, id: string | null): string | null => books.branches.get(id ?? '')?.name ?? null

const NO_SALE = new Set('draft option requested quoted documents_pending ready lead planning cancelled void'.split(' '))
export const isSale = ({ status }: Booking): boolean => !NO_SALE.has(status)
export const monthOf = (day: string | null): string | null => day?.slice(0, 7) ?? null
/** Whole days from one to another. */
export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days
export const inWindow = (day: string | null, { from, to }: Asked): boolean =>
  day !== null && day >= String(from) && day <= String(to)

/** Values that follow from the books alone are computed once. */
export function once<T>(find: (books: Books) => T): (books: Books) => T {
  const found = new WeakMap<Books, T>()
  return (books) => {
    const known = found.get(books) ?? find(books)
    found.set(books, known)
    return known
  }
}
