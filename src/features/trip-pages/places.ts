import { placeNameIn } from '../../geography/places.ts'
import { type Html, html } from '../../platform/page/html.ts'
import { isPictureUrl } from '../trips/reads/picture-url.ts'
import type { PublicDay, PublicSegment } from './public-trip.store.ts'
import { nameOf } from './reads/segment-names.ts'
import type { Words } from './reads/words.ts'

/** A map link of the place: its address, or its name in the day's town. */
export function placeLink(segment: PublicSegment, town: string | null, { language }: Words): Html | null {
  const { place, address } = segment
  if (!place && !address) return null
  const query = [place, address ?? town].filter(Boolean).join(', ')
  const href = `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query })}`
  const shown = address && place === nameOf(segment, language) ? address : [place, address].filter(Boolean).join(', ')
  return html`<p dir="auto"><a href="${href}">${shown}</a></p>`
}

/** Where a day is, in the page’s language if it is known there. */
export const townOf = ({ location, latitude, longitude }: PublicDay, { language }: Words): string | null =>
  location === null || latitude === null || longitude === null
    ? location
    : placeNameIn(language, location, { latitude, longitude })

/** A picture that the agency chose: the trip's own as a cover, or one further down. Only what a browser fetches safely is asked for. */
export function picture(url: string | null, look: 'cover' | 'wide'): Html | null {
  if (!url || !isPictureUrl(url)) return null
  return html`<img class="${look}" src="${url}" alt=""${look === 'wide' && url.startsWith('https:') && html` loading="lazy"`}>`
}
