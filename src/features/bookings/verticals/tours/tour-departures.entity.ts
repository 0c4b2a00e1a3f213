import { notBefore } from '../../../../catalogue/checks.ts'
import { count } from '../../../../catalogue/count.ts'
import { defineEntity, required } from '../../../../catalogue/entity.ts'
import { currency, date, integer, oneOf, string } from '../../../../catalogue/kinds.ts'
import type { Values } from '../../../../catalogue/read-cells.ts'
import type { Amendment, Importable, Revert, Stored } from '../../../../imports/importable.ts'
import * as pg from '../../../../platform/db/pg-types.ts'
import { statement } from '../../../../platform/db/statement.ts'
import { linkedSupplier, supplierReference } from '../../../suppliers/reads/supplier-reference.ts'
import { CANCELLED, moveRefused } from '../../status.ts'
import { SELLING } from './departure-seats.ts'

const STATES = [
  'open',
  'closed_direct',
  'on_request',
  'min_not_met',
  'sold_out',
  'cancelled',
  'departed',
  'completed',
] as const
const SOLD_OUT = 'sold_out'
const MOVES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    SELLING.map((state) => [state, [...SELLING.filter((other) => other !== state), 'departed', CANCELLED]]),
  ),
  departed: ['completed'],
}

const entity = defineEntity({
  key: 'tour_departures',
  label: 'Tour departures',
  model: 'TourDeparture',
  scope: 'company',
  dependencyOrder: 2,
  mode: 'upsert',
  table: 'tour_departures',
  status: 't.inventory_state',
  statusField: 'inventory_state',
  statuses: STATES,
  summary: { supplier: linkedSupplier },
  fields: {
    title: required(string(200)),
    starts_on: date,
    ends_on: date,
    currency: { ...currency },
    max_capacity: count,
    inventory_state: { ...oneOf(...STATES), default: 'open' },
    notes: string(10_000),
    supplier_external_id: supplierReference('skip'),
  },
  derived: { seats_held: { ...integer(0), note: 'Seats held by bookings.' } },
  check: notBefore('starts_on', 'ends_on', 'A tour cannot end before it starts.'),
  sample: {
    rows: [
      {
        external_id: 'TD-601',
        title: 'Kapadokya, 3 days',
        starts_on: '2026-09-04',
        ends_on: '2026-09-06',
        currency: 'TRY',
        max_capacity: 28,
        inventory_state: 'open',
        supplier_external_id: 'S-501',
        notes: 'Balloon flights on the second morning.',
      },
    ],
  },
})

/** A departure with bookings stays when the import that made it is taken back. */
const stays: Revert['stays'] = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  { id: pg.uuid, reason: pg.text },
  `
  select key.id, 'has_bookings' as reason from unnest($ids::uuid[]) as key(id)
  where exists (
    select from tour_bookings o join bookings b on b.account_id = o.account_id and b.id = o.id
    where o.account_id = $account and o.tour_departure_id = key.id and b.deleted_at is null)`,
)

const moveBookings = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  {},
  `
  update bookings b set travels_on = d.starts_on
  from unnest($ids::uuid[]) as key(id) join tour_departures d on d.account_id = $account and d.id = key.id
    join tour_bookings o on o.account_id = $account and o.tour_departure_id = d.id
  where b.account_id = $account and b.id = o.id and b.travels_on is distinct from d.starts_on`,
)

export const tourDepartures: Importable = {
  entity,
  rules: () => ({
    complete: () => ({ columns: { seats_held: 0 } }),
    amend: amendDeparture,
  }),
  async afterWrite(tx, written) {
    const moved = written.filter(({ before, changes }) => before && 'starts_on' in changes).map(({ id }) => id)
    if (moved.length > 0) tx.later(moveBookings, { ids: moved.sort() })
  },
  revert: { stays },
}

/** The state moves by its rules, and follows the seats where the capacity changes. */
function amendDeparture(stored: Stored, wanted: Values): Amendment {
  const { inventory_state: state, ...others } = wanted
  const held = Number(stored.seats_held)
  const isFull = (capacity: unknown) => capacity !== null && held > 0 && held >= Number(capacity)
  const capacity = 'max_capacity' in wanted ? wanted.max_capacity : stored.max_capacity
  const errors = state === undefined ? [] : moveRefused(MOVES, stored.status, String(state), 'inventory_state')
  if (errors.length > 0) return { changes: wanted, errors }
  const next = stateOf(String(state ?? stored.status), stored, isFull(stored.max_capacity), isFull(capacity))
  return { changes: next === stored.status ? others : { ...others, inventory_state: next } }
}

/** A full departure is sold out whatever a re-sent row says, and opens when it is made larger. */
function stateOf(wanted: string, stored: Stored, wasFull: boolean, full: boolean): string {
  if (full) return SELLING.includes(wanted) ? SOLD_OUT : wanted
  return wasFull && wanted === SOLD_OUT && stored.status === SOLD_OUT ? 'open' : wanted
}
