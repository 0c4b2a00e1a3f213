import { termKey } from '../../../catalogue/term-key.ts'
import { countryNamed } from '../../countries.ts'
import { kilometresBetween, type Point } from '../../distance.ts'
import { type KnownPlace, placesCalled } from '../../places.ts'
import { inCountry, type Place } from './gazetteer.ts'

/** What the trip says of where a name may be. */
export type Hints = {
  /** The airports that the trip flies to and from. */
  readonly flown: readonly (Point & { readonly country: string })[]
  /** Countries of the destinations and of the supplier: a name is likely to be there. */
  readonly likely: ReadonlySet<string>
  /** Where the traveller was before. */
  readonly from: Point | null
}
/** `doubtful` is a name that is known but that may be anywhere; of one that nobody knows there is null. */
export type Named = Place | 'doubtful' | null
/** A venue is called after anything; an address or a day is called after where it is. */
export type NameOf = 'town' | 'venue'

/** Prominence is ten times a binary logarithm: so much more makes a place the one that is meant. */
const CLEARLY_MORE = 15
/** What a place is really called counts as much more than what some language calls it. */
const SPELLED_SO = 20
const SPELLED_WITH_ACCENTS = 40
/** So much the country of the supplier or of a destination counts: it may also be that of a wholesaler. */
const LIKELY = 40
/** A namesake that is so much better known is meant even by those who travel to the lesser one’s country. */
const DWARFED = 110
const PROMINENCE_MINIMUM: Readonly<Record<NameOf, number>> = { town: 165, venue: 220 }
const PROMINENCE_OF_RIVALS = 190
/** So far one gets from an airport, or from one part of a name to another, without a flight. */
const OVERLAND_KM = 1000
const NEAR_KM = 150
const SAME_PLACE_KM = 60
/** What is twice as far as this is as likely as what is half as prominent. */
const FAR_KM = 200
const BETWEEN_LEGS = /\s+[-–—]\s+|\s*(?:→|➜|➔|>|=>|->)\s*/
const BETWEEN_PARTS = /[,;/()|·•+&]+/
const INSIDE_PARTS = /[-–—]/
const ASCII = /^[\x20-\x7e]*$/
/** Words of an itinerary that are also towns. */
const NO_NAMES = new Set(
  'airport|atlantis|bahce|liman|aurora|bar|beach|center|city|gar|hilton|hotel|kale|mall|marina|merkez|old_town|otel|paradise|park|plaj|plaza|port|sol|spa|sunset|terminal|transfer|transit|victoria'.split(
    '|',
  ),
)
/** Words beside a name that say what it is: `Kos Adası`, `Isola di Capri`. */
const DISPENSABLE =
  /\b(?:city|town|island|isle of|isola di|isola|insel|ile de|ile|isla|otogari|sehir|sehri|merkez|merkezi|ilcesi|adasi|havalimani|havaalani|airport|flughafen|aeroporto|aeroport|aeropuerto|city cent(?:er|re)|cent(?:er|re)|centro|zentrum|area|region|bolgesi|nisi)\b/g

/**
 * The place that a text names, such as "Barcelona, Spain" or an address: a city, or its country alone. Of places of one
 * name the one is meant that lies in a country of the text, else of the trip’s flights, else in a likely one, else the
 * most prominent and nearest, and where that is not clear either, none.
 */
export function placeNamed(text: string, hints: Hints, nameOf: NameOf = 'town'): Named {
  const legs = text.split(BETWEEN_LEGS).filter((leg) => leg.trim() !== '')
  let doubtful = false
  for (const leg of legs.reverse()) {
    const found = placeOfLeg(leg, hints, nameOf)
    if (found !== null && found !== 'doubtful') return found
    doubtful ||= found === 'doubtful'
  }
  return doubtful ? 'doubtful' : null
}

/** The countries that a text names, its parts being divided by commas and the like. */
export const countriesIn = (text: string): string[] => partsOf(text).flatMap((part) => countryNamed(part) ?? [])

/** A place that a text may mean. */
type Candidate = KnownPlace & { readonly isSpelled: boolean }
type Part = { readonly isCountry: boolean; readonly places: readonly Candidate[] }

function placeOfLeg(leg: string, hints: Hints, nameOf: NameOf): Named {
  const countries = new Set(countriesIn(leg))
  const parts = partsOf(leg).map((text) => ({ isCountry: countryNamed(text) !== null, places: candidatesOf(text) }))
  let doubtful = false
  for (const part of parts) {
    const here = countries.size > 0 ? part.places.filter(({ country }) => countries.has(country)) : part.places
    const others = parts.filter((other) => other !== part)
    const found =
      here.length === 0 ? null : choose(supported(here, others), hints, countries.size > 0 ? 'country' : nameOf)
    if (found !== null && found !== 'doubtful') return found
    doubtful ||= found === 'doubtful' || (!part.isCountry && part.places.length > 0)
  }
  if (doubtful || countries.size > 1) return 'doubtful'
  const [country] = countries
  return country === undefined ? null : inCountry(country)
}

/** Without house numbers and postcodes, which stand beside a city in an address. */
const partsOf = (text: string): string[] =>
  text
    .split(BETWEEN_PARTS)
    .map((part) => part.replace(/\S*\d\S*/g, '').trim())
    .filter((part) => part !== '')

/** The places of a name; where nobody has all of it, of what is left without `Island` and the like, then of its pieces. */
function candidatesOf(part: string): readonly Candidate[] {
  if (NO_NAMES.has(termKey(part))) return []
  const whole = candidatesCalled(part)
  if (whole.length > 0) return whole
  const plain = part.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i')
  const bare = plain.replace(DISPENSABLE, ' ').trim()
  const found = bare === plain ? [] : candidatesCalled(bare)
  if (found.length > 0) return found
  const pieces = part.split(INSIDE_PARTS)
  return pieces.length === 1 ? [] : supportedPieces(pieces.map(candidatesCalled))
}

const inSmall = (text: string): string => text.normalize('NFC').toLocaleLowerCase('tr')
/** Who writes Niş means neither Nice nor a town that was once called so. */
const candidatesCalled = (text: string): Candidate[] =>
  placesCalled(text).map((place) => {
    const isSpelled = [place.name, place.turkish].some((own) => inSmall(own) === inSmall(text))
    const more = isSpelled ? (ASCII.test(text) ? SPELLED_SO : SPELLED_WITH_ACCENTS) : 0
    return { ...place, isSpelled, prominence: place.prominence + more }
  })

/** `Antalya-Belek`: the pieces of a name, if they are places beside each other. */
const supportedPieces = (pieces: readonly (readonly Candidate[])[]): readonly Candidate[] =>
  (pieces.at(-1) ?? []).filter((place) =>
    pieces.every((piece) => piece.some((other) => kilometresBetween(place, other) < NEAR_KM)),
  )

/** The places that lie near what another part of the text names, if any do: "Kemer, Antalya". */
function supported(places: readonly Candidate[], others: readonly Part[]): readonly Candidate[] {
  const around = others.flatMap((other) => other.places)
  const near = places.filter((place) =>
    around.some(({ country, ...point }) => country === place.country && kilometresBetween(place, point) < NEAR_KM),
  )
  return near.length > 0 ? near : places
}

function choose(places: readonly Candidate[], hints: Hints, basis: NameOf | 'country'): Named {
  const best = first(places, hints)
  if (best === null) return null
  if (basis === 'country') return certain(best, places, hints)
  const here = places.filter(({ country }) => hints.flown.some((airport) => airport.country === country))
  const meant = first(here, hints)
  if (meant && (best.prominence - meant.prominence < DWARFED || isNear(meant, hints)))
    return certain(meant, here, hints)
  const isClear = places.every((other) => other.country === best.country || isClearly(best, other, hints))
  if (!isClear || weight(best, hints) < PROMINENCE_MINIMUM[basis] || !isReached(best, hints)) return 'doubtful'
  return certain(best, places, hints)
}

/** Hong Kong was once Victoria too, but other cities are called so today. */
const isClearly = (best: Candidate, other: Candidate, hints: Hints): boolean =>
  weight(best, hints) - weight(other, hints) >= CLEARLY_MORE &&
  (best.isSpelled || !other.isSpelled || weight(other, hints) < PROMINENCE_OF_RIVALS)

const isNear = (place: Point, { flown, from }: Hints): boolean =>
  [...flown, ...(from === null ? [] : [from])].some((point) => kilometresBetween(place, point) < NEAR_KM)

/** Nobody is in a country that no flight of the trip touches, and that is far from all of them. */
const isReached = (place: Point, { flown }: Hints): boolean =>
  flown.length === 0 || flown.some((airport) => kilometresBetween(airport, place) < OVERLAND_KM)

/** The place; or its country, where that has another one of the name and nothing tells which is meant. */
function certain(place: Candidate, namesakes: readonly Candidate[], hints: Hints): Place {
  const isOther = (other: Candidate) =>
    other.country === place.country &&
    kilometresBetween(other, place) > SAME_PLACE_KM &&
    weight(place, hints) - weight(other, hints) < CLEARLY_MORE
  if (namesakes.some(isOther)) return inCountry(place.country)
  const { name, country, latitude, longitude, timeZone } = place
  return { country, city: name, latitude, longitude, timeZone }
}

const weight = ({ country, prominence, ...point }: Candidate, { likely, from }: Hints): number =>
  prominence +
  (likely.has(country) ? LIKELY : 0) -
  (from === null ? 0 : 10 * Math.log2(1 + kilometresBetween(point, from) / FAR_KM))
const first = (places: readonly Candidate[], hints: Hints): Candidate | null =>
  places.reduce<Candidate | null>(
    (best, next) => (best && weight(best, hints) >= weight(next, hints) ? best : next),
    null,
  )
