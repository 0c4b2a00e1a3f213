import { airport } from '../../../geography/airports.ts'
import { placeNameIn } from '../../../geography/places.ts'
import type { Language } from '../../../platform/page/language.ts'
import type { PublicSegment } from '../public-trip.store.ts'

/** What a segment is called by. */
type Named = Pick<PublicSegment, 'type' | 'title' | 'place' | 'airline' | 'flight' | 'from' | 'to'>
/** The start or end of a flight, if known. */
export type End = Readonly<Record<'code' | 'city' | 'name' | 'timeZone', string | null>>

export function endOf(code: string | null, language: Language): End {
  const known = code === null ? null : airport(code)
  if (!known) return { code, city: null, name: null, timeZone: null }
  const { city, name, timeZone } = known
  return { code, city: city && placeNameIn(language, city, known), name, timeZone }
}

/** `TK 1985`; null if unknown, or part of the title. */
export function flightOf({ airline, flight, title }: Pick<Named, 'airline' | 'flight' | 'title'>): string | null {
  const number = flight && airline && flight.startsWith(airline) ? flight.slice(airline.length).trim() : flight
  const code = [airline, number].filter(Boolean).join(' ')
  return code === '' || title?.includes(code) ? null : code
}

/** What a segment is called: by its title, else by what it is. */
export function nameOf(segment: Named, language: Language): string | null {
  const { title, type, place, from, to } = segment
  if (title) return title
  if (type !== 'flight') return place
  const ends = [from, to].flatMap((code) => (code ? [endOf(code, language).city ?? code] : []))
  return ends.length > 0 ? ends.join(' → ') : flightOf(segment)
}
