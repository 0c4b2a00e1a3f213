import { fullDay } from '../days.ts'
import { cutRecord, FLIGHT, type RecordFields } from './columns.ts'
import { type IurFile, type IurRecord, iurRecords } from './records.ts'

/** A flight record, with the lines that follow it. */
export type Flight = RecordFields<typeof FLIGHT> & Pick<IurRecord, 'lines'>

const AIR = '1'
const AIRPORT = /^[A-Z]{3}$/
const AIRLINE = /^(?=.*[A-Z])[A-Z\d]{2}$/
const LOCATOR = /^[A-Z\d]{5,8}$/

/** Flights, without surface sectors and without the `**` that represents the itinerary in a refund. */
export const iurFlights = (file: IurFile): Flight[] =>
  iurRecords(file, 'M3')
    .map(({ line, lines }) => ({ ...cutRecord(line, FLIGHT), lines }))
    .filter(
      ({ product, airline, from, to }) =>
        product === AIR && AIRPORT.test(from) && AIRPORT.test(to) && AIRLINE.test(airline),
    )

/** The last departure printed with its year; null if there is none. */
export const lastDeparture = (flights: readonly Flight[], today: string): string | null =>
  flights
    .map(({ day, year }) => fullDay(day + year, today))
    .filter((day) => day !== null)
    .sort()
    .at(-1) ?? null

export const isLocator = (printed: string): boolean => LOCATOR.test(printed)

export function airlineLocators(flights: readonly Flight[]): { airline: string; locator: string }[] {
  const printed = flights.filter(({ locator }) => isLocator(locator))
  const unique = new Map(printed.map(({ airline, locator }) => [airline + locator, { airline, locator }]))
  return [...unique.values()]
}
