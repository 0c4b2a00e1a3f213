import { isDeepStrictEqual } from 'node:util'

/** The tables whose rows are a trip, as people edit it. */
export const PARTS = ['trips', 'trip_days', 'trip_segments', 'trip_travelers'] as const
export type TripPart = (typeof PARTS)[number]
type Cells = Readonly<Record<string, unknown>>
/** A stored row, by its columns. `found` names the columns that a job filled in, and no person wrote. */
export type TripPartRow = Cells & { readonly id: string; readonly version: number; readonly found: readonly string[] }
export type TripRows = Readonly<Record<TripPart, readonly TripPartRow[]>>

/** What happened to a row: the columns that differ, or all of a row that was made (`before` is null) or removed. */
export type RowChange = {
  readonly part: TripPart
  readonly id: string
  readonly before: Cells | null
  readonly after: Cells | null
}

/** Says nothing of what somebody wrote. */
const BESIDES: ReadonlySet<string> = new Set(['account_id', 'version', 'updated_at', 'found_place', 'found'])
/** The place of a row among the others. */
const PLACES: ReadonlySet<string> = new Set(['position', 'day_number', 'date'])

const columnsOf = (row: Cells): string[] => Object.keys(row).filter((name) => !BESIDES.has(name))
/** What somebody wrote there: what a job filled in is nothing. */
const written = (row: TripPartRow, name: string): unknown => (row.found.includes(name) ? null : (row[name] ?? null))
const some = (row: Cells, names: readonly string[]): Cells =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
const byId = (rows: readonly TripPartRow[]) => new Map(rows.map((row) => [row.id, row]))

/** The rows that differ. */
export const changesBetween = (before: TripRows, after: TripRows): RowChange[] =>
  PARTS.flatMap((part) => {
    const [former, now] = [byId(before[part]), byId(after[part])]
    return [...new Set([...former.keys(), ...now.keys()])].flatMap((id) => {
      const [was, is] = [former.get(id), now.get(id)]
      if (!was || !is) return { part, id, before: was ? whole(was) : null, after: is ? whole(is) : null }
      const names = columnsOf(was).filter((name) => !isDeepStrictEqual(written(was, name), written(is, name)))
      return names.length === 0 ? [] : { part, id, before: some(was, names), after: some(is, names) }
    })
  })
const whole = ({ found, ...row }: TripPartRow): Cells => row

/** One row of a plan: its columns are those to insert, or to set. */
export type Step = {
  readonly op: 'insert' | 'update' | 'delete'
  readonly id: string
  readonly cells: Cells
}
export type UndoPlan = Readonly<Record<TripPart, readonly Step[]>>

/**
 * How to take changes back; null if somebody has changed the same since, or the trip would no longer fit together.
 */
export function planUndo(changes: readonly RowChange[], current: TripRows): UndoPlan | null {
  const rows = new Map(PARTS.map((part) => [part, byId(current[part])]))
  const steps = new Map<TripPart, Step[]>(PARTS.map((part) => [part, []]))
  for (const { part, id, before, after } of changes) {
    const own = rows.get(part) as Map<string, TripPartRow>
    const now = own.get(id)
    if ((after === null) !== (now === undefined)) return null
    if (now && after && !isAsLeft(now, after, before === null)) return null
    if (before === null) own.delete(id)
    else own.set(id, { ...now, ...before, id, version: now?.version ?? 1, found: [] })
    const op = before === null ? 'delete' : after === null ? 'insert' : 'update'
    steps.get(part)?.push({ op, id, cells: before ?? {} })
  }
  const result = Object.fromEntries([...rows].map(([part, own]) => [part, [...own.values()]])) as Record<
    TripPart,
    TripPartRow[]
  >
  if (!fitsTogether(result) && fitsTogether(current)) return null
  for (const part of ['trip_segments', 'trip_travelers'] as const)
    steps.set(part, withoutGaps(steps.get(part) ?? [], result[part]))
  return Object.fromEntries(steps) as Record<TripPart, Step[]>
}

/** Whether a row still is what the change made of it. One that is to go may have been given another place. */
function isAsLeft(now: TripPartRow, after: Cells, goes: boolean): boolean {
  return columnsOf(after).every(
    (name) =>
      (goes && PLACES.has(name)) ||
      now.found.includes(name) ||
      isDeepStrictEqual(now[name] ?? null, after[name] ?? null),
  )
}

/** Whether the days are numbered from 1 and have the dates of their numbers, and every segment has its day. */
function fitsTogether({ trips: [trip], trip_days: days, trip_segments: segments }: TripRows): boolean {
  const known = new Set(days.map(({ id }) => id))
  const numbers = days.map(({ day_number }) => Number(day_number)).toSorted((a, b) => a - b)
  if (numbers.some((number, at) => number !== at + 1)) return false
  if (segments.some(({ trip_day_id }) => !known.has(String(trip_day_id)))) return false
  const [start, end] = [trip?.start_date, trip?.end_date]
  if (typeof start !== 'string' || typeof end !== 'string') return true
  const first = Temporal.PlainDate.from(start)
  const length = first.until(end).days + 1
  const dateOf = (number: unknown) => first.add({ days: Number(number) - 1 }).toString()
  return days.length === length && days.every(({ date, day_number }) => date === dateOf(day_number))
}

/** The steps, and those that give the rows of each day the positions from 1. */
function withoutGaps(steps: readonly Step[], result: readonly TripPartRow[]): Step[] {
  const placed = new Map(steps.map((step) => [step.id, step]))
  const days = Map.groupBy(result, ({ trip_day_id }) => trip_day_id ?? null)
  for (const rows of days.values()) {
    if (!rows.some(({ id }) => placed.has(id))) continue
    const inOrder = rows.toSorted((a, b) => Number(a.position) - Number(b.position) || (a.id < b.id ? -1 : 1))
    for (const [at, { id, position }] of inOrder.entries()) {
      if (position === at + 1) continue
      const step = placed.get(id) ?? { op: 'update', id, cells: {} }
      placed.set(id, { ...step, cells: { ...step.cells, position: at + 1 } })
    }
  }
  return [...placed.values()]
}
