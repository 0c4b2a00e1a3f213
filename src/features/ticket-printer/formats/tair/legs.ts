import type { TicketLeg } from '../../ticket-file.ts'
import { BLANK_LEG } from '../blank.ts'
import { nextDay, printedClock } from '../days.ts'
import { printedText } from '../printed.ts'
import { at, freeText, type TairRecord } from './records.ts'

const TICKETED = new Set(['01', '*1'])
/** Stops, whether the flight is shared, airline and number. */
const FLIGHT = /^(.)(.)([A-Z\d]{2}) *(\d{1,4})/
/** Airport, day and time, as `IST10MAR0810A`. */
const END = /^([A-Z]{3})(\d{2}[A-Z]{3})(\d{4}[APNM]?)/

/** Behind a flight: `OPERATED BY LUFTHANSA-LH5123`. */
const OPERATED = { id: '06', by: /-([A-Z\d]{2}) ?\d{1,4}$/ } as const

/** The ticketed flights; a leg departs on or after the day of issue, and arrives on or after its departure. */
export const tairLegs = (records: readonly TairRecord[], issued: string): readonly TicketLeg[] =>
  records.flatMap((record, place) => {
    if (!TICKETED.has(record.id)) return []
    const next = records[place + 1]
    const operator = next?.id === OPERATED.id ? OPERATED.by.exec(freeText(next))?.[1] : undefined
    return legOf(record, issued).map((leg) => ({ ...leg, operatingAirline: operator ?? null }))
  })

function legOf(record: TairRecord, issued: string): TicketLeg[] {
  // The first two characters of the field may be blanks: it is not trimmed.
  const [, stops = '', , airline, flight] = FLIGHT.exec(record.fields[2] ?? '') ?? []
  const [, from, departs = '', departsAt = ''] = END.exec(at(record, 4)) ?? []
  const [, to, arrives = '', arrivesAt = ''] = END.exec(at(record, 5)) ?? []
  if (!airline || !flight || !from || !to) return []
  const departed = nextDay(departs, issued)
  const arrived = departed === null ? null : nextDay(arrives, departed, 1)
  return [
    {
      ...BLANK_LEG,
      airline,
      flight: flight.replace(/^0+(?=\d)/, ''),
      from,
      to,
      departure: timeOf(departed, departsAt),
      arrival: timeOf(arrived, arrivesAt),
      departureTerminal: printedText(at(record, 16)),
      arrivalTerminal: printedText(at(record, 17)),
      bookingClass: printedText(at(record, 3)),
      fareBasis: printedText(at(record, 11)),
      status: printedText(at(record, 9).slice(0, 2)),
      baggage: printedText(at(record, 8)),
      stops: /\d/.test(stops) ? Number(stops) : null,
      equipment: printedText(at(record, 10)),
    },
  ]
}

function timeOf(day: string | null, printed: string): string | null {
  const time = printedClock(printed)
  return day !== null && time !== null ? `${day}T${time}` : null
}
