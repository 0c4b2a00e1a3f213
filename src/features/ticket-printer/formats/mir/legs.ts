import type { TicketLeg } from '../../ticket-file.ts'
import { BLANK_LEG } from '../blank.ts'
import { fullDay, movedDay, nextDay, printedClock } from '../days.ts'
import { printedText } from '../printed.ts'
import type { Bases } from './bases.ts'
import { cutLine } from './columns.ts'
import type { Mir } from './mir.ts'

const LEG = {
  segment: [3, 2],
  airline: [5, 2],
  numeric: [7, 3],
  flight: [22, 4],
  bookingClass: [26, 2],
  status: [28, 2],
  day: [30, 5],
  departure: [35, 5],
  arrival: [40, 5],
  arrivalDay: [45, 1],
  from: [46, 3],
  to: [62, 3],
  stopover: [84, 1],
  stops: [85, 1],
  baggage: [86, 3],
  equipment: [89, 4],
  terminal: [93, 3],
} as const
const AIRLINE = { airline: LEG.airline } as const
const TAGS_AT = 101
/** The day of departure with its year, if the system sends it. */
const FULL_DAY = 'DDL:'
const SURFACE = { at: 5, text: 'ARNK' } as const
/** Days between departure and arrival, by code. */
const ARRIVES: Readonly<Record<string, number>> = { 1: -1, 2: 0, 3: 1, 4: 2 }
const PLACE = /^[A-Z]{3}$/
/** Both tags begin with it. */
const OPERATOR_TAG = 'AC'
/** The name of the operating airline, in full or cut to 12 characters. */
const OPERATOR_CUT = /AC:(.{1,12})/
const OPERATOR = /ACL:(.{1,40}?)(?: {2}|[A-Z]{2,3}:|$)/
const NAME = { at: 10, length: 12 } as const
const NAME_IN_FULL = /ANL:(.{1,24})/
/** A shorter name could be mistaken for a code. */
const SHORTEST_NAME = 4

/** The ticketed flights by their numbers in the reservation. None departs before the day `since`. */
export function mirLegs(mir: Mir, bases: Bases, since: string): ReadonlyMap<string, TicketLeg> {
  const legs = new Map<string, TicketLeg>()
  let codes: ReadonlyMap<string, string> | undefined
  const codesByName = () => (codes ??= codesOfAirlines(mir))
  for (const { line } of mir.items('A04')) {
    const leg = cutLine(line, LEG)
    const { segment, airline, from, to } = leg
    if (line.startsWith(SURFACE.text, SURFACE.at)) continue
    if (airline.length === 2 && PLACE.test(from) && PLACE.test(to))
      legs.set(segment, {
        ...legOf(leg, dayOf(line, leg.day, since), bases),
        operatingAirline: operatorOf(line, airline, codesByName),
      })
    else mir.warn('unreadable_leg', `Segment ${segment} cannot be read and was left out. Check the flights.`)
  }
  return legs
}

function legOf(leg: Readonly<Record<keyof typeof LEG, string>>, day: string | null, { ofSegment }: Bases): TicketLeg {
  const days = ARRIVES[leg.arrivalDay]
  const basis = ofSegment.get(leg.segment)
  return {
    ...BLANK_LEG,
    airline: leg.airline,
    flight: leg.flight,
    from: leg.from,
    to: leg.to,
    departure: timeOn(day, leg.departure),
    arrival: day === null || days === undefined ? null : timeOn(movedDay(day, days), leg.arrival),
    departureTerminal: printedText(leg.terminal),
    arrivalTerminal: null,
    bookingClass: printedText(leg.bookingClass),
    fareBasis: basis?.fareBasis ?? null,
    status: printedText(leg.status),
    baggage: basis?.baggage ?? printedText(leg.baggage),
    notValidBefore: basis?.notValidBefore ?? null,
    notValidAfter: basis?.notValidAfter ?? null,
    stops: /^\d$/.test(leg.stops) ? Number(leg.stops) : null,
    equipment: printedText(leg.equipment),
    stopover: leg.stopover === '' ? null : leg.stopover === 'O',
  }
}

function dayOf(line: string, printed: string, since: string): string | null {
  const at = line.indexOf(FULL_DAY, TAGS_AT)
  const inFull = at < 0 ? null : fullDay(line.slice(at + FULL_DAY.length, at + FULL_DAY.length + 7), since)
  return inFull ?? nextDay(printed, since)
}

function timeOn(day: string | null, printed: string): string | null {
  const time = printedClock(printed)
  return day === null || time === null ? null : `${day}T${time}`
}

/** The accounting number of an airline, from its flights. */
export function numericInLegs(mir: Mir, airline: string): string | null {
  const legs = mir.items('A04').map(({ line }) => cutLine(line, LEG))
  return legs.find((leg) => leg.airline === airline && /^\d{3}$/.test(leg.numeric))?.numeric ?? null
}

/** The codes of airlines by their names in the file, in full and truncated. */
function codesOfAirlines(mir: Mir): ReadonlyMap<string, string> {
  const { airline, airlineName } = mir.header
  const flights = [...mir.items('A04'), ...mir.items('A05')].flatMap(({ line }) => {
    const code = cutLine(line, AIRLINE).airline
    const names = [line.slice(NAME.at, NAME.at + NAME.length), NAME_IN_FULL.exec(line.slice(TAGS_AT))?.[1] ?? '']
    return names.map((name) => [name.trim(), code] as const)
  })
  return new Map([[airlineName, airline], ...flights])
}

/** The operating airline: the code if the file has one for the name, otherwise the name. */
function operatorOf(line: string, airline: string, codesByName: () => ReadonlyMap<string, string>): string | null {
  if (!line.includes(OPERATOR_TAG, TAGS_AT)) return null
  const tags = line.slice(TAGS_AT)
  const name = (OPERATOR.exec(tags)?.[1] ?? OPERATOR_CUT.exec(tags)?.[1] ?? '').trim()
  if (name === '') return null
  const codes = codesByName()
  const code = codes.get(name) ?? codes.get(name.slice(0, NAME.length)) ?? null
  if (code === null) return name.length >= SHORTEST_NAME ? name : null
  return code === airline ? null : code
}
