import { type Fare, NO_FARE, type PrintedMoney } from '../../ticket-file.ts'
import { sumOf } from '../sums.ts'
import type { ListedDocument } from './documents.ts'
import { type OrderPrice, pricedIn } from './prices.ts'
import type { ServiceDefinition } from './services.ts'

/**
 * The price and services of a document; `problem` is why they are unknown, `spoilt` means that an amount is missing.
 */
export type Assigned = Pick<OrderPrice, 'fare' | 'services' | 'owner' | 'fareCalculation' | 'tourCode' | 'spoilt'> & {
  readonly problem: string | null
  /** The prices that it is the sum of, or that it may have. */
  readonly prices: readonly OrderPrice[]
}

/** A warning names at most this many prices. */
const MOST_NAMED = 20

/**
 * An order prices its items and lists its documents, and only the passenger connects the two: flights belong to the
 * passenger's one ticket, everything else to the passenger's one EMD. With several documents of a kind the price is
 * unknown, unless it is printed beside the document.
 */
export function assignedPrice(
  document: ListedDocument,
  documents: readonly ListedDocument[],
  prices: readonly OrderPrice[],
): Assigned {
  const kind = kindOf(document)
  const theirs = prices.filter((price) => price.passengers.includes(document.passenger ?? ''))
  const assigned = (given: Partial<Assigned>, from: readonly OrderPrice[]): Assigned => ({
    fare: NO_FARE,
    services: [],
    owner: firstIn(from, 'owner'),
    fareCalculation: firstIn(from, 'fareCalculation'),
    tourCode: firstIn(from, 'tourCode'),
    spoilt: false,
    problem: null,
    prices: from,
    ...given,
  })
  const carried = documents.filter((each) => each.passenger === document.passenger).map(kindOf)
  const own = ownPrices(kind, carried, theirs)
  const beside = document.priced && pricedIn(document.priced)
  if (beside?.fare.total && (beside.fare.base || !own?.length)) {
    const all = [beside, ...(own ?? [])]
    const terms = { fareCalculation: firstIn(all, 'fareCalculation'), tourCode: firstIn(all, 'tourCode') }
    return assigned({ ...beside, ...terms, services: servicesOf(kind, own ?? []) }, own ?? [])
  }
  if (own === null) {
    const unknown = theirs.filter((price) => price.kind === kind || price.kind === null)
    const problem = `the order does not state which price belongs to the flights and which to a service${namesOf(unknown)}`
    return assigned({ problem }, unknown)
  }
  const unknown = (problem: string): Assigned => assigned({ problem }, own)
  if (own.length === 0) return unknown('the order has no price for it')
  const rivals = documents.filter((each) => each.passenger === document.passenger && kindOf(each) === kind)
  const paid = rivals.length > 1 ? namedByCoupons(document, rivals, own) : own
  if (paid === null) return unknown('the passenger has several documents of this kind, and the order does not split it')
  if (paid.some(({ unclear }) => unclear)) return unknown('it is the sum of several passengers')
  const [first = NO_FARE, ...rest] = paid.map((price) => price.fare)
  const spoilt = paid.some((price) => price.spoilt)
  const fare = rest.reduce<Fare | null>((all, each) => all && added(all, each, spoilt), first)
  if (fare === null) return unknown('its parts cannot be added up')
  return assigned({ fare, services: servicesOf(kind, paid), spoilt }, paid)
}

const firstIn = <K extends string>(from: readonly Readonly<Record<K, string | null>>[], name: K): string | null =>
  from.find((each) => each[name] !== null)?.[name] ?? null

const servicesOf = (kind: Kind, own: readonly OrderPrice[]): readonly ServiceDefinition[] =>
  kind === 'service' ? own.flatMap(({ services }) => services) : []

/** What a document pays for. */
type Kind = NonNullable<OrderPrice['kind']>

const kindOf = ({ kind }: ListedDocument): Kind => (kind === 'ticket' ? 'flights' : 'service')

/**
 * The passenger's prices that belong to documents of a kind; null if unknown. If there is a price of flights, prices of
 * unknown kind are services. Otherwise there may be only one of unknown kind, and it belongs to the documents without a
 * price: to the ticket or the EMD, unless both have none.
 */
function ownPrices(kind: Kind, carried: readonly Kind[], theirs: readonly OrderPrice[]): readonly OrderPrice[] | null {
  const known = theirs.filter((price) => price.kind === kind)
  const unknown = theirs.filter((price) => price.kind === null)
  if (unknown.length === 0) return known
  if (theirs.some((price) => price.kind === 'flights'))
    return kind === 'flights' ? known : theirs.filter((price) => price.kind !== 'flights')
  const unpriced = new Set(carried.filter((each) => !theirs.some((price) => price.kind === each)))
  if (unknown.length === 1 && unpriced.size === 1) return unpriced.has(kind) ? unknown : known
  // Another document's warning names those of unknown kind.
  return known.length > 0 && unpriced.size > 0 ? known : null
}

/**
 * If a passenger has several documents: the prices whose services or flights the coupons of one document name; null
 * unless each price is named by exactly one document.
 */
function namedByCoupons(
  document: ListedDocument,
  rivals: readonly ListedDocument[],
  prices: readonly OrderPrice[],
): readonly OrderPrice[] | null {
  const names = ({ coupons }: ListedDocument, price: OrderPrice): boolean =>
    coupons.some(
      ({ services, segments }) =>
        services.some((id) => price.serviceIds.includes(id)) || segments.some((id) => price.segments.includes(id)),
    )
  const isSplit = prices.every((price) => rivals.filter((rival) => names(rival, price)).length === 1)
  const named = prices.filter((price) => names(document, price))
  return isSplit && named.length > 0 ? named : null
}

/** The warning contains amounts that are not used, so that users can enter them without the file. */
function namesOf(prices: readonly OrderPrice[]): string {
  const names = prices.flatMap(({ fare }) => amountOf(fare) ?? []).slice(0, MOST_NAMED)
  return names.length > 0 ? ` (${names.join(', ')})` : ''
}

/** `EUR 120.00`: the total, otherwise the nearest amount. */
export function amountOf({ total, equivalent, base }: Fare): string | null {
  const money = total ?? equivalent ?? base
  return money && `${money.currency} ${money.amount}`
}

/**
 * The sum of two fares; null if their currencies differ. A part can consist of taxes only, unless an amount is
 * unreadable.
 */
function added(one: Fare, other: Fare, spoilt: boolean): Fare | null {
  const together = (first: PrintedMoney | null, second: PrintedMoney | null): PrintedMoney | null | false => {
    if (first === null || second === null) return spoilt && first !== second ? false : (first ?? second)
    return sumOf([first, second]) ?? false
  }
  const [base, equivalent, total] = [
    together(one.base, other.base),
    together(one.equivalent, other.equivalent),
    together(one.total, other.total),
  ]
  if (base === false || equivalent === false || total === false) return null
  const rate = one.rate === other.rate ? one.rate : null
  return { ...one, base, equivalent, rate, total, taxes: [...one.taxes, ...other.taxes] }
}
