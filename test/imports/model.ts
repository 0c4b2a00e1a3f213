import { Bad, ENTITIES, type Entity, fieldsOf, mayMove, SELLING } from './model-fields.ts'

/**
 * What an import does, written from the decision records on imports and bookings and from nothing else: records in
 * memory, one row after the other. It knows the rows that `model.test.ts` makes, and no others.
 */
type Values = Record<string, unknown>
type Item = Readonly<Record<string, unknown>>
export type Totals = { sell: string; cost: string; margin: string; vat: string }
export type Kept = {
  id: string | null
  status: string
  version: number
  fields: Values
  booking?: { invoiced: boolean; wasInvoiced: boolean; hasLines: boolean; totals: Totals }
  /** Seats of a departure. */
  held?: number
}
export type World = Record<Entity, Map<string, Kept>>
export type Batch = {
  readonly entity: Entity
  readonly rows: readonly Values[]
  readonly onConflict: 'skip' | 'update'
}
export type Expected = {
  external_id: string | null
  status: string
  record_status: string | null
  reason: string | null
  errors: string[]
  warnings: string[]
}
export const emptyWorld = (): World => Object.fromEntries(ENTITIES.map((entity) => [entity, new Map()])) as World

const UPSERT: readonly Entity[] = ['customers', 'tour_departures']
const isBooking = (entity: Entity) => !UPSERT.includes(entity)

/** Applies a batch to the world and returns the outcome of each row, in order. */
export function apply(world: World, { entity, rows, onConflict }: Batch): Expected[] {
  const amends = UPSERT.includes(entity) || onConflict === 'update'
  const seen = new Map<string | null, number>()
  const nth = rows.map(({ external_id }) => {
    const key = typeof external_id === 'string' ? external_id : null
    const before = key === null ? 0 : (seen.get(key) ?? 0)
    seen.set(key, before + 1)
    return before
  })
  const outcomes: Expected[] = []
  // A row that repeats an external id comes after all that name theirs for the first time.
  for (let wave = 0; wave <= Math.max(...nth); wave++) {
    for (const [at, row] of rows.entries()) if (nth[at] === wave) outcomes[at] = applyRow(world, entity, row, amends)
    if (entity === 'tour_bookings') settleSeats(world)
  }
  return outcomes
}

type Row = { given: Values; errors: string[]; warnings: string[]; refused: Set<string> }

function applyRow(world: World, entity: Entity, row: Values, amends: boolean): Expected {
  const key = typeof row.external_id === 'string' ? row.external_id : null
  const stored = key === null ? undefined : world[entity].get(key)
  const outcome = { external_id: key, record_status: stored?.status ?? null, reason: null, errors: [], warnings: [] }
  if (stored && !amends) return { ...outcome, status: 'skipped', reason: 'already_exists' }
  const read = readRow(world, entity, row)
  const done = stored ? amend(world, entity, read, stored) : create(world, entity, read, key)
  const errors = sorted([...read.errors, ...done.errors])
  if (errors.length > 0) return { ...outcome, status: 'failed', reason: done.reason ?? null, errors }
  const status = key === null ? null : (world[entity].get(key)?.status ?? null)
  return {
    ...outcome,
    status: done.status,
    record_status: status,
    warnings: sorted([...read.warnings, ...done.warnings]),
  }
}
const sorted = (codes: string[]) => [...new Set(codes)].toSorted()

/** Cells as read, customers by their key; unknown customers are skipped. */
function readRow(world: World, entity: Entity, row: Values): Row {
  const found: Row = { given: {}, errors: [], warnings: [], refused: new Set() }
  if (typeof row.external_id === 'number') found.errors.push('invalid_type')
  else if ((row.external_id ?? null) === null) found.errors.push('required')
  for (const [name, { read }] of Object.entries(fieldsOf[entity])) {
    const cell = row[name]
    if (cell === undefined) continue
    const value = cell === null ? null : linked(world, name, read(cell))
    if (!(value instanceof Bad)) found.given[name] = value
    else if (name === 'customer_external_id' && value.code.startsWith('reference_')) found.warnings.push(value.code)
    else {
      found.errors.push(value.code)
      found.refused.add(name)
    }
  }
  return found
}

/** A reference as the key of its record. */
function linked(world: World, name: string, value: unknown): unknown {
  if (value instanceof Bad) return value
  if (name === 'customer_external_id') return customerNamed(world, String(value))
  const isLost = name === 'tour_departure_external_id' && !world.tour_departures.has(String(value))
  return isLost ? new Bad('reference_not_found') : value
}

function customerNamed({ customers }: World, name: string): string | Bad {
  if (customers.has(name)) return name
  const mail = (kept: Kept) => String(kept.fields.email ?? '').toLowerCase()
  const named = [...customers].filter(([, kept]) => mail(kept) === name.toLowerCase())
  if (named.length === 1) return (named[0] as [string, Kept])[0]
  return new Bad(named.length === 0 ? 'reference_not_found' : 'reference_ambiguous')
}

type Done = { status: string; errors: string[]; warnings: string[]; reason?: string }
const failed = (errors: string[], reason?: string): Done => ({
  status: 'failed',
  errors,
  warnings: [],
  ...(reason !== undefined && { reason }),
})

function create(world: World, entity: Entity, { given, errors, refused }: Row, key: string | null): Done {
  const fields = fieldsOf[entity]
  const record: Values = Object.fromEntries(Object.keys(fields).map((name) => [name, given[name] ?? null]))
  // A refused value is not also missing; with one bad cell in a row of one code it makes no difference.
  const isMissing = (name: string) => fields[name]?.required && record[name] === null && !refused.has(name)
  const missing = Object.keys(fields).filter(isMissing)
  const wrong = [...missing.map(() => 'required'), ...consistency(entity, record)]
  if (errors.length + wrong.length > 0 || key === null) return failed(wrong)
  const status = openingOf(entity, record)
  const ruled = rulesOver(world, entity, { ...record, status }, status, key, null)
  if (ruled.errors.length > 0) return failed(ruled.errors)
  const kept: Kept = { id: null, status, version: 1, fields: record }
  if ('status' in record) record.status = status
  if ('inventory_state' in record) record.inventory_state = status
  if (entity === 'tour_departures') kept.held = 0
  const warnings = [...ruled.warnings]
  if (isBooking(entity)) {
    if ('currency' in record) record.currency ??= 'TRY'
    const sold = sellOf(entity, record)
    kept.booking = { invoiced: false, wasInvoiced: false, hasLines: sold.length > 0, totals: totalsOf(entity, sold) }
    if (record.currency === 'EUR' && sold.length > 0) warnings.push('exchange_rate_missing')
    warnings.push(...invoice(entity, kept))
  }
  world[entity].set(key, kept)
  return { status: 'created', errors: [], warnings }
}

function openingOf(entity: Entity, { status, option_date, inventory_state }: Values): string {
  if (entity === 'customers') return 'active'
  if (entity === 'tour_departures') return String(inventory_state ?? 'open')
  return String(status ?? (entity === 'tickets' && option_date ? 'option' : 'draft'))
}

function consistency(entity: Entity, { check_in_on, check_out_on, passengers }: Values): string[] {
  if (entity === 'hotel_stays' && check_in_on && check_out_on && String(check_out_on) <= String(check_in_on))
    return ['inconsistent']
  return entity === 'tickets' && Array.isArray(passengers) && passengers.length === 0 ? ['required'] : []
}

const NIGHT_MS = 86_400_000
/** The gross of each sell line. */
function sellOf(entity: Entity, { sell_lines, rooms, check_in_on, check_out_on, passengers }: Values): number[] {
  if (entity === 'tickets') return ((passengers ?? []) as Item[]).map(({ total }) => Number(total ?? 0))
  const nights = (Date.parse(String(check_out_on)) - Date.parse(String(check_in_on))) / NIGHT_MS
  return [
    ...((sell_lines ?? []) as Item[]).map(({ amount, quantity }) => Number(amount) * Number(quantity)),
    ...((rooms ?? []) as Item[])
      .filter(({ nightly_rate }) => nightly_rate !== undefined)
      .map(({ nightly_rate }) => Number(nightly_rate) * nights),
  ]
}
function totalsOf(entity: Entity, sold: number[]): Totals {
  const sell = sold.reduce((sum, gross) => sum + gross, 0).toFixed(2)
  return entity === 'tickets'
    ? { sell, cost: sell, margin: '0.00', vat: '0.00' }
    : { sell, cost: '0.00', margin: sell, vat: '0.00' }
}

const FIRM = ['confirmed', 'in_house', 'checked_out', 'no_show']
/** A confirmed stay with an invoice date is invoiced, if it has a customer. */
function invoice(entity: Entity, { status, fields, booking }: Kept): string[] {
  if (!booking || entity !== 'hotel_stays') return []
  const isDue = FIRM.includes(status) && fields.invoice_date !== null
  booking.invoiced = isDue && fields.customer_external_id !== null
  booking.wasInvoiced ||= booking.invoiced
  return isDue && !booking.invoiced ? ['not_invoiced'] : []
}

/** The issues of numbers and seats for a record after the change. */
function rulesOver(
  world: World,
  entity: Entity,
  record: Values,
  status: string,
  key: string | null,
  stored: Kept | null,
): { errors: string[]; warnings: string[] } {
  if (entity === 'tickets' && status !== 'cancelled') {
    const others = [...world.tickets].filter(([other, kept]) => other !== key && kept.status !== 'cancelled')
    const taken = others.flatMap(([, { fields }]) => numbersOf(fields))
    const own = numbersOf(record)
    const isTaken = own.some((number, at) => taken.includes(number) || own.indexOf(number) !== at)
    return { errors: isTaken ? ['duplicate_ticket_number'] : [], warnings: [] }
  }
  const departure = world.tour_departures.get(String(record.tour_departure_external_id))
  if (entity !== 'tour_bookings' || !departure) return { errors: [], warnings: [] }
  const joins = stored?.fields.tour_departure_external_id !== record.tour_departure_external_id
  const taken = holds(status, record.guest_count)
  const more = joins || !stored ? taken : taken - holds(stored.status, stored.fields.guest_count)
  if (departure.status === 'cancelled' && status !== 'cancelled' && (joins || more > 0))
    return { errors: ['departure_closed'], warnings: [] }
  const capacity = departure.fields.max_capacity as number | null
  const held = seatsOf(world, String(record.tour_departure_external_id))
  return { errors: [], warnings: more > 0 && capacity !== null && held + more > capacity ? ['capacity_exceeded'] : [] }
}
const numbersOf = ({ passengers }: Values) =>
  ((passengers ?? []) as Item[]).flatMap(({ ticket_number }) => (ticket_number === null ? [] : [ticket_number]))
const holds = (status: string, guests: unknown): number =>
  ['option', 'confirmed', 'in_progress'].includes(status) ? Number(guests) : 0
const seatsOf = ({ tour_bookings }: World, key: string): number =>
  [...tour_bookings.values()]
    .filter(({ fields }) => fields.tour_departure_external_id === key)
    .reduce((sum, { status, fields }) => sum + holds(status, fields.guest_count), 0)

/** A departure that fills up is sold out, and open again when seats return. */
function settleSeats(world: World): void {
  for (const [key, departure] of world.tour_departures) {
    const [before, held] = [Number(departure.held), seatsOf(world, key)]
    if (before === held) continue
    const capacity = departure.fields.max_capacity as number | null
    const isFull = (seats: number) => capacity !== null && seats > 0 && seats >= capacity
    if (isFull(held) && SELLING.includes(departure.status)) departure.status = 'sold_out'
    else if (departure.status === 'sold_out' && isFull(before) && !isFull(held)) departure.status = 'open'
    departure.fields.inventory_state = departure.status
    departure.held = held
    departure.version += 1
  }
}

function amend(world: World, entity: Entity, { given, errors }: Row, stored: Kept): Done {
  const fields = fieldsOf[entity]
  const emptied = Object.keys(given).filter((name) => fields[name]?.required && given[name] === null)
  const asked = { ...given }
  if (asked.currency === null) delete asked.currency
  if (asked.status === null) asked.status = openingOf(entity, { ...stored.fields, ...asked, status: null })
  if (asked.inventory_state === null) asked.inventory_state = 'open'
  const wanted = Object.fromEntries(
    Object.entries(asked).filter(([name, value]) => comparable(name, value) !== comparable(name, stored.fields[name])),
  )
  const record = { ...stored.fields, ...wanted }
  const wrong = [...emptied.map(() => 'required'), ...consistency(entity, record)]
  if (entity === 'tour_departures') return amendDeparture(stored, wanted, wrong, errors.length > 0)
  const refused = isBooking(entity) ? refusals(entity, stored, wanted) : { errors: [] }
  wrong.push(...refused.errors)
  const status = String(record.status ?? stored.status)
  const isIdle = Object.keys(wanted).length === 0
  const key = [...world[entity]].find(([, kept]) => kept === stored)?.[0] as string
  const ruled =
    isBooking(entity) && refused.errors.length === 0 && !isIdle
      ? rulesOver(world, entity, record, status, key, stored)
      : { errors: [], warnings: [] }
  wrong.push(...ruled.errors)
  if (errors.length + wrong.length > 0) return failed(wrong, refused.reason)
  if (isIdle) return { status: 'unchanged', errors: [], warnings: [] }
  const takesNotesAlone = lockOf(stored) !== null && wanted.status === undefined
  Object.assign(stored, { fields: record, status, version: stored.version + 1 })
  const derivedFrom = ['check_in_on', 'check_out_on', 'guest_count', 'rooms', 'tour_departure_external_id']
  const moved = derivedFrom.some((name) => name in wanted && !(entity === 'hotel_stays' && name === 'guest_count'))
  return {
    status: 'updated',
    errors: [],
    warnings: [
      ...ruled.warnings,
      ...(isBooking(entity) && moved ? ['price_not_recalculated'] : []),
      ...(takesNotesAlone ? [] : invoice(entity, stored)),
    ],
  }
}

const lockOf = ({ status, booking }: Kept): 'cancelled' | 'invoiced' | null => {
  if (status === 'cancelled') return 'cancelled'
  return booking?.invoiced ? 'invoiced' : null
}

/** Equal text for equal values; amounts are equal whatever zeros they have. */
function comparable(name: string, value: unknown): string {
  const items = (Array.isArray(value) ? value : []) as Item[]
  if (name === 'sell_lines') return items.map(({ amount, quantity }) => `${Number(amount)}×${quantity}`).join()
  if (name === 'rooms' && value !== null) return `[${items.map((room) => `${room.name} ${rateOf(room)}`).join()}]`
  return JSON.stringify(value ?? null)
}
const rateOf = ({ nightly_rate }: Item) => (nightly_rate === undefined ? null : Number(nightly_rate))
const priceOf = (name: string, value: unknown): string =>
  JSON.stringify(
    ((value ?? []) as Item[])
      .map((item) => (name === 'rooms' ? rateOf(item) : item.total))
      .filter((rate) => rate !== null),
  )

/** Everything but the price; of an invoiced or cancelled one the notes, and of an invoiced one its cancellation as well. */
function refusals(entity: Entity, stored: Kept, wanted: Values): { errors: string[]; reason?: string } {
  const names = Object.keys(wanted)
  const lock = lockOf(stored)
  const beyondNotes = names.filter((name) => name !== 'notes')
  const cancels = lock === 'invoiced' && beyondNotes.length === 1 && wanted.status === 'cancelled'
  if (lock && !cancels) {
    return beyondNotes.length > 0 ? { errors: ['amendment_refused'], reason: lock } : { errors: [] }
  }
  const isPrice = names.some(
    (name) =>
      name === 'currency' ||
      name === 'sell_lines' ||
      ((name === 'rooms' || name === 'passengers') &&
        priceOf(name, wanted[name]) !== priceOf(name, stored.fields[name])),
  )
  const isMove = wanted.status !== undefined
  return {
    errors: [
      ...(isPrice ? ['pricing_not_amendable'] : []),
      ...(isMove && !mayMove(entity, stored.status, String(wanted.status)) ? ['invalid_transition'] : []),
    ],
  }
}

/** A full departure is sold out, whatever a row states, and opens when its capacity is raised. */
function amendDeparture(stored: Kept, wanted: Values, wrong: string[], isUnread: boolean): Done {
  const state = wanted.inventory_state as string | undefined
  if (state !== undefined && !mayMove('tour_departures', stored.status, state))
    return failed([...wrong, 'invalid_transition'])
  if (isUnread || wrong.length > 0) return failed(wrong)
  const record = { ...stored.fields, ...wanted }
  const isFull = (capacity: unknown) =>
    capacity !== null && Number(stored.held) > 0 && Number(stored.held) >= Number(capacity)
  let next = state ?? stored.status
  if (SELLING.includes(next) && isFull(record.max_capacity)) next = 'sold_out'
  else if (next === 'sold_out' && state === undefined && isFull(stored.fields.max_capacity)) next = 'open'
  const changes =
    Object.keys(wanted).filter((name) => name !== 'inventory_state').length + Number(next !== stored.status)
  if (changes === 0) return { status: 'unchanged', errors: [], warnings: [] }
  Object.assign(stored, { fields: { ...record, inventory_state: next }, status: next, version: stored.version + 1 })
  return { status: 'updated', errors: [], warnings: [] }
}
