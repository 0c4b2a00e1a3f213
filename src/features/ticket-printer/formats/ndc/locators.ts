import type { TicketFile } from '../../ticket-file.ts'
import { descendants, element, firstTextAt, type TicketXmlElement } from '../xml/parse-xml.ts'

export type Locators = TicketFile['airlineLocators']

/** Of a reservation; the reference of a shop may have any other form. */
const LOCATOR = /^[A-Z\d]{5,8}$/i

/**
 * Every airline's locator, and that of the reservation: one of somebody else is the system's that sold it. `owner` is
 * the airline of the order, whose own reference may not name it.
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

/** Airlines name the order in its element, or in the answer to its cancellation. */
export function orderIdOf(response: TicketXmlElement): string | null {
  const order = element(response, 'Order')
  return (
    order?.attributes.OrderID ??
    firstTextAt(order, 'OrderID') ??
    firstTextAt(response, 'OrderReference', 'OrderID', 'OrderRefID')
  )
}
