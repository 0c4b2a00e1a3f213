import { termKey } from '../../../catalogue/term-key.ts'
import { countryNamed } from '../../countries.ts'
import { kilometresBetween } from '../../distance.ts'
import { type KnownPlace, placesCalled } from '../../places.ts'

/** A place that a text may mean. */
export type Candidate = KnownPlace & {
  /** Whether the text is the place's English or Turkish name. */
  readonly isSpelled: boolean
}
/** A part of a text between commas. */
export type Part = { readonly country: string | null; readonly places: readonly Candidate[] }

/** Places that are named together lie no further apart: "Kemer, Antalya". */
export const NEAR_KM = 150
/** A place's own name counts for more than a name in another language, and most with the same accents. */
const SPELLED = 20
const SPELLED_WITH_ACCENTS = 40
const WEAK = -40
const ASCII = /^[\x20-\x7e]*$/
const PART_SEPARATOR = /[,;/()|·•+&]+/
const PIECE_SEPARATOR = /[-–—]/
/** House numbers and postcodes. */
const WITH_DIGITS = /\S*\d\S*/g
/** Words of itineraries that are also names of towns. */
const NO_PLACES = new Set(
  `airport atlantis aurora bahce bar beach center city gar hilton hotel kale liman mall marina merkez old_town otel
  paradise park plaj plaza port sol spa sunset terminal transfer transit victoria`.split(/\s+/),
)
/** Words beside a name that say what it is: `Kos Adası`, `Isola di Capri`. */
const DESCRIPTIONS =
  /\b(?:city|town|island|isle of|isola di|isola|insel|ile de|ile|isla|otogari|sehir|sehri|merkez|merkezi|ilcesi|adasi|havalimani|havaalani|airport|flughafen|aeroporto|aeroport|aeropuerto|city cent(?:er|re)|cent(?:er|re)|centro|zentrum|area|region|bolgesi|nisi)\b/g

/** The parts of a text with the places that each may mean. */
export const partsOf = (text: string): Part[] =>
  text
    .split(PART_SEPARATOR)
    .map((part) => part.replace(WITH_DIGITS, '').trim())
    .filter((part) => part !== '')
    .map((part) => ({ country: countryNamed(part), places: candidatesOf(part) }))

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
  placesCalled(text).map(({ isWeak, ...place }) => {
    const own = [place.name, place.turkish]
    const fold = ASCII.test(text) ? termKey : lowerCase
    const isSpelled = own.some((name) => fold(name) === fold(text))
    const bonus = isSpelled ? (fold === lowerCase ? SPELLED_WITH_ACCENTS : SPELLED) : isWeak ? WEAK : 0
    return { ...place, isSpelled, prominence: place.prominence + bonus }
  })

/** The places of the last piece that lie near places of all other pieces: `Antalya-Belek`. */
const neighbours = (pieces: readonly (readonly Candidate[])[]): readonly Candidate[] =>
  (pieces.at(-1) ?? []).filter((place) =>
    pieces.every((piece) => piece.some((other) => kilometresBetween(place, other) < NEAR_KM)),
  )
