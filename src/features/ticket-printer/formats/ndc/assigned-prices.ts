import { type Fare, NO_FARE, type PrintedMoney } from '../../ticket-file.ts'
import { sumOf } from '../sums.ts'
import type { ListedDocument } from './documents.ts'
import type { OrderPrice } from './prices.ts'

/** What a document costs and pays for; a `problem` says why that is not known, `spoilt` that an amount is missing. */
export type Assigned = {
  readonly fare: Fare
  readonly service: string | null
  readonly problem: string | null
  readonly spoilt: boolean
}

/** So many prices are named in a warning: nobody has more. */
const MOST_NAMED = 20

/**
 * An order prices its items and lists its documents, and joins the two by the passenger alone: flights belong to the
 * passenger's one ticket, everything else to the passenger's one EMD. With more documents of a kind nobody can tell.
 */
export function assignedPrice(
  document: ListedDocument,
  documents: readonly ListedDocument[],
  prices: readonly OrderPrice[],
): Assigned {
  const unknown = (problem: string): Assigned => ({ fare: NO_FARE, service: null, problem, spoilt: false })
  const kind = kindOf(document)
  const theirs = prices.filter((price) => price.passengers.includes(document.passenger ?? ''))
  const carried = documents.filter((each) => each.passenger === document.passenger).map(kindOf)
  const own = ownPrices(kind, carried, theirs)
  if (own === null) {
    const named = namesOf(theirs.filter((price) => price.kind === kind || price.kind === null))
    return unknown(`the order does not state which price belongs to the flights and which to a service${named}`)
  }
  if (own.length === 0) return unknown('the order has no price for it')
  if (carried.filter((each) => each === kind).length > 1)
    return unknown('the passenger has several documents of this kind, and the order does not split it')
  if (own.some(({ unclear }) => unclear)) return unknown('it is the sum of several passengers')
  const [first = NO_FARE, ...rest] = own.map((price) => price.fare)
  const fare = rest.reduce<Fare | null>((all, each) => all && added(all, each), first)
  if (fare === null) return unknown('its parts are in several currencies')
  const services = kind === 'service' ? own.map(({ service }) => service).filter((service) => service !== null) : []
  return { fare, service: services.join(', ') || null, problem: null, spoilt: own.some((price) => price.spoilt) }
}

/** What a document is paid for. */
type Kind = NonNullable<OrderPrice['kind']>

const kindOf = ({ kind }: ListedDocument): Kind => (kind === 'ticket' ? 'flights' : 'service')

/**
 * Which of the passenger's prices are of the documents of a kind; null is not told. Beside a price of flights, those
 * that tell nothing are of services. Else there may be one of them, and it is of the documents that have no price yet:
 * of the ticket, or of the EMD, unless both have none.
 */
function ownPrices(kind: Kind, carried: readonly Kind[], theirs: readonly OrderPrice[]): readonly OrderPrice[] | null {
  const told = theirs.filter((price) => price.kind === kind)
  const untold = theirs.filter((price) => price.kind === null)
  if (untold.length === 0) return told
  if (theirs.some((price) => price.kind === 'flights'))
    return kind === 'flights' ? told : theirs.filter((price) => price.kind !== 'flights')
  const unpriced = new Set(carried.filter((each) => !theirs.some((price) => price.kind === each)))
  if (untold.length === 1 && unpriced.size === 1) return unpriced.has(kind) ? untold : told
  // Some other document's warning names those that tell nothing.
  return told.length > 0 && unpriced.size > 0 ? told : null
}

/** Amounts that are not taken stand in the warning, so that nobody needs the file to enter them. */
function namesOf(prices: readonly OrderPrice[]): string {
  const amounts = prices.map(({ fare }) => fare.total ?? fare.equivalent ?? fare.base).filter((each) => each !== null)
  const names = amounts.slice(0, MOST_NAMED).map(({ currency, amount }) => `${currency} ${amount}`)
  return names.length > 0 ? ` (${names.join(', ')})` : ''
}

/** The sum of two fares; null where they are not in the same currencies. */
function added(one: Fare, other: Fare): Fare | null {
  const [base, equivalent, total] = [
    together(one.base, other.base),
    together(one.equivalent, other.equivalent),
    together(one.total, other.total),
  ]
  if (base === false || equivalent === false || total === false) return null
  const rate = one.rate === other.rate ? one.rate : null
  return { ...one, base, equivalent, rate, total, taxes: [...one.taxes, ...other.taxes] }
}

/** False where they cannot be added up. */
const together = (one: PrintedMoney | null, other: PrintedMoney | null): PrintedMoney | null | false =>
  one === null && other === null ? null : (sumOf([one, other]) ?? false)
