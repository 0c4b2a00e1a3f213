import type { TicketFile } from '../../ticket-file.ts'
import { descendants, element, firstTextAt, type TicketXmlElement } from '../xml/parse-xml.ts'

export type Locators = TicketFile['airlineLocators']

/** A record locator; the reference of a shop can have any other form. */
const LOCATOR = /^[A-Z\d]{5,8}$/i

/**
 * The locator of every airline, and that of the reservation: one of another company belongs to the selling system.
 * `owner` is the airline of the order, which may be missing from its own reference.
 */
export function orderLocators(
  response: TicketXmlElement,
  owner: string | null,
): Pick<TicketFile, 'pnr' | 'airlineLocators'> {
  const printed = [...descendants(response, 'BookingReference'), ...descendants(response, 'BookingRef')].flatMap(
    (reference) => {
      const locator = firstTextAt(reference, 'ID', 'BookingID')
      const airline = firstTextAt(reference, 'AirlineID', 'BookingEntity/Carrier/AirlineDesigCode')
      const isOwners = reference.name === 'BookingRef' && element(reference, 'BookingEntity') === undefined
      return locator === null ? [] : [{ airline: isOwners ? owner : airline, locator }]
    },
  )
  const airlineLocators = [
    ...new Map(
      printed.flatMap(({ airline, locator }) =>
        airline === null ? [] : [[`${airline} ${locator}`, { airline, locator }] as const],
      ),
    ).values(),
  ]
  const own = printed.find(({ airline, locator }) => airline === null && LOCATOR.test(locator)) ?? airlineLocators[0]
  return { pnr: own?.locator ?? printed[0]?.locator ?? orderIdOf(response), airlineLocators }
}

/** Airlines put the id in the order's element, or in the answer to its cancellation. */
export function orderIdOf(response: TicketXmlElement): string | null {
  const order = element(response, 'Order')
  return (
    order?.attributes.OrderID ??
    firstTextAt(order, 'OrderID') ??
    firstTextAt(response, 'OrderReference', 'OrderID', 'OrderRefID')
  )
}
