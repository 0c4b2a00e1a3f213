import type { TicketFile, TicketLeg } from '../../ticket-file.ts'
import type { Mir } from './mir.ts'

/** `VL-`, the time, the day and the city, then the office, the airline and its locator. */
const LOCATOR = /^A14VL-.{12}[A-Z]{2}([A-Z0-9]{2})([A-Z0-9]{5,8})\b/
/** Systems in which airlines keep reservations: `1A`, `1S`. */
const SYSTEM = /^1[A-Z]$/

type Locator = TicketFile['airlineLocators'][number]

/** The locator in a line of remarks; null for other remarks. */
export function locatorIn(line: string): Locator | null {
  const [, airline, locator] = LOCATOR.exec(line) ?? []
  return airline !== undefined && locator !== undefined ? { airline, locator } : null
}

/** The airlines' own locators: those in remarks, and that of the header. */
export function locatorsOf({ header, items }: Mir): readonly Locator[] {
  const remarks = items('A14').flatMap(({ line }) => locatorIn(line) ?? [])
  const { otherLocator, otherAirline } = header
  const hasOther = /^[A-Z0-9]{5,6}$/.test(otherLocator) && /^[A-Z0-9]{2}$/.test(otherAirline)
  const isKnown = remarks.some(({ locator }) => locator === otherLocator)
  return hasOther && !isKnown ? [...remarks, { airline: otherAirline, locator: otherLocator }] : remarks
}

/** The locator of a flight: that of its airline, or the only one of a system in which airlines keep reservations. */
export function withLocator(leg: TicketLeg, locators: readonly Locator[]): TicketLeg {
  const own = locators.find(({ airline }) => airline === leg.airline)
  const [shared, ...more] = locators.filter(({ airline }) => SYSTEM.test(airline))
  const found = own ?? (more.length === 0 ? shared : undefined)
  return { ...leg, airlineLocator: found?.locator ?? null }
}
