import { termKey } from '../../catalogue/term-key.ts'
import { countryNamed, isOwnName } from '../../geography/countries.ts'
import { kilometresBetween } from '../../geography/distance.ts'
import { type KnownPlace, mainPlaceIn, placesCalled } from '../../geography/places.ts'

/** A place that a text may mean. */
export type Candidate = KnownPlace & {
  /** Whether the text is the place's English or Turkish name. */
  readonly isSpelled: boolean
  /** Whether no language is known to use the name. */
  readonly isWeak: boolean
}
/** A part of a text between commas. */
export type Part = {
  readonly country: string | null
  /** The country as a candidate, where places of other countries have its name: "Granada" is a name of Grenada too. */
  readonly rival: Candidate | null
  readonly places: readonly Candidate[]
}

/** Maximum distance of places named together: "Kemer, Antalya". */
export const NEAR_KM = 150
/** A place's own name counts for more than a name in another language, and most with the same accents. */
const SPELLED = 20
const SPELLED_WITH_ACCENTS = 40
const WEAK = -40
/** A country is more likely than a town with the same name, if the country's own name is used. */
const OWN_COUNTRY = 100
/** No table of cities has it, but who flies to Atlanta does not mean the country. */
const GEORGIA: ReturnType<typeof placesCalled>[number] = {
  name: 'Georgia',
  turkish: 'Georgia',
  country: 'US',
  latitude: 32.9,
  longitude: -83.4,
  timeZone: 'America/New_York',
  prominence: 230,
  isWeak: false,
}
const ASCII = /^[\x20-\x7e]*$/
const PART_SEPARATOR = /[,;/()|·•+&]+/
const PIECE_SEPARATOR = /[-–—]/
/** House numbers and postcodes. */
const WITH_DIGITS = /\S*\d\S*/g
/** Words of itineraries that are also names of towns. */
const NO_PLACES = new Set(
  `airport atlantis aurora bahce bar beach center city gar hilton hotel kale liman mall marina merkez old_town otel
  paradise park plaj plaza port sol spa sunset terminal tour transfer transit tur victoria`.split(/\s+/),
)
/** Words that describe a name: `Kos Adası`, `Isola di Capri`. */
const DESCRIPTIONS =
  /\b(?:city|town|island|isle of|isola di|isola|insel|ile de|ile|isla|otogari|sehir|sehri|merkez|merkezi|ilcesi|adasi|havalimani|havaalani|airport|flughafen|aeroporto|aeroport|aeropuerto|city cent(?:er|re)|cent(?:er|re)|centro|zentrum|area|region|bolgesi|nisi)\b/g

/** The parts of a text with the places that each may mean. */
export const partsOf = (text: string): Part[] =>
  text
    .split(PART_SEPARATOR)
    .map((part) => part.replace(WITH_DIGITS, '').trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [country, places] = [countryNamed(part), candidatesOf(part)]
      return { country, places, rival: country === null ? null : rivalOf(candidatesCalled(part), country, part) }
    })

/** A weak match of a place does not compete with a country. */
function rivalOf(places: readonly Candidate[], country: string, name: string): Candidate | null {
  const main = mainPlaceIn(country)
  if (main === null || places.every((place) => place.country === country || place.isWeak)) return null
  const bonus = isOwnName(country, name) ? OWN_COUNTRY : WEAK
  return { ...main, isSpelled: true, isWeak: false, prominence: main.prominence + bonus }
}

/** Tries the whole name, then the name without words such as `Island`, then its hyphenated pieces. */
function candidatesOf(part: string): readonly Candidate[] {
  if (NO_PLACES.has(termKey(part))) return []
  const whole = candidatesCalled(part)
  if (whole.length > 0) return whole
  const plain = termKey(part).replaceAll('_', ' ')
  const bare = plain.replace(DESCRIPTIONS, ' ').trim()
  const found = bare === plain ? [] : candidatesCalled(bare)
  if (found.length > 0) return found
  const pieces = part.split(PIECE_SEPARATOR)
  return pieces.length === 1 ? [] : neighbours(pieces.map(candidatesCalled))
}

const lowerCase = (text: string): string => text.normalize('NFC').toLocaleLowerCase('tr')
const candidatesCalled = (text: string): Candidate[] =>
  [...placesCalled(text), ...(termKey(text) === 'georgia' ? [GEORGIA] : [])].map(({ isWeak, ...place }) => {
    const own = [place.name, place.turkish]
    const fold = ASCII.test(text) ? termKey : lowerCase
    const isSpelled = own.some((name) => fold(name) === fold(text))
    const bonus = isSpelled ? (fold === lowerCase ? SPELLED_WITH_ACCENTS : SPELLED) : isWeak ? WEAK : 0
    return { ...place, isSpelled, isWeak, prominence: place.prominence + bonus }
  })

/** The places of the last part that are near places of all other parts: `Antalya-Belek`. */
const neighbours = (pieces: readonly (readonly Candidate[])[]): readonly Candidate[] =>
  (pieces.at(-1) ?? []).filter((place) =>
    pieces.every((piece) => piece.some((other) => kilometresBetween(place, other) < NEAR_KM)),
  )
