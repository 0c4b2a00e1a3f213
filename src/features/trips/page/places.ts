import { type Html, html } from '../../../platform/page/html.ts'
import { airport } from '../../airports.ts'
import type { PublicSegment } from './public-trip.store.ts'

/** Where a flight begins or ends, as far as it is known. */
export type End = Readonly<Record<'code' | 'city' | 'name' | 'timeZone', string | null>>

export function endOf(code: string | null): End {
  const { city = null, name = null, timeZone = null } = (code && airport(code)) || {}
  return { code, city, name, timeZone }
}

/** `TK 1985`; null where it is not known, or the title has it. */
export function flightOf({
  airline,
  flight,
  title,
}: Pick<PublicSegment, 'airline' | 'flight' | 'title'>): string | null {
  const number = flight && airline && flight.startsWith(airline) ? flight.slice(airline.length).trim() : flight
  const code = [airline, number].filter(Boolean).join(' ')
  return code === '' || title?.includes(code) ? null : code
}

/** What a segment is called: by its title, else by what it is. */
export function nameOf(segment: PublicSegment): string | null {
  const { title, type, place, from, to } = segment
  if (title) return title
  if (type !== 'flight') return place
  const ends = [from, to].flatMap((code) => (code ? [endOf(code).city ?? code] : []))
  return ends.length > 0 ? ends.join(' → ') : flightOf(segment)
}

/** The place as a link to a map: its address where there is one, else its name in the day's town. */
export function placeLink(segment: PublicSegment, town: string | null): Html | null {
  const { place, address } = segment
  if (!place && !address) return null
  const query = [place, address ?? town].filter(Boolean).join(', ')
  const href = `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query })}`
  const shown = address && place === nameOf(segment) ? address : [place, address].filter(Boolean).join(', ')
  return html`<p dir="auto"><a href="${href}">${shown}</a></p>`
}

/** A picture that the agency chose: the trip's own as a cover, or one further down. Only what a browser fetches safely is asked for. */
export function picture(url: string | null, look: 'cover' | 'wide'): Html | null {
  if (!url || URL.parse(url)?.protocol !== 'https:') return null
  return html`<img class="${look}" src="${url}" alt=""${look === 'wide' && html` loading="lazy"`}>`
}
