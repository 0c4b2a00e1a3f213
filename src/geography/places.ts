import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { termKey } from '../catalogue/term-key.ts'
import type { Language } from '../platform/page/language.ts'
import { kilometresBetween, type Point } from './distance.ts'

const FOLDER = join(import.meta.dirname, '../../reference')
const NEW_LINE = 10
const TAB = '\t'

/** A city, an island, a region or a quarter that people travel to. */
export type KnownPlace = {
  readonly name: string
  readonly turkish: string
  /** ISO 3166-1, two letters. */
  readonly country: string
  /** In degrees, north and east being positive. */
  readonly latitude: number
  readonly longitude: number
  /** IANA's. */
  readonly timeZone: string
  /**
   * By population and number of languages with a name for the place: ten more languages count like twice the
   * population.
   */
  readonly prominence: number
}

/** A place by one of its names; no language is known to use a weak one, which may be historical. */
type CalledPlace = KnownPlace & { readonly isWeak: boolean }
const WEAK = '~'

/** As reference/README.md lists them. */
type Columns = [string, string, string, string, string, string, string]
/** The files as they are: as objects they would take twenty times the memory, and a process looks few of them up. */
type Lines = { readonly bytes: Buffer; readonly starts: Uint32Array }
type Reference = { readonly places: Lines; readonly names: Lines }

let loaded: Reference | undefined
const reference = (): Reference => {
  loaded ??= { places: readLines('places.tsv'), names: readLines('place-names.tsv') }
  return loaded
}

/** Without the heading. */
function readLines(file: string): Lines {
  const bytes = readFileSync(join(FOLDER, file))
  const starts: number[] = []
  for (let at = bytes.indexOf(NEW_LINE) + 1; at > 0 && at < bytes.length; at = bytes.indexOf(NEW_LINE, at) + 1)
    starts.push(at)
  return { bytes, starts: Uint32Array.from(starts) }
}

const lineAt = ({ bytes, starts }: Lines, at: number): string =>
  bytes.toString('utf8', starts[at], (starts[at + 1] ?? bytes.length) - 1)

/** The places with this name, in any language of the data set. Read from disk at the first call. */
export function placesCalled(name: string): CalledPlace[] {
  const key = termKey(name)
  if (key === '') return []
  const { names, places } = reference()
  const line = findLine(names, Buffer.from(key + TAB))
  if (line === null) return []
  const [, found = ''] = line.split(TAB)
  return found.split(' ').map((at) => {
    const isWeak = at.endsWith(WEAK)
    return { ...placeOf(lineAt(places, Number(isWeak ? at.slice(0, -1) : at))), isWeak }
  })
}

/** The place of a country that is known best. Lines are sorted by country, and there by prominence. */
export function mainPlaceIn(country: string): KnownPlace | null {
  const { places } = reference()
  let [low, high] = [0, places.starts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (placeOf(lineAt(places, middle)).country < country) low = middle + 1
    else high = middle
  }
  const place = low < places.starts.length ? placeOf(lineAt(places, low)) : null
  return place?.country === country ? place : null
}

/** Maximum distance of a city and its airport. */
const SAME_CITY_KM = 100

/** The name of a place at a point in a language; the given name if unknown. */
export function placeNameIn(language: Language, name: string, point: Point): string {
  const place = placesCalled(name).find((known) => !known.isWeak && kilometresBetween(known, point) < SAME_CITY_KM)
  if (!place) return name
  return language === 'tr' ? place.turkish : place.name
}

/** The line that begins with this text. Lines are sorted by their bytes. */
function findLine(lines: Lines, beginning: Buffer): string | null {
  const { bytes, starts } = lines
  let [low, high] = [0, starts.length - 1]
  while (low <= high) {
    const middle = (low + high) >>> 1
    const start = starts[middle] as number
    const order = bytes.compare(beginning, 0, beginning.length, start, Math.min(start + beginning.length, bytes.length))
    if (order === 0) return lineAt(lines, middle)
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return null
}

function placeOf(line: string): KnownPlace {
  const [name, turkish, country, latitude, longitude, timeZone, prominence] = line.split(TAB) as Columns
  return {
    name,
    turkish: turkish || name,
    country,
    latitude: Number(latitude),
    longitude: Number(longitude),
    timeZone,
    prominence: Number(prominence),
  }
}
