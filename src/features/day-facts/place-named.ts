import { kilometresBetween, type Point } from '../../geography/distance.ts'
import { inCountry, type Place } from './gazetteer.ts'
import { type Candidate, NEAR_KM, type Part, partsOf } from './place-candidates.ts'

/** What the trip reveals about the location of a name. */
export type Hints = {
  /** The airports of the trip's flights. */
  readonly flown: readonly (Point & { readonly country: string })[]
  /** Countries of the destinations and of the supplier. */
  readonly likely: ReadonlySet<string>
  /** Where the traveller was before. */
  readonly from: (Point & { readonly country: string }) | null
}
/** Null: no place of some prominence has the name. `ambiguous`: the name is known, but not which place it means here. */
export type Named = Place | 'ambiguous' | null
/** Venues have all sorts of names, so only well-known places are recognized in them. */
export type Use = 'town' | 'venue'

/** Prominence is ten times a binary logarithm. A lead of this much decides between namesakes. */
const CLEAR_LEAD = 15
/** Weight of a likely country; limited, since a supplier may be a wholesaler of another country. */
const LIKELY_BONUS = 40
/** A namesake in a country of the flights is not meant if another one is better known by this much. */
const DWARFED_BY = 110
const PROMINENCE_MINIMUM: Readonly<Record<Use, number>> = { town: 150, venue: 220 }
/** Hong Kong was once Victoria too, but cities as prominent as this have the name today. */
const RIVAL_PROMINENCE = 160
/** The longest way from an airport without another flight. */
const OVERLAND_KM = 1000
/** Settlements within this distance count as one. */
const SAME_PLACE_KM = 60
/** Being this far away costs as much as having half the population. */
const FAR_KM = 200
const LEG_SEPARATOR = /\s+[-–—]\s+|->|=>|[→➜➔>]/

/**
 * The place in a text such as "Barcelona, Spain", "İstanbul - Roma" or an address: a city, or only its country.
 * Namesakes are decided, in this order, by a country in the text, by the trip's flights, and by likely countries with
 * prominence and distance. Of several legs the last one counts, since the day ends there.
 */
export function placeNamed(text: string, hints: Hints, use: Use = 'town'): Named {
  const legs = text.split(LEG_SEPARATOR).reverse()
  const found = legs.map((leg) => placeOfLeg(partsOf(leg), hints, use)).filter((named) => named !== null)
  return found.find((named) => named !== 'ambiguous') ?? found[0] ?? null
}

/** The countries that a text names for certain. */
export const countriesIn = (text: string): string[] =>
  partsOf(text).flatMap(({ country, rival }) => (rival === null ? (country ?? []) : []))

function placeOfLeg(written: readonly Part[], hints: Hints, use: Use): Named {
  const parts = written.map((part) =>
    readPart(
      part,
      written.filter((other) => other !== part),
      hints,
    ),
  )
  const countries = new Set(parts.flatMap(({ country }) => country ?? []))
  const isNamed = ({ country }: Candidate) => countries.size === 0 || countries.has(country)
  let isAmbiguous = countries.size > 1
  for (const part of parts) {
    const here = part.places.filter(isNamed)
    const others = parts.filter((other) => other !== part)
    const found = choose(supported(here, others), hints, countries.size > 0 ? 'in named country' : use)
    if (found !== null && found !== 'ambiguous') return found
    isAmbiguous ||= found === 'ambiguous' || (part.country === null && part.places.length > 0)
  }
  if (isAmbiguous) return 'ambiguous'
  const [country] = countries
  return country === undefined ? null : inCountry(country)
}

/** Says whether a name that a country shares with places elsewhere is the country's here. */
function readPart(part: Part, others: readonly Part[], hints: Hints): Part {
  const { country, rival } = part
  if (rival === null) return part
  const namesakes = part.places.filter((place) => place.country !== country && !place.isWeak)
  const asCountry = { ...part, places: part.places.filter((place) => place.country === country) }
  const asPlace = (places: readonly Candidate[]) => ({ country: null, rival: null, places })
  const beside = others.flatMap((other) => (other.rival === null ? (other.country ?? []) : []))
  if (beside.length > 0)
    return namesakes.some((place) => beside.includes(place.country)) ? asPlace(namesakes) : asCountry
  if (others.some((other) => other.places.some((place) => place.country === country))) return asCountry
  const named = new Set(others.flatMap((other) => other.places.map((place) => place.country)))
  const supported = namesakes.filter((place) => named.has(place.country))
  if (supported.length > 0) return asPlace(supported)
  const reached = namesakes.filter((place) => isFlownTo(place, hints))
  if (isFlownTo(rival, hints) || isNearAbroad(rival, hints)) reached.push(rival)
  if (reached.length > 0) return heaviest(reached, hints) === rival ? asCountry : asPlace(reached)
  if (namesakes.every((place) => leads(rival, place, hints))) return asCountry
  return asPlace(namesakes.some((place) => leads(place, rival, hints)) ? namesakes : [rival, ...namesakes])
}

/** The places near another part of the text, if any: "Kemer, Antalya". */
function supported(places: readonly Candidate[], others: readonly Part[]): readonly Candidate[] {
  const around = others.flatMap((other) => other.places)
  const near = places.filter((place) =>
    around.some((other) => other.country === place.country && kilometresBetween(place, other) < NEAR_KM),
  )
  return near.length > 0 ? near : places
}

function choose(places: readonly Candidate[], hints: Hints, basis: Use | 'in named country'): Named {
  const best = heaviest(places, hints)
  if (best === null) return null
  if (basis === 'in named country') return placeOf(best, places, hints)
  const reached = places.filter((place) => isFlownTo(place, hints))
  const meant = heaviest(reached, hints)
  if (meant && (best.prominence - meant.prominence < DWARFED_BY || isNear(meant, hints)))
    return placeOf(meant, reached, hints)
  if (weight(best, hints) < PROMINENCE_MINIMUM[basis]) return null
  const isClear = places.every((other) => other.country === best.country || leads(best, other, hints))
  return isClear && isReachable(best, hints) ? placeOf(best, places, hints) : 'ambiguous'
}

/** A country of the flights: the traveller's current one, or one nearby. */
const isFlownTo = (place: Candidate, { flown, from }: Hints): boolean =>
  flown.some(({ country }) => country === place.country) &&
  (from === null || from.country === place.country || kilometresBetween(place, from) < OVERLAND_KM)

/** Whether one gets there overland from an airport abroad: to Andorra there are no flights. */
function isNearAbroad(place: Point, { flown }: Hints): boolean {
  const abroad = flown.filter(({ country }) => country !== flown[0]?.country)
  return (abroad.length > 0 ? abroad : flown).some((airport) => kilometresBetween(airport, place) < OVERLAND_KM)
}

const leads = (best: Candidate, other: Candidate, hints: Hints): boolean =>
  weight(best, hints) - weight(other, hints) >= CLEAR_LEAD &&
  (best.isSpelled || !other.isSpelled || weight(other, hints) < RIVAL_PROMINENCE)

const isNear = (place: Point, { flown, from }: Hints): boolean =>
  [...flown, ...(from === null ? [] : [from])].some((point) => kilometresBetween(place, point) < NEAR_KM)

/** A trip with flights does not reach places far away from all of its airports. */
const isReachable = (place: Point, { flown }: Hints): boolean =>
  flown.length === 0 || flown.some((airport) => kilometresBetween(airport, place) < OVERLAND_KM)

/** The place, or only its country if it has namesakes and none of them clearly leads. */
function placeOf(place: Candidate, namesakes: readonly Candidate[], hints: Hints): Place {
  const isRival = (other: Candidate) =>
    other.country === place.country &&
    kilometresBetween(other, place) > SAME_PLACE_KM &&
    weight(place, hints) - weight(other, hints) < CLEAR_LEAD
  if (namesakes.some(isRival)) return inCountry(place.country)
  const { name, country, latitude, longitude, timeZone } = place
  return { country, city: name, latitude, longitude, timeZone }
}

const weight = (place: Candidate, { likely, from }: Hints): number =>
  place.prominence +
  (likely.has(place.country) ? LIKELY_BONUS : 0) -
  (from === null ? 0 : 10 * Math.log2(1 + kilometresBetween(place, from) / FAR_KM))
const heaviest = (places: readonly Candidate[], hints: Hints): Candidate | null =>
  places.reduce<Candidate | null>(
    (best, next) => (best && weight(best, hints) >= weight(next, hints) ? best : next),
    null,
  )
