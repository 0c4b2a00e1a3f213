import { namesRestrictedSql, personalSql } from '../../../customers/reads/restricted.ts'
import { bookingFilters } from '../../booking-filters.ts'
import { branchName, customerName, seatName, supplierName } from '../../dimensions.ts'
import { type Preset, type ReportColumn, type ReportInput, within } from '../../preset.ts'
import { cellSql, DOCUMENT_STATUS_SQL, ISSUED_ON, listSql, TOTAL } from '../document-sql.ts'

const COLUMNS = (() => {
  const text = (label: string): ReportColumn => ({ label, type: 'string' })
  const personal = (label: string): ReportColumn => ({ ...text(label), sensitive: 'personal' })
  return {
    travel_ended_on: { label: 'Last flight', type: 'date' },
    days_past: { label: 'Days past', type: 'integer' },
    issued_on: { label: 'Issued', type: 'date' },
    ticket_number: personal('Number'),
    document_type: text('Document'),
    airline_code: text('Airline'),
    passenger: personal('Passenger'),
    pnr: text('PNR'),
    route: text('Route'),
    unflown_legs: { label: 'Legs not known to be flown', type: 'integer' },
    legs: { label: 'Legs', type: 'integer' },
    customer: personal('Customer'),
    customer_id: { label: 'Customer id', type: 'uuid' },
    supplier: text('Supplier'),
    advisor: text('Advisor'),
    branch: text('Branch'),
    currency: text('Currency'),
    documents: { label: 'Documents', type: 'integer', sums: true },
    total: { label: 'Total', type: 'money', sensitive: 'money', sums: true },
    external_id: text('Sale'),
    booking_id: { label: 'Sale id', type: 'uuid' },
    position: { label: 'Document of the sale', type: 'integer' },
  } satisfies Record<string, ReportColumn>
})()

function filters(): Preset['filters'] {
  const { entity: _, ...common } = bookingFilters([])
  return {
    ...common,
    airline_code: {
      label: 'Airline',
      type: 'string',
      where: `${cellSql('airline_code')} = $airline_code`,
      pattern: /^[A-Z0-9]{2,3}$/,
      form: 'Send an airline code such as TK.',
    },
    settlement_channel: {
      label: 'Who is paid',
      type: 'enum',
      options: ['bsp', 'direct', 'web', 'card', 'consolidator', 'prepaid'],
      where: 't.settlement_channel = $settlement_channel',
    },
  }
}

/** When the last leg of a sale `t` has ended; the day of the first flight, if it has no times. */
const ENDED_ON = `coalesce(
  left(coalesce(t.legs -> -1 ->> 'scheduled_arrival', t.legs -> -1 ->> 'scheduled_departure'), 10)::date, b.travels_on)`
/** Tickets are good for a year from the first flight, so the last one is not later. */
const LONGEST_DAYS = 366
/** How a leg is marked as flown, in the words and codes in use. */
const FLOWN = ['F', 'FLOWN', 'FLWN', 'B', 'BOARDED', 'L', 'LIFTED', 'USED']

/** Documents that are still open although their travel is over. */
export const unusedTickets: Preset = {
  key: 'unused_tickets',
  label: 'Unused tickets',
  description:
    'Issued documents that are neither void, refunded nor exchanged, whose last flight was before today, and that have a leg without a flown status (FLOWN or USED). They may be refundable.',
  category: 'bsp',
  feature: 'reports_bsp',
  columns: COLUMNS,
  filters: filters(),
  dates: {
    by: {
      // The first flight has an index.
      travel_start: `b.travels_on between $from::date - ${LONGEST_DAYS} and $to::date and ${within(ENDED_ON)}`,
      // The index is on the last issue of a sale, whose day is also that of documents without an issue date.
      issue: `b.travels_on < $today::date and (b.last_issued_on >= $from::date or ${within('b.transaction_date')}) and ${within(ISSUED_ON)}`,
    },
    window: { back: 365, ahead: 0 },
  },
  groupings: {
    airline: { label: 'Airline', key: 'airline_code', name: 'airline_code' },
    customer: { label: 'Customer', key: 'customer_id', name: 'customer' },
    supplier: { label: 'Supplier', key: 'supplier_id', name: 'supplier' },
    advisor: { label: 'Advisor', key: 'advisor_id', name: 'advisor' },
    branch: { label: 'Branch', key: 'branch_id', name: 'branch' },
    currency: { label: 'Currency', key: 'currency', name: 'currency' },
  },
  order: [
    { column: 'travel_ended_on', descending: true },
    { column: 'ticket_number' },
    { column: 'booking_id' },
    { column: 'position' },
  ],
  pages: true,
  rows,
}

/** The legs of a sale `t`: their number, the number of flown ones, and the route. */
const FLIGHTS = `
  select count(*) as legs,
    count(*) filter (where upper(l.leg ->> 'status') = any('{${FLOWN}}')) as flown,
    string_agg(concat_ws('-', case when l.position = 1 then l.leg ->> 'departure_airport' end, l.leg ->> 'arrival_airport'), '-' order by l.position) as route
  from jsonb_array_elements(${listSql('t.legs')}) with ordinality l(leg, position)`

function rows({ policies, where }: ReportInput): string {
  const own = (sql: string) => personalSql(namesRestrictedSql('b', 'b.customer_id'), sql, policies, 'null::text')
  return `
    select b.id as booking_id, d.position, b.external_id, ${ENDED_ON} as travel_ended_on, $today::date - ${ENDED_ON} as days_past,
      ${ISSUED_ON} as issued_on, ${own(cellSql('ticket_number'))} as ticket_number, ${cellSql('document_type')} as document_type,
      ${cellSql('airline_code')} as airline_code, ${own(`concat_ws(' ', ${cellSql('first_name')}, ${cellSql('last_name')})`)} as passenger, t.pnr,
      f.route, f.legs - f.flown as unflown_legs, f.legs, b.customer_id, ${customerName('b.customer_id', policies)} as customer,
      b.supplier_id, ${supplierName('b.supplier_id')} as supplier, b.assigned_to_id as advisor_id,
      ${seatName('b.assigned_to_id')} as advisor, b.branch_id, ${branchName('b.branch_id')} as branch, b.currency, 1 as documents,
      ${TOTAL} as total
    from bookings b join tickets t on t.account_id = b.account_id and t.id = b.id
      cross join lateral (${FLIGHTS}) f
      cross join lateral jsonb_array_elements(t.passengers) with ordinality d(item, position)
    where b.account_id = $account and b.entity = 'tickets' and b.deleted_at is null and b.status not in ('cancelled', 'void')
      and ${cellSql('ticket_number')} is not null and ${DOCUMENT_STATUS_SQL} = 'open' and ${TOTAL} >= 0 and ${ENDED_ON} < $today::date and f.flown < f.legs and ${where}`
}
