import { currencyDigits, fixed } from '../../../../platform/money.ts'
import { type Fare, NO_FARE, type PrintedMoney, type Tax } from '../../ticket-file.ts'
import { moneyOf } from '../printed.ts'
import { descendants, element, elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

/** The price of something in an order, for each of its passengers. */
export type OrderPrice = {
  readonly passengers: readonly string[]
  /** What it is the price of: flights, which a ticket carries, or a service, which none does; null is not told. */
  readonly kind: 'flights' | 'service' | null
  readonly fare: Fare
  /** What is sold beside flights. */
  readonly service: string | null
  /** Whether the price may as well be the sum of its passengers', which nothing in the order tells apart. */
  readonly unclear: boolean
  /** Whether an amount in it cannot be read. */
  readonly spoilt: boolean
}

/** What an item tells of all its prices. */
type Item = Pick<OrderPrice, 'kind' | 'service'> & { readonly isSum: boolean }

/** What identifies a service other than a flight: its definition, or its seat. */
const SERVICES = ['ServiceDefinitionRef', 'ServiceDefinitionRefID', 'Seat'] as const
/** What the flights of a service are told by, in versions 17.2 to 21.3. */
const FLIGHTS = ['SegmentRef', 'SegmentRefs', 'FlightRefs', 'PaxSegmentRefID', 'PaxJourneyRefID'] as const
/** The elements of a price that are amounts. */
const AMOUNTS = ['BaseAmount', 'Amount', 'SimpleCurrencyPrice', 'TotalAmount'] as const

/** The amount of an element, with the currency that version 17.2 calls `Code` and later ones `CurCode`. */
export function moneyInElement(printed: TicketXmlElement | undefined): PrintedMoney | null {
  if (!printed) return null
  const currency = printed.attributes.CurCode ?? printed.attributes.Code ?? ''
  return moneyOf(currency, withoutEndlessZeros(printed.text, currencyDigits(currency)))
}

/** Some airlines print twenty decimals. Those that a currency does not have say nothing, as long as they are zeros. */
function withoutEndlessZeros(amount: string, digits: number): string {
  const [whole = '', decimals = ''] = amount.split('.', 2)
  if (!/^0+$/.test(decimals.slice(digits))) return amount
  return digits === 0 ? whole : `${whole}.${decimals.slice(0, digits)}`
}

export function pricesOf(response: TicketXmlElement): readonly OrderPrice[] {
  const services = servicesById(response)
  return descendants(response, 'OrderItem').flatMap((item) => {
    const details = elements(item, 'FareDetail')
    const sold = {
      kind: kindWithoutComponents(item),
      service: serviceOf(item, services),
      isSum: isSumOfPassengers(item, details),
    }
    return details.map((detail) => priceOf(detail, sold))
  })
}

function priceOf(detail: TicketXmlElement, item: Item): OrderPrice {
  const passengers = passengersOf(detail)
  const kind = element(detail, 'FareComponent') ? 'flights' : item.kind
  return {
    passengers,
    kind,
    fare: fareOf(detail),
    service: kind === 'flights' ? null : item.service,
    unclear: item.isSum && passengers.length > 1,
    spoilt: isSpoilt(priceIn(detail)),
  }
}

/**
 * Of what the prices of an item are that have no fare component, which not every airline prints. An item of flights may
 * have services in it, such as the bag that is free: only one of flights alone, or of services alone, is certain.
 */
function kindWithoutComponents(item: TicketXmlElement): OrderPrice['kind'] {
  if (elements(item, 'FareDetail', 'FareComponent').length > 0) return null
  const services = hasAny(item, SERVICES)
  const flights = elements(item, 'Service').some((each) => !hasAny(each, SERVICES) && hasAny(each, FLIGHTS))
  if (services === flights) return null
  return services ? 'service' : 'flights'
}

const hasAny = (within: TicketXmlElement, names: readonly string[]): boolean =>
  names.some((name) => descendants(within, name).length > 0)

const passengersOf = (detail: TicketXmlElement): readonly string[] =>
  [...elements(detail, 'PassengerRefs'), ...elements(detail, 'PassengerRef'), ...elements(detail, 'PaxRefID')]
    .flatMap(({ text }) => text.split(/\s+/))
    .filter((id) => id !== '')

const priceIn = (detail: TicketXmlElement): TicketXmlElement | undefined =>
  element(detail, 'Price') ?? element(detail, 'FarePriceType', 'Price')

const isSpoilt = (price: TicketXmlElement | undefined): boolean =>
  price !== undefined &&
  AMOUNTS.flatMap((name) => descendants(price, name)).some(
    (each) => each.children.length === 0 && !moneyInElement(each),
  )

/** Version 17.2 wraps the total in its form. */
function totalIn(price: TicketXmlElement | undefined): PrintedMoney | null {
  const total = price && element(price, 'TotalAmount')
  if (!total) return null
  return moneyInElement(
    element(total, 'SimpleCurrencyPrice') ?? element(total, 'DetailCurrencyPrice', 'Total') ?? total,
  )
}

function fareOf(detail: TicketXmlElement): Fare {
  const price = priceIn(detail)
  if (!price) return NO_FARE
  const sold = moneyInElement(element(price, 'BaseAmount'))
  const filed = moneyInElement(element(price, 'FareFiledIn', 'BaseAmount'))
  const elsewhere = filed !== null && sold !== null && filed.currency !== sold.currency
  return {
    ...NO_FARE,
    base: elsewhere ? filed : sold,
    equivalent: elsewhere ? sold : null,
    rate: elsewhere ? rateOf(textAt(price, 'FareFiledIn', 'ExchangeRate')) : null,
    taxes: taxesOf(price),
    total: totalIn(price),
  }
}

const rateOf = (printed: string | null): string | null =>
  printed !== null && /^\d{1,15}(?:\.\d{1,10})?$/.test(printed) ? printed : null

function taxesOf(price: TicketXmlElement): readonly Tax[] {
  const printed = [...elements(price, 'Taxes', 'Breakdown', 'Tax'), ...elements(price, 'TaxSummary', 'Tax')]
  const taxes = printed.flatMap((tax) => {
    const money = moneyInElement(element(tax, 'Amount'))
    return money ? [{ ...money, code: textAt(tax, 'TaxCode') ?? 'XT', nature: null }] : []
  })
  if (printed.length > 0) return taxes
  const sum = moneyInElement(element(price, 'Taxes', 'Total') ?? element(price, 'TaxSummary', 'TotalTaxAmount'))
  return sum && fixed(sum.amount) > 0n ? [{ ...sum, code: 'XT', nature: null }] : []
}

/**
 * A price of several passengers is what each of them pays. Where the item's own total is the sum of its prices as they
 * are, that cannot be so.
 */
function isSumOfPassengers(item: TicketXmlElement, details: readonly TicketXmlElement[]): boolean {
  const total = totalIn(element(item, 'PriceDetail') ?? element(item, 'Price'))
  if (!total || !details.some((detail) => passengersOf(detail).length > 1)) return false
  const totals = details.map((detail) => totalIn(priceIn(detail)))
  const sum = totals.reduce((all, each) => all + fixed(each?.amount ?? '0'), 0n)
  return totals.every((each) => each?.currency === total.currency) && sum === fixed(total.amount)
}

function servicesById(response: TicketXmlElement): ReadonlyMap<string, string> {
  const definitions = elements(response, 'DataLists', 'ServiceDefinitionList', 'ServiceDefinition')
  return new Map(
    definitions.flatMap((each) => {
      const [id, name] = [
        each.attributes.ServiceDefinitionID ?? textAt(each, 'ServiceDefinitionID'),
        textAt(each, 'Name'),
      ]
      return id && name ? [[id, name] as const] : []
    }),
  )
}

function serviceOf(item: TicketXmlElement, services: ReadonlyMap<string, string>): string | null {
  const ids = [...descendants(item, 'ServiceDefinitionRefID'), ...descendants(item, 'ServiceDefinitionRef')]
  return ids.map(({ text }) => services.get(text)).find((name) => name !== undefined) ?? null
}
