import type { TicketDocument, TicketFile, TicketLeg } from '../../ticket-file.ts'
import { lastDay, nextDay } from '../days.ts'
import { printedText } from '../printed.ts'
import type { Warn } from '../warnings.ts'
import { airFlightOf, type Beside, segmentNumberOf } from './flights.ts'
import { type Air, everyLine, field, includes, type Line, linesOf } from './lines.ts'

/** The first and last day of a sector's validity, `XX25FEB` without a first day. */
const VALIDITY = /^(XX|\d{2}[A-Z]{3})(XX|\d{2}[A-Z]{3})$/
/** A sector without a flight, by coach or other means. */
const SURFACE = /^(?:VOID|COACH-(?:UN)?RESERVED)$/
const AIRLINE = [0, 6] as const

export type Segments = {
  readonly legs: readonly TicketLeg[]
  /** The sectors of a ticket in order, including surface sectors: the index of each in `legs`. */
  readonly sectors: readonly (number | null)[]
  readonly coupons: TicketDocument['coupons']
}

/**
 * The ticketed flights in order, and the flights of EMDs, which may have been ticketed before. A reservation has only
 * flights without tickets.
 */
export function readAirSegments(
  air: Air,
  context: {
    readonly reference: string
    readonly isReservation: boolean
    readonly locators: TicketFile['airlineLocators']
  },
  warn: Warn,
): Segments {
  const { reference, isReservation, locators } = context
  const besideOf = besides(air)
  const lines = linesOf(air.common, 'H-')
  const flown = lines.filter((line) => !isSurface(line))
  const validities = linesOf(air.common, 'O-').flatMap(({ fields }) => fields.map((each) => VALIDITY.exec(each.trim())))
  const ticketed = new Map(
    flown.map((line, at) => {
      const leg = airFlightOf(line, reference, besideOf(line, at), true)
      if (!leg) warn('segment', `Segment ${at + 1} has no airline or no airports and was left out. Enter it by hand.`)
      return [line, leg && { ...leg, ...validOn(leg, validities[at] ?? null, reference) }] as const
    }),
  )
  const legs = [...ticketed.values()].filter((leg) => leg !== null)
  const others = flightsWithoutTickets(air, reference, isReservation, besideOf)
  const places = new Map(legs.map((leg, at) => [leg, at]))
  return {
    legs: [...legs, ...others].map((leg) => ({ ...leg, airlineLocator: locatorOf(leg, locators) })),
    sectors: lines.map((line) => {
      const leg = ticketed.get(line)
      return leg ? (places.get(leg) ?? null) : null
    }),
    coupons: flown.flatMap((line, at) => {
      const status = ticketed.get(line)?.status
      return status ? [{ number: at + 1, status }] : []
    }),
  }
}

const isSurface = (line: Line): boolean => SURFACE.test(field(line, 5).trim())

function flightsWithoutTickets(
  air: Air,
  reference: string,
  isReservation: boolean,
  besideOf: (line: Line) => Beside,
): TicketLeg[] {
  const paidFor = everyLine(air, 'EMD').flatMap(({ segments }) => segments ?? [])
  return linesOf(air.common, 'U-')
    .filter((line) => !isSurface(line) && (isReservation || includes(paidFor, segmentNumberOf(line))))
    .flatMap((line) =>
      Number.isNaN(segmentNumberOf(line)) ? [] : (airFlightOf(line, reference, besideOf(line), false) ?? []),
    )
}

/** Data about a segment from other lines; fare bases are those of the ticketed flights, in order. */
function besides(air: Air): (line: Line, at?: number) => Beside {
  const fareBases = linesOf(air.common, 'M-').flatMap((line) => line.fields.map(fareBasisOf))
  const operating = operatingAirlines(air)
  return (line, at) => ({
    fareBasis: at === undefined ? null : (fareBases[at] ?? null),
    operatingAirline: operating.get(placeOf(line)) ?? null,
  })
}

/** A surface sector has no fare basis. The designator of a discount follows a slash. */
const fareBasisOf = (printed: string): string | null => printedText(printed.split('/', 1)[0]?.replace(/\s+/g, ' '))

/** Tattoo and number, which all lines of a segment share. */
const placeOf = (line: Line): string => `${field(line, 0).slice(0, 3)} ${field(line, 1).slice(0, 3)}`

/** The operating airline: its name in Y-, otherwise the airline of the other flight number in X-. */
function operatingAirlines(air: Air): ReadonlyMap<string, string> {
  const shared = linesOf(air.common, 'X-').map((line) => [placeOf(line), field(line, 5).slice(...AIRLINE)] as const)
  const named = linesOf(air.common, 'Y-').map((line) => [placeOf(line), field(line, 5)] as const)
  return new Map(
    [...shared, ...named].map(([at, code]) => [at, code.trim()] as const).filter(([, code]) => code !== ''),
  )
}

/** The years of the first and last day of validity follow from the departure between them, or from the day of issue. */
function validOn(
  { departure }: TicketLeg,
  printed: RegExpExecArray | null,
  reference: string,
): Pick<TicketLeg, 'notValidBefore' | 'notValidAfter'> {
  const [, before = '', after = ''] = printed ?? []
  const day = departure?.slice(0, 10) ?? null
  return {
    notValidBefore: day ? lastDay(before, day, 0) : nextDay(before, reference),
    notValidAfter: nextDay(after, day ?? reference, 0),
  }
}

const locatorOf = ({ airline }: TicketLeg, locators: TicketFile['airlineLocators']): string | null =>
  locators.find((each) => each.airline === airline)?.locator ?? null
