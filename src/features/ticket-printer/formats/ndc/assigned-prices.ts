import { type Fare, type Money, NO_FARE } from '../../ticket-file.ts'
import { sumOf } from '../sums.ts'
import type { ListedDocument } from './documents.ts'
import type { Price } from './prices.ts'

/** What a document costs and pays for; a `problem` says why that is not known, `spoilt` that an amount is missing. */
export type Assigned = {
  readonly fare: Fare
  readonly service: string | null
  readonly problem: string | null
  readonly spoilt: boolean
}

/**
 * An order prices its items and lists its documents, and joins the two by the passenger alone: flights belong to the
 * passenger's one ticket, everything else to the passenger's one EMD. With more documents of a kind nobody can tell.
 */
export function assignedPrice(
  document: ListedDocument,
  documents: readonly ListedDocument[],
  prices: readonly Price[],
): Assigned {
  const unknown = (problem: string): Assigned => ({ fare: NO_FARE, service: null, problem, spoilt: false })
  const flights = document.kind === 'ticket'
  const own = prices.filter((price) => price.flights === flights && price.passengers.includes(document.passenger ?? ''))
  const like = documents.filter((each) => each.kind === document.kind && each.passenger === document.passenger)
  if (own.length === 0) return unknown('the order has no price for it')
  if (like.length > 1)
    return unknown('the passenger has several documents of this kind, and the order does not split it')
  if (own.some(({ unclear }) => unclear)) return unknown('it is the sum of several passengers')
  const [first = NO_FARE, ...rest] = own.map((price) => price.fare)
  const fare = rest.reduce<Fare | null>((all, each) => all && added(all, each), first)
  if (fare === null) return unknown('its parts are in several currencies')
  const services = own.map(({ service }) => service).filter((service) => service !== null)
  return { fare, service: services.join(', ') || null, problem: null, spoilt: own.some((price) => price.spoilt) }
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
const together = (one: Money | null, other: Money | null): Money | null | false =>
  one === null && other === null ? null : (sumOf([one, other]) ?? false)
