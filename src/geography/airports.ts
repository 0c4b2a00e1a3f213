import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../reference')

export type Airport = {
  /** IATA's, as a ticket shows it. */
  readonly code: string
  readonly name: string
  /** The city that it serves; null if the data set has none. */
  readonly city: string | null
  /** ISO 3166-1, two letters. */
  readonly country: string
  /** IANA's, e.g. `Europe/Istanbul`: the clock that a leg's times are read on. */
  readonly timeZone: string
  /** In degrees, north and east being positive. */
  readonly latitude: number
  readonly longitude: number
}

/** As reference/README.md lists them. */
type Columns = [string, string, string, string, string, string, string]
/** What some municipalities have behind their name: `Nice, Alpes-Maritimes`, `Firenze (FI)`. */
const REGION = /\s*[,(/].*$/
type City = { readonly code: string; readonly name: string }
type Reference = {
  /** The text of each airport's row, split on first use: a process needs few of ten thousand airports. */
  readonly rows: ReadonlyMap<string, string>
  /** By airport, only for cities with several airports. */
  readonly cities: ReadonlyMap<string, City>
}

const readLines = (file: string): string[] => readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n').slice(1)

let loaded: Reference | undefined
function reference(): Reference {
  loaded ??= {
    rows: new Map(readLines('airports.tsv').map((line) => [line.slice(0, line.indexOf('\t')), line])),
    cities: new Map(
      readLines('cities.tsv').flatMap((line) => {
        const [code, name, airports] = line.split('\t') as [string, string, string]
        return airports.split(' ').map((airport): [string, City] => [airport, { code, name }])
      }),
    ),
  }
  return loaded
}

/** The airport of an IATA code in capitals; null if unknown. Read from disk at the first call. */
export function airport(code: string): Airport | null {
  const { rows, cities } = reference()
  const row = rows.get(code)
  if (row === undefined) return null
  const [, name, municipality, country, timeZone, latitude, longitude] = row.split('\t') as Columns
  const city = cities.get(code)?.name ?? (municipality.replace(REGION, '') || null)
  return { code, name, city, country, timeZone, latitude: Number(latitude), longitude: Number(longitude) }
}

/** All of them. */
export const everyAirport = (): Airport[] => [...reference().rows.keys()].map((code) => airport(code) as Airport)

/**
 * The IATA code of an airport's city: `LON` for LHR and for LGW. For a city with one airport it is the airport's, and
 * an unknown code is returned unchanged.
 */
export const cityOf = (code: string): string => reference().cities.get(code)?.code ?? code
