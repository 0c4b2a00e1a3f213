import type { TicketDocument, TicketLeg } from '../../ticket-file.ts'
import { BLANK_LEG } from '../blank.ts'
import { printedTime } from '../iso-times.ts'
import type { Warn } from '../warnings.ts'
import { type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

const PEGASUS = 'PC'
/** With the airline, or without where it is Pegasus. */
const FLIGHT = /^(?:([A-Z][A-Z\d]|\d[A-Z]) ?)?(\d{1,4})$/

/** The coupons of a ticket have no numbers: they are counted. */
export const couponStatuses = (coupons: readonly TicketXmlElement[]): TicketDocument['coupons'] =>
  coupons.flatMap((coupon, at) => {
    const status = textAt(coupon, 'COUPON_STATUS')
    return status === null ? [] : [{ number: at + 1, status }]
  })

export function legOfCoupon(coupon: TicketXmlElement, warn: Warn): TicketLeg | null {
  const [from, to] = [textAt(coupon, 'ORIGIN') ?? '', textAt(coupon, 'DESTINATION') ?? '']
  const printed = textAt(coupon, 'FLIGHT_NO') ?? ''
  const [, airline = PEGASUS, flight = ''] = FLIGHT.exec(printed) ?? []
  if (from === '' || to === '' || flight === '') {
    warn('leg', `The flight "${printed}" ${from}-${to} cannot be read and was left out. Check the itinerary.`)
    return null
  }
  return {
    ...BLANK_LEG,
    airline,
    flight,
    from,
    to,
    departure: printedTime(textAt(coupon, 'DEP_DATE')),
    arrival: printedTime(textAt(coupon, 'ARR_DATE')),
    bookingClass: textAt(coupon, 'REZ_CLASS'),
    fareBasis: textAt(coupon, 'FAREBASIS'),
  }
}
