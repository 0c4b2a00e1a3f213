// Updates reference/airports.tsv to a newer version of OurAirports: node scripts/airports.ts path/to/airports.csv
// OurAirports has no time zones: known airports keep theirs, and new ones get that of the nearest airport of their
// country. Airports that OurAirports no longer has are kept, because tickets of their time are imported too.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'

const FILE = join(import.meta.dirname, '../reference/airports.tsv')
const COLUMNS = ['code', 'name', 'city', 'country', 'time_zone', 'latitude', 'longitude'] as const
/** Four digits of a degree are eleven metres. */
const DEGREE_DIGITS = 4

type Row = Record<(typeof COLUMNS)[number], string>
/** The columns of OurAirports that are read, by its data dictionary. */
type Source = Record<
  | 'type'
  | 'name'
  | 'latitude_deg'
  | 'longitude_deg'
  | 'iso_country'
  | 'municipality'
  | 'scheduled_service'
  | 'iata_code',
  string
>

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
const degrees = (text: string) => String(Number(Number(text).toFixed(DEGREE_DIGITS)))

/** The cosine of the distance on a sphere, which is enough to find the nearest. */
function nearness(one: Row, other: Row): number {
  const [lat1, lon1, lat2, lon2] = [one.latitude, one.longitude, other.latitude, other.longitude].map(
    (text) => (Number(text) * Math.PI) / 180,
  ) as [number, number, number, number]
  return Math.sin(lat1) * Math.sin(lat2) + Math.cos(lat1) * Math.cos(lat2) * Math.cos(lon1 - lon2)
}

const [path] = process.argv.slice(2)
if (!path) throw new Error('Which file? node scripts/airports.ts path/to/airports.csv')

const present = parse<Row>(readFileSync(FILE), { columns: true, delimiter: '\t', quote: false })
const rows = new Map(present.map((row) => [row.code, row]))
const countries = Map.groupBy(present, ({ country }) => country)

function zoneOf(row: Row): string | undefined {
  const known = rows.get(row.code)
  if (known?.country === row.country) return known.time_zone
  return countries
    .get(row.country)
    ?.map((other) => ({ zone: other.time_zone, near: nearness(row, other) }))
    .reduce((best, next) => (next.near > best.near ? next : best)).zone
}

const source = parse<Source>(readFileSync(path), { columns: true })
  .filter(({ iata_code, type }) => /^[A-Z]{3}$/.test(iata_code) && type !== 'closed')
  // A code that two airports have is that of the one with scheduled flights: it comes last and stays.
  .sort((one, other) => one.scheduled_service.localeCompare(other.scheduled_service))
for (const airport of source) {
  const row: Row = {
    code: airport.iata_code,
    name: plain(airport.name),
    city: plain(airport.municipality),
    country: airport.iso_country,
    time_zone: '',
    latitude: degrees(airport.latitude_deg),
    longitude: degrees(airport.longitude_deg),
  }
  const time_zone = zoneOf(row)
  if (time_zone) rows.set(row.code, { ...row, time_zone })
  else console.log(`${row.code} (${row.name}) is left out: no airport of ${row.country} is known. Add it by hand.`)
}

const sorted = [...rows.values()].sort((one, other) => (one.code < other.code ? -1 : 1))
const lines = [COLUMNS.join('\t'), ...sorted.map((row) => COLUMNS.map((column) => row[column]).join('\t'))]
writeFileSync(FILE, `${lines.join('\n')}\n`)
console.log(`${sorted.length} airports, ${source.length} of them in ${path}`)
