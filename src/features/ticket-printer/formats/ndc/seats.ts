import type { Passenger } from '../../ticket-file.ts'
import { descendants, type TicketXmlElement } from '../xml/parse-xml.ts'
import { PASSENGER_REFS, refsOf, refsWithin, SEGMENT_REFS } from './references.ts'
import { seatIn } from './services.ts'

/** The seats of a passenger; `segments` has the ids of the legs, in order. */
export function orderedSeats(
  response: TicketXmlElement,
  passenger: string,
  segments: readonly string[],
): Passenger['seats'] {
  const services = descendants(response, 'Service').filter((service) =>
    refsOf(service, ...PASSENGER_REFS).includes(passenger),
  )
  return services.flatMap((service) => {
    const [leg] = refsWithin(service, ...SEGMENT_REFS)
      .map((id) => segments.indexOf(id))
      .filter((at) => at >= 0)
    const [seat] = descendants(service, 'Seat').flatMap((each) => seatIn(each) ?? [])
    return leg === undefined || seat === undefined ? [] : [{ leg, seat }]
  })
}
