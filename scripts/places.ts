// Writes reference/places.tsv and reference/place-names.tsv from GeoNames and reference/known-places.tsv:
//   node scripts/places.ts path/to/cities1000.txt path/to/locale
// reference/README.md names the packages that contain the table and the folder of names by language.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { termKey } from '../src/catalogue/term-key.ts'
import { readCatalogue } from './read-catalogue.ts'

const REFERENCE = join(import.meta.dirname, '../reference')
/** Smaller places are included only if they have names in many languages: Hallstatt, Positano. */
const POPULATION_MINIMUM = 5000
const FAMOUS_NAMES = 8
/** A part of a city is included only if it is known abroad. */
const DISTRICT_NAMES = 4
/** A city is meant before the quarter of another one. */
const DISTRICT_PROMINENCE = -30
/** This many names in other languages count like twice the population. */
const NAMES_LIKE_DOUBLE = 8
/** Other names of lesser places are noise: they collide with those of better known ones. */
const PROMINENCE_WITH_NAMES = 160
const PROMINENCE_WITH_SCRIPTS = 190
/** Half a kilometre. */
const DEGREE_DIGITS = 2
const LATIN = /^[\p{Script=Latin}\p{M}\p{N}\p{P}\p{Zs}]+$/u
const SCRIPTS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{M}\p{N}\p{P}\p{Zs}]+$/u
/** IATA codes, and letter-by-letter transliterations from other scripts. */
const NOISE = /^(?:[A-Z]{2,4}|[a-z].*)$/
/** Behind the line of a place that the name is a weak one of. */
const WEAK = '~'
const LANGUAGES = ['tr', 'de', 'it', 'fr', 'es', 'el', 'nl', 'ru', 'ar', 'az', 'pl', 'ro']

type Place = {
  readonly name: string
  readonly turkish: string
  readonly country: string
  readonly latitude: string
  readonly longitude: string
  readonly zone: string
  readonly prominence: number
  readonly names: readonly string[]
  /** Names that no language is known to use, many of them historical. */
  readonly weakNames?: readonly string[]
}

const [table, locales] = process.argv.slice(2)
if (!table || !locales) throw new Error('Usage: node scripts/places.ts path/to/cities1000.txt path/to/locale')
const catalogueOf = (language: string) => readCatalogue(join(locales, language, 'LC_MESSAGES/geonames.mo'))
const [english, turkish, ...others] = ['en', ...LANGUAGES].map(catalogueOf) as [
  Map<string, string>,
  Map<string, string>,
]

const rowsOf = (path: string): string[][] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
const degrees = (text: string) => String(Number(Number(text).toFixed(DEGREE_DIGITS)))
const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

const prominenceOf = (population: number, names: number) =>
  Math.round(10 * (Math.log2(population + 1000) + names / NAMES_LIKE_DOUBLE))

function placeOf(row: readonly string[]): Place[] {
  const [id = '', own = '', ascii = '', alternates = '', latitude = '', longitude = ''] = row
  const [kind, country = '', people, zone = ''] = [row[7], row[8], row[14], row[17]]
  const population = Number(people)
  const known = alternates === '' ? [] : alternates.split(',')
  if (kind === 'PPLX' && known.length < DISTRICT_NAMES) return []
  if (population < POPULATION_MINIMUM && known.length < FAMOUS_NAMES && kind !== 'PPLC' && kind !== 'PPLA') return []
  const prominence = prominenceOf(population, known.length) + (kind === 'PPLX' ? DISTRICT_PROMINENCE : 0)
  const translated = [english, turkish, ...others].flatMap((names) => names.get(id) ?? [])
  const scripts = prominence < PROMINENCE_WITH_SCRIPTS ? LATIN : SCRIPTS
  const isReadable = (name: string) => scripts.test(name) && !NOISE.test(name)
  return [
    {
      name: english.get(id) ?? own,
      turkish: turkish.get(id) ?? '',
      country,
      latitude: degrees(latitude),
      longitude: degrees(longitude),
      zone,
      prominence,
      names: [own, ascii, ...translated.filter(isReadable)],
      weakNames: prominence < PROMINENCE_WITH_NAMES ? [] : known.filter(isReadable),
    },
  ]
}

/** What travellers call a place and no table of settlements has: islands, regions, resorts, quarters, airports. */
const known = rowsOf(join(REFERENCE, 'known-places.tsv'))
  .slice(1)
  .map(
    ([
      name = '',
      turkish = '',
      country = '',
      latitude = '',
      longitude = '',
      zone = '',
      prominence,
      names = '',
    ]): Place => ({
      name,
      turkish,
      country,
      latitude,
      longitude,
      zone,
      prominence: Number(prominence),
      names: [name, turkish, ...names.split('|')],
    }),
  )

/** Airports by their names without the city: `Esenboğa`, `Ankara Esenboğa`. */
const AIRPORT_PROMINENCE = 180
const AIRPORT_WORDS = /\b(?:international|intl|airport|aeropuerto|aéroport)\b/gi
const airports = rowsOf(join(REFERENCE, 'airports.tsv')).slice(1).flatMap(airportOf)
function airportOf([
  ,
  name = '',
  city = '',
  country = '',
  zone = '',
  latitude = '',
  longitude = '',
]: string[]): Place[] {
  const own = name.replace(AIRPORT_WORDS, '').replace(/\s+/g, ' ').trim()
  if (!/\binternational\b/i.test(name) || own === '' || city === '') return []
  const [at, names] = [[degrees(latitude), degrees(longitude)] as const, [own, `${city} ${own}`, name]]
  return [
    { name, turkish: '', country, latitude: at[0], longitude: at[1], zone, prominence: AIRPORT_PROMINENCE, names },
  ]
}

const settlements = rowsOf(table).flatMap(placeOf)
const taken = new Set(
  [...known, ...settlements].flatMap(({ names, weakNames = [] }) => [...names, ...weakNames].map(termKey)),
)
const isNew = ({ names: [own = ''] }: Place) => !taken.has(termKey(own))
const places = [...known, ...settlements, ...airports.filter(isNew)].sort(
  (one, other) =>
    byBytes(one.country, other.country) || other.prominence - one.prominence || byBytes(one.name, other.name),
)
const linesByKey = new Map<string, string[]>()
const keysOf = (names: readonly string[]) => new Set(names.map(termKey).filter((key) => key !== ''))
for (const [line, { names, weakNames = [] }] of places.entries()) {
  const keys = keysOf(names)
  const add = (key: string, mark: string) => linesByKey.getOrInsertComputed(key, () => []).push(`${line}${mark}`)
  for (const key of keys) add(key, '')
  for (const key of keysOf(weakNames).difference(keys)) add(key, WEAK)
}

const write = (file: string, columns: string, lines: readonly string[]) =>
  writeFileSync(join(REFERENCE, file), `${[columns, ...lines].join('\n')}\n`)
write(
  'places.tsv',
  'name\tturkish\tcountry\tlatitude\tlongitude\ttime_zone\tprominence',
  places.map(({ name, turkish, country, latitude, longitude, zone, prominence }) =>
    [name, turkish === name ? '' : turkish, country, latitude, longitude, zone, prominence].join('\t'),
  ),
)
const keys = [...linesByKey.keys()].sort(byBytes)
write(
  'place-names.tsv',
  'key\tplaces',
  keys.map((key) => `${key}\t${linesByKey.get(key)?.join(' ')}`),
)
console.log(`${places.length} places, ${keys.length} names`)
