import { personalSql, restrictedSql } from '../../customers/reads/restricted.ts'
import { bookingFilters, IS_SALE } from '../booking-filters.ts'
import { branchName, DATE_COLUMNS, seatName, supplierName } from '../dimensions.ts'
import { type Dates, type Preset, type ReportColumn, type ReportFilter, type ReportInput, within } from '../preset.ts'
import { amountSql, COMMISSION, cellSql, DOCUMENT_STATUS_SQL, FARE, listSql, TAXES, TOTAL } from './document-sql.ts'

const COLUMNS = (() => {
  const personal = { type: 'string', sensitive: 'personal' } as const
  const money = { type: 'money', sensitive: 'money', sums: true } as const
  return {
    issued_on: { label: 'Issued', type: 'date' },
    ticket_number: { label: 'Number', ...personal },
    document_type: { label: 'Document', type: 'string' },
    document_status: { label: 'Status', type: 'string' },
    airline_code: { label: 'Airline', type: 'string' },
    passenger: { label: 'Passenger', ...personal },
    pnr: { label: 'PNR', type: 'string' },
    route: { label: 'Route', type: 'string' },
    customer: { label: 'Customer', ...personal },
    customer_id: { label: 'Customer id', type: 'uuid' },
    supplier: { label: 'Supplier', type: 'string' },
    advisor: { label: 'Advisor', type: 'string' },
    branch: { label: 'Branch', type: 'string' },
    currency: { label: 'Currency', type: 'string' },
    documents: { label: 'Documents', type: 'integer', sums: true },
    fare: { label: 'Fare', ...money },
    taxes: { label: 'Taxes', ...money },
    total: { label: 'Total', ...money },
    service_fee: { label: 'Service fee', ...money },
    penalty: { label: 'Penalty', ...money },
    discount: { label: 'Discount', ...money },
    sell: { label: 'Sold', ...money },
    commission: { label: 'Commission', ...money, sensitive: 'cost' },
    external_id: { label: 'Sale', type: 'string' },
    booking_id: { label: 'Sale id', type: 'uuid' },
    position: { label: 'Document of the sale', type: 'integer' },
  } satisfies Record<string, ReportColumn>
})()

const oneOf = (label: string, where: string, ...options: string[]): ReportFilter => ({
  label,
  type: 'enum',
  where,
  options,
})
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
    document_type: oneOf('Document', `${cellSql('document_type')} = $document_type`, 'ticket', 'emd', 'mco'),
    document_status: oneOf('Status', `${DOCUMENT_STATUS_SQL} = $document_status`, 'open', 'refunded', 'exchanged'),
    settlement_channel: oneOf(
      'Who is paid',
      't.settlement_channel = $settlement_channel',
      ...['bsp', 'direct', 'web', 'card', 'consolidator', 'prepaid'],
    ),
  }
}

const DATES: Dates = {
  by: {
    transaction: within(DATE_COLUMNS.transaction),
    travel_start: within(DATE_COLUMNS.travel_start),
    // The first and the last issue of a sale are indexed; its documents are between them.
    issue: `b.last_issued_on >= $from::date and b.first_issued_on <= $to::date and ${within(`(${cellSql('issued_on')})::date`)}`,
  },
  window: 'this_month',
}

/** Every document of the ticket sales. */
export const ticketSales: Preset = {
  key: 'ticket_sales',
  label: 'Ticket sales',
  description:
    'All tickets, EMDs and MCOs sold, with fare, taxes, fees and commission. Sold is the total including fee and penalty, minus the discount. Void documents are not included.',
  category: 'sales',
  feature: 'api_access',
  columns: COLUMNS,
  filters: filters(),
  dates: DATES,
  groupings: {
    airline: { label: 'Airline', key: 'airline_code', name: 'airline_code' },
    customer: { label: 'Customer', key: 'customer_id', name: 'customer' },
    supplier: { label: 'Supplier', key: 'supplier_id', name: 'supplier' },
    advisor: { label: 'Advisor', key: 'advisor_id', name: 'advisor' },
    branch: { label: 'Branch', key: 'branch_id', name: 'branch' },
    document_type: { label: 'Document', key: 'document_type', name: 'document_type' },
    document_status: { label: 'Status', key: 'document_status', name: 'document_status' },
    currency: { label: 'Currency', key: 'currency', name: 'currency' },
  },
  order: [
    { column: 'issued_on', descending: true },
    { column: 'ticket_number' },
    { column: 'booking_id' },
    { column: 'position' },
  ],
  pages: true,
  rows,
}

function rows({ policies, where }: ReportInput): string {
  const own = (sql: string) => personalSql(`coalesce(${restrictedSql('c')}, false)`, sql, policies, 'null::text')
  const name = `concat_ws(' ', ${cellSql('first_name')}, ${cellSql('last_name')})`
  return `
    select t.*, ${own('t.number')} as ticket_number, ${own('t.name')} as passenger,
      ${own('c.name')} as customer, ${supplierName('t.supplier_id')} as supplier,
      ${seatName('t.advisor_id')} as advisor, ${branchName('t.branch_id')} as branch,
      t.total + t.service_fee + t.penalty - t.discount as sell
    from (
      select b.account_id, b.id as booking_id, d.position, b.external_id, b.customer_id, b.supplier_id,
        b.assigned_to_id as advisor_id, b.branch_id, b.currency, t.pnr, 1 as documents,
        (${cellSql('issued_on')})::date as issued_on, ${cellSql('ticket_number')} as number, ${name} as name,
        ${cellSql('document_type')} as document_type, ${DOCUMENT_STATUS_SQL} as document_status, ${cellSql('airline_code')} as airline_code,
        (select string_agg(concat_ws('-', case when l.position = 1 then l.leg ->> 'departure_airport' end, l.leg ->> 'arrival_airport'), '-' order by l.position)
          from jsonb_array_elements(${listSql('t.legs')}) with ordinality l(leg, position)) as route,
        ${FARE} as fare, ${TAXES} as taxes, ${TOTAL} as total, ${amountSql('service_fee')} as service_fee,
        ${amountSql('penalty')} as penalty, ${amountSql('discount')} as discount, ${COMMISSION} as commission
      from bookings b join tickets t on t.account_id = b.account_id and t.id = b.id
        cross join lateral jsonb_array_elements(t.passengers) with ordinality d(item, position)
      where b.account_id = $account and b.entity = 'tickets' and ${IS_SALE}
        and ${cellSql('document_status')} is distinct from 'void' and ${where}
    ) t left join customers c on c.account_id = t.account_id and c.id = t.customer_id`
}
