import { type Service, serviceOf } from '../piece.ts'
import { flightsOf, type Leg } from './flights.ts'

type Row = { readonly legs: readonly Leg[] | null; readonly pnr: string | null }

/** The flights of a ticket sale. One that lands on the next day is a flight of the day on which it departs. */
export const ticketService = ({ legs, pnr }: Row): Service | null => serviceOf(flightsOf(legs ?? []), pnr)
