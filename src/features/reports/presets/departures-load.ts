import { byCurrencyFilter, byIdFilter } from '../booking-filters.ts'
import { branchName, supplierName } from '../dimensions.ts'
import { type Preset, within } from '../preset.ts'

const STATES = ['open', 'closed_direct', 'on_request', 'min_not_met', 'sold_out', 'cancelled', 'departed', 'completed']

/**
 * The bookings with seats of a departure `d`, or with seats when it left: `seats_held` of a departure counts only the
 * former.
 */
const SOLD = `
  select count(*) as bookings, coalesce(sum(o.guest_count), 0) as seats
  from tour_bookings o join bookings b on b.account_id = o.account_id and b.id = o.id
  where o.account_id = d.account_id and o.tour_departure_id = d.id and b.deleted_at is null
    and b.status in ('option', 'confirmed', 'in_progress', 'completed', 'no_show')`

/** How full the departures of tours are. */
export const departuresLoad: Preset = {
  key: 'departures_load',
  label: 'Load of departures',
  description:
    'Tour departures, by default of the next three months, with total, held and free seats. Completed bookings and no-shows keep their seats in this report.',
  category: 'operations',
  feature: 'api_access',
  columns: {
    starts_on: { label: 'Departs on', type: 'date' },
    ends_on: { label: 'Ends on', type: 'date' },
    title: { label: 'Tour', type: 'string' },
    inventory_state: { label: 'State', type: 'string' },
    supplier: { label: 'Supplier', type: 'string' },
    branch: { label: 'Branch', type: 'string' },
    departures: { label: 'Departures', type: 'integer', sums: true },
    bookings: { label: 'Bookings', type: 'integer', sums: true },
    max_capacity: { label: 'Seats', type: 'integer', sums: true },
    seats_held: { label: 'Seats held', type: 'integer', sums: true },
    seats_free: { label: 'Seats free', type: 'integer', sums: true },
    load: { label: 'Load, %', type: 'percent' },
    external_id: { label: 'Departure', type: 'string' },
    departure_id: { label: 'Departure id', type: 'uuid' },
  },
  filters: {
    ...byIdFilter('company_id', 'Company', 'd.company_id'),
    ...byIdFilter('branch_id', 'Branch', 'd.branch_id'),
    ...byIdFilter('supplier_id', 'Supplier', 'd.supplier_id'),
    ...byCurrencyFilter('d.currency'),
    inventory_state: {
      label: 'State',
      type: 'enum',
      options: STATES,
      multiple: true,
      where: 'd.inventory_state = any($inventory_state::text[])',
    },
  },
  dates: { by: { travel_start: within('d.starts_on') }, window: { back: 0, ahead: 90 } },
  groupings: {
    month: { label: 'Month', key: 'month', name: 'month' },
    supplier: { label: 'Supplier', key: 'supplier_id', name: 'supplier' },
    branch: { label: 'Branch', key: 'branch_id', name: 'branch' },
    state: { label: 'State', key: 'inventory_state', name: 'inventory_state' },
  },
  order: [{ column: 'starts_on' }, { column: 'title' }, { column: 'departure_id' }],
  pages: true,
  rows: ({ where }) => `
    select d.starts_on, d.ends_on, d.title, d.inventory_state, ${supplierName('d.supplier_id')} as supplier, d.supplier_id,
      ${branchName('d.branch_id')} as branch, d.branch_id, to_char(d.starts_on, 'YYYY-MM') as month, 1 as departures,
      sold.bookings, d.max_capacity, sold.seats as seats_held, greatest(d.max_capacity - sold.seats, 0) as seats_free,
      100.0 * sold.seats / nullif(d.max_capacity, 0) as load, d.external_id, d.id as departure_id
    from tour_departures d cross join lateral (${SOLD}) sold
    where d.account_id = $account and d.deleted_at is null and ${where}`,
}
