import { FLAWS } from './dirt/flaws.ts'
import { ODDITIES } from './dirt/oddities.ts'
import { type Agency, ENTITIES, type EntityKey } from './make-agency.ts'
import type { Row } from './pieces/row.ts'
import { type Random, seeded } from './random.ts'

/** A row that fails, and the one code that it fails with. */
export type Flawed = { readonly code: string; readonly row: Row }
export type Dirty = {
  /** All rows as they are sent. */
  readonly agency: Agency
  /** Those of them that fail. */
  readonly flawed: Readonly<Record<EntityKey, readonly Flawed[]>>
  /** Those of them that are imported, each once. */
  readonly kept: Agency
}
type DirtyRows = { readonly rows: Row[]; readonly flawed: Flawed[]; readonly kept: Row[] }

/** Share of the rows of an entity that fail, that are odd, and that are sent twice. */
const FAILING = 0.04
const ODD = 0.1
const TWICE = 0.01
/** The first rows are imported, so that a flaw of a later one can come into conflict with them. */
const UNSPOILT = 5
/**
 * A supplier or departure that fails would take those with it that name it, and a tour booking would leave a full
 * departure with seats to sell: here a copy under another id is spoilt.
 */
const NEEDED: readonly EntityKey[] = ['suppliers', 'tour_departures', 'tour_bookings']

/** Typical faults of exports: a few rows that must fail, with every flaw, odd ones, and some sent twice. */
export function addDirt(agency: Agency, seed: number): Dirty {
  const dirty = ENTITIES.map((key, at) => [key, spoil(agency, key, seeded(seed * ENTITIES.length + at))] as const)
  const each = <T>(part: (rows: DirtyRows) => T) =>
    Object.fromEntries(dirty.map(([key, rows]) => [key, part(rows)])) as Record<EntityKey, T>
  return { agency: each(({ rows }) => rows), flawed: each(({ flawed }) => flawed), kept: each(({ kept }) => kept) }
}

function spoil(agency: Agency, key: EntityKey, random: Random): DirtyRows {
  const rows: Row[] = []
  const flawed: Flawed[] = []
  const kept: Row[] = []
  const flaws = placeFlaws(agency, key, random)
  for (const [at, row] of agency[key].entries()) {
    const flaw = flaws.get(at)
    if (flaw) {
      const spoilt = flaw.spoil(row, { agency, before: kept, random })
      flawed.push({ code: flaw.code, row: isNeeded(key) ? { ...spoilt, external_id: `${row.external_id}-X` } : spoilt })
      rows.push((flawed.at(-1) as Flawed).row)
    }
    if (flaw && !isNeeded(key)) continue
    const odd = random.chance(ODD) ? random.pick(ODDITIES[key])(row, random, agency[key]) : row
    kept.push(odd)
    rows.push(...(random.chance(TWICE) ? [odd, odd] : [odd]))
  }
  return { rows, flawed, kept }
}
const isNeeded = (key: EntityKey) => NEEDED.includes(key)

/** Which row has which flaw. There are enough for each flaw to come up once. */
function placeFlaws(
  agency: Agency,
  key: EntityKey,
  random: Random,
): ReadonlyMap<number, (typeof FLAWS)[EntityKey][number]> {
  const flaws = FLAWS[key]
  const count = Math.max(flaws.length, Math.round(agency[key].length * FAILING))
  const places = new Map<number, (typeof flaws)[number]>()
  while (agency[key].length >= count + UNSPOILT && places.size < count) {
    const at = random.int(UNSPOILT, agency[key].length - 1)
    if (!places.has(at)) places.set(at, flaws[places.size % flaws.length] as (typeof flaws)[number])
  }
  return places
}
