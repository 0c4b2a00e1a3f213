import * as pg from '../../../platform/db/pg-types.ts'
import { type Statement, statement } from '../../../platform/db/statement.ts'
import { tripAttributes } from '../trip-attributes.ts'
import type { RowChange, TripPart, TripPartRow } from './trip-rows.ts'

/** Amounts and degrees are text, since JavaScript's numbers are not exact. */
const exact = (names: readonly string[]): string =>
  `jsonb_build_object(${names.map((name) => `'${name}', t.${name}::text`).join(', ')})`
const FOUND = `jsonb_build_object('found', array(
  select f.key from jsonb_each(nullif(to_jsonb(t) -> 'found_place', 'null')) f where f.value = to_jsonb(t) -> f.key))`
const rowsOf = (table: TripPart, numbers: readonly string[]) => `
  (select coalesce(json_agg(to_jsonb(t) || ${exact(numbers)} || ${FOUND} order by t.id), '[]') from ${table} t
  where t.account_id = o.account_id and t.trip_id = o.id) as ${table}`
const AMOUNTS = ['price_amount', 'cost_amount', 'commission_amount', 'commission_rate']

/** All rows of a trip; no row if it does not exist. */
export const readTripRows = statement(
  { account: pg.integer, trip: pg.uuid },
  {
    trips: pg.json<readonly TripPartRow[]>(),
    trip_days: pg.json<readonly TripPartRow[]>(),
    trip_segments: pg.json<readonly TripPartRow[]>(),
    trip_travelers: pg.json<readonly TripPartRow[]>(),
  },
  `
  select json_build_array(to_jsonb(o) - array['search', 'starts'] || '{"found": []}') as trips,
    ${rowsOf('trip_days', ['latitude', 'longitude'])}, ${rowsOf('trip_segments', AMOUNTS)}, ${rowsOf('trip_travelers', [])}
  from trips o where o.account_id = $account and o.id = $trip`,
)

const of = (type: string, ...names: string[]) => Object.fromEntries(names.map((name) => [name, type]))
/** The columns that a change can take back, with their types. */
const COLUMNS: Readonly<Record<TripPart, Readonly<Record<string, string>>>> = {
  trips: Object.fromEntries(Object.entries(tripAttributes).map(([name, { pg: type }]) => [name, type])),
  trip_days: {
    ...of('integer', 'day_number', 'position', 'version'),
    ...of('text', 'title', 'description', 'primary_location', 'timezone', 'cover_image_url'),
    ...of('numeric', 'latitude', 'longitude'),
    ...of('timestamptz', 'created_at'),
    ...of('jsonb', 'found_place'),
    ...of('uuid', 'trip_id'),
    date: 'date',
  },
  trip_segments: {
    ...of('uuid', 'trip_id', 'trip_day_id', 'supplier_id', 'booking_id'),
    ...of('integer', 'position', 'version', 'duration_minutes'),
    ...of('text', 'segment_type', 'status', 'title', 'description', 'internal_notes', 'location_name'),
    ...of('text', 'location_address', 'cover_image_url', 'flight_number', 'airline_code', 'departure_airport'),
    ...of('text', 'arrival_airport', 'currency', 'cost_currency', 'confirmation_number', 'piece'),
    ...of('timestamp', 'start_time', 'end_time'),
    ...of('boolean', 'is_optional', 'is_highlighted', 'is_client_visible'),
    ...of('numeric', ...AMOUNTS),
    ...of('timestamptz', 'created_at'),
    derived: 'jsonb',
  },
  trip_travelers: {
    ...of('uuid', 'trip_id', 'customer_id', 'traveler_id'),
    ...of('integer', 'position', 'version'),
    name: 'text',
    is_lead: 'boolean',
  },
}

/** The common table expressions that bring the rows of a table to the steps in the parameter of its name. */
function steps(part: TripPart): string {
  const columns = Object.entries(COLUMNS[part])
  const given = `${part}_steps`
  const record = `jsonb_to_record(g.cells) as v(${columns.map(([name, type]) => `${name} ${type}`).join(', ')})`
  const each = (sql: (name: string) => string) => columns.map(([name]) => sql(name)).join(', ')
  const stamp = part === 'trip_travelers' ? '' : ', updated_at = now()'
  // The version is the trigger's, but for a row that comes back.
  const set = columns.flatMap(([name]) =>
    name === 'version' ? [] : `${name} = case when g.cells ? '${name}' then v.${name} else t.${name} end`,
  )
  return `
  ${given} as (select e ->> 'op' as op, (e ->> 'id')::uuid as id, e -> 'cells' as cells from jsonb_array_elements($${part}::jsonb) e),
  ${part}_gone as (
    delete from ${part} t using ${given} g where t.account_id = $account::integer and t.id = g.id and g.op = 'delete'),
  ${part}_set as (
    update ${part} t set ${set.join(', ')}${stamp} from ${given} g cross join lateral ${record}
    where t.account_id = $account::integer and t.id = g.id and g.op = 'update')${
      part === 'trips'
        ? ''
        : `,
  ${part}_made as (
    insert into ${part} (account_id, id, ${each((name) => name)})
    select $account::integer, g.id, ${each((name) => `v.${name}`)} from ${given} g cross join lateral ${record} where g.op = 'insert')`
    }`
}
const STEPS = { trips: pg.jsonText, trip_days: pg.jsonText, trip_segments: pg.jsonText, trip_travelers: pg.jsonText }
/** One statement, at whose end the numbers of days are compared. */
export const takeSteps: Statement<{ account: number } & Record<TripPart, string>, Record<never, never>> = statement(
  { account: pg.integer, ...STEPS },
  {},
  `with ${(Object.keys(COLUMNS) as TripPart[]).map(steps).join(',')} select`,
)

/** How many of these records no longer exist. */
export const countGone = statement(
  {
    account: pg.integer,
    seats: pg.list(pg.uuid),
    customers: pg.list(pg.uuid),
    travelers: pg.list(pg.uuid),
    suppliers: pg.list(pg.uuid),
  },
  { gone: pg.integer },
  `
  select ((select count(*) from unnest($seats::uuid[]) x(id) where not exists (
      select from seats r where r.account_id = $account::integer and r.id = x.id and r.active))
    + (select count(*) from unnest($customers::uuid[]) x(id) where not exists (
      select from customers r where r.account_id = $account and r.id = x.id and r.deleted_at is null))
    + (select count(*) from unnest($travelers::uuid[]) x(id) where not exists (
      select from travelers r where r.account_id = $account and r.id = x.id))
    + (select count(*) from unnest($suppliers::uuid[]) x(id) where not exists (
      select from suppliers r where r.account_id = $account and r.id = x.id and r.deleted_at is null)))::integer as gone`,
)

export const keepChange = statement(
  { account: pg.integer, id: pg.uuid, trip: pg.uuid, action: pg.text, rows: pg.jsonText },
  {},
  `
  insert into trip_changes (account_id, id, trip_id, action, rows) values ($account, $id, $trip, $action, $rows::jsonb)`,
)
/** How long a change can be undone. */
export const UNDO_MINUTES = 10
const YOUNG = `created_at > now() - interval '${UNDO_MINUTES} minutes'`
export const findChange = statement(
  { account: pg.integer, id: pg.uuid, trip: pg.uuid },
  { action: pg.text, rows: pg.json<readonly RowChange[]>() },
  `select action, rows from trip_changes where account_id = $account and id = $id and trip_id = $trip and ${YOUNG}`,
)
export const dropChange = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  'delete from trip_changes where account_id = $account and id = $id',
)
export const purgeChanges = statement({}, {}, `delete from trip_changes where not (${YOUNG})`)
