import { notBefore } from '../../../../catalogue/checks.ts'
import { count } from '../../../../catalogue/count.ts'
import { defineEntity, required } from '../../../../catalogue/entity.ts'
import { currency, date, integer, oneOf, string } from '../../../../catalogue/kinds.ts'
import type { Values } from '../../../../catalogue/read-cells.ts'
import type { Amendment, Importable, Stored } from '../../../../imports/importable.ts'
import { linkedSupplier, supplierReference } from '../../../suppliers/reads/supplier-reference.ts'
import { CANCELLED, moveRefused } from '../../status.ts'
import { departuresThatStay, moveBookingsOfDeparture, SELLING } from './departures.store.ts'

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

export const tourDepartures: Importable = {
  entity,
  rules: () => ({
    complete: () => ({ columns: { seats_held: 0 } }),
    amend: amendDeparture,
  }),
  async afterWrite(tx, written) {
    const moved = written.filter(({ before, changes }) => before && 'starts_on' in changes).map(({ id }) => id)
    if (moved.length > 0) tx.later(moveBookingsOfDeparture, { ids: moved.sort() })
  },
  revert: { stays: departuresThatStay },
}

/** The state moves by its rules, and follows the seats where the capacity changes. */
function amendDeparture(stored: Stored, changes: Values): Amendment {
  const { inventory_state: state, ...others } = changes
  const held = Number(stored.seats_held)
  const isFull = (capacity: unknown) => capacity !== null && held > 0 && held >= Number(capacity)
  const capacity = 'max_capacity' in changes ? changes.max_capacity : stored.max_capacity
  const errors = state === undefined ? [] : moveRefused(MOVES, stored.status, String(state), 'inventory_state')
  if (errors.length > 0) return { changes, errors }
  const next = stateOf(String(state ?? stored.status), stored, isFull(stored.max_capacity), isFull(capacity))
  return { changes: next === stored.status ? others : { ...others, inventory_state: next } }
}

/** A full departure is sold out, whatever a repeated row states, and opens when its capacity is raised. */
function stateOf(requested: string, stored: Stored, wasFull: boolean, full: boolean): string {
  if (full) return SELLING.includes(requested) ? SOLD_OUT : requested
  return wasFull && requested === SOLD_OUT && stored.status === SOLD_OUT ? 'open' : requested
}
