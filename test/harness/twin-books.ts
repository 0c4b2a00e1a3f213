import type { Field } from '../../src/catalogue/kind.ts'
import type { Fields } from '../../src/catalogue/read-cells.ts'
import type { Importable } from '../../src/imports/importable.ts'
import { importables } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { restrictTagOf } from './settings.ts'
import { wholeRow } from './whole-records.ts'
import { changes } from './writes.ts'

export type Row = Readonly<Record<string, unknown>>
/**
 * Whether a place of a reading is hidden from a role, such as `travelers[].first_name` of `records of hotel_stays`;
 * `isSecret`: of a record of the restricted customer.
 */
export type IsMasked = (reading: string, place: string, isSecret: boolean) => boolean
/** A book: an agency, the ids of records changed by the API, and the content of its rows. */
export type Book = {
  readonly agency: Agency
  readonly ids: Readonly<Record<string, readonly string[]>>
  readonly rows: ReadonlyMap<string, readonly Row[]>
}

/** The restricted customer, and the unrestricted one. */
export const [HIDDEN, OPEN] = ['C', 'D']

/** Another value that a field takes. */
export function other(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => other({ ...field, enumValues: [] }, one))
  if (field.enumValues?.length) return field.enumValues.find((one) => one !== value)
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value !== 'string') return { city: 'Elsewhere' }
  if (/^\d{4}-\d\d-\d\d/.test(value)) return value.replace(/-\d\d$/, (day) => (day === '-11' ? '-12' : '-11'))
  if (/^(?=.*[A-Z])[A-Z0-9]{2}$/.test(value)) return value === 'LH' ? 'TK' : 'LH'
  if (/^[A-Z]{3}$/.test(value)) return value === 'EUR' ? 'USD' : 'EUR'
  if (value.includes('@')) return `other.${value}`
  const digit = /\d(?=\D*$)/ // the last one: `001-2403123456`, `+90 532 …`
  if (/^[-+\d. ]+$/.test(value)) {
    const at = /\./.test(value) || value.length < 8 ? /\d/ : digit
    return value.replace(at, (found) => String((Number(found) % 9) + 1))
  }
  return value.length > 1 ? `${value.slice(0, -1)}${value.endsWith('x') ? 'y' : 'x'}` : `${value}x`
}

/** A record as in the other book: masked values differ, or are missing. */
function varied(fields: Fields, row: Row, isMasked: (place: string) => boolean, at = '', nth = 0): Row {
  const cells = Object.entries(row).flatMap(([name, value], place): [string, unknown][] => {
    const field = fields[name]
    if (!field || value === null) return [[name, value]]
    const path = `${at}${name}`
    if (field.items) {
      const list = (value as Row[]).map((item) => varied(field.items as Fields, item, isMasked, `${path}[].`, nth))
      const isWhole = Object.keys(field.items).every((item) => isMasked(`${path}[].${item}`))
      return [[name, isWhole && !field.required ? list.slice((place + nth) % 2) : list]]
    }
    if (!isMasked(path) && !isMasked(`${path}[]`) && !isMasked(`${path}[].code`)) return [[name, value]]
    return (place + nth) % 3 === 0 && !field.required ? [] : [[name, other(field, value)]]
  })
  return Object.fromEntries(cells)
}

const LINKS: Row = { supplier_external_id: 'S', assigned_to_email: 'advisor@agency.example', currency: 'EUR' }
/** What makes a whole record one of its own, and one that can still be changed. */
const SINGLE: Readonly<Record<string, (nth: number, row: Row) => Row>> = {
  customers: (nth) => ({ external_id: nth === 1 ? OPEN : HIDDEN, email: `c${nth}@example.com` }),
  suppliers: () => ({ external_id: 'S', email: 's@example.com' }),
  tour_departures: () => ({ inventory_state: 'open' }),
  tickets: (nth, { passengers }) => ({
    passengers: (passengers as Row[]).map((one) => ({
      ...one,
      ticket_number: `0019999999${nth}11`,
      conjunction_ticket_numbers: [`0019999999${nth}21`],
    })),
  }),
  transfers: () => ({
    pickup_at: '2026-07-10T12:00:00Z',
    dropoff_at: '2026-07-10T13:00:00Z',
    return_pickup_at: '2026-07-12T12:00:00Z',
  }),
  tour_bookings: () => ({ tour_departure_external_id: 'tour_departures 0' }),
  operator_invoices: (nth) => ({ invoice_number: `I${nth}`, status: 'open' }),
  supplier_bills: (nth) => ({ bill_number: `B${nth}`, status: 'open' }),
}
/** The first belongs to the restricted customer, the second to the other one, the third is as final as its sample. */
const RECORDS = 3
function wholeRows({ entity: { key, fields, sample, base } }: Importable): Row[] {
  const count = key === 'suppliers' ? 1 : key === 'customers' ? 2 : RECORDS
  return Array.from({ length: count }, (_, nth) => {
    const whole = { ...wholeRow(fields, sample.rows[0] as Row), ...LINKS }
    const open = base && nth < RECORDS - 1 ? { status: 'draft', invoice_date: null } : {}
    const row = { ...whole, customer_external_id: nth === 1 ? OPEN : HIDDEN, external_id: `${key} ${nth}`, ...open }
    return Object.fromEntries(Object.entries({ ...row, ...SINGLE[key]?.(nth, row) }).filter(([name]) => name in fields))
  })
}

/** A write by the API: the reading that shows it, its address, and its attributes. */
export const WRITTEN = [
  { reading: '/customers', route: '/customers/:id', entity: 'customers' },
  { reading: '/leads', route: '/leads/:id', entity: 'leads' },
  { reading: '/customers/notes', route: '/customers/:id/notes/:note_id', entity: 'customers' },
].flatMap(({ route, ...of }) => {
  const write = changes.find(({ path }) => path === route)
  return write ? [{ ...of, route, as: write.as, fields: write.fields }] : []
})
const attributesOf = (fields: Fields, nth: number): Row => {
  const own = { assigned_to_id: null, email: `crm${nth}@example.com`, tags: [], attachment_ids: null }
  const given = { ...wholeRow(fields), ...own }
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in fields))
}
/** Where the record of a book is, or, without the last id, where it is made. */
export const pathOf = (route: string, { ids }: Pick<Book, 'ids'>, entity: string, nth: number): string =>
  route
    .replace(':id', ids[entity]?.[nth] ?? 'none')
    .replace(/:note_id$/, ids.notes?.[nth] ?? '')
    .replace(/\/$/, '')

/** Creates two books that differ only in masked values. */
export async function makeTwins(cell: TestCell, isMasked: IsMasked): Promise<readonly [Book, Book]> {
  const first = await makeBook(cell, (_, row) => row)
  const second = await makeBook(cell, (fields, row, reading, nth, isSecret) =>
    varied(fields, row, (place) => isMasked(reading, place, isSecret), '', nth),
  )
  return [first, second]
}

async function makeBook(
  cell: TestCell,
  valuesFor: (fields: Fields, row: Row, reading: string, nth: number, isSecret: boolean) => Row,
): Promise<Book> {
  const agency = await makeAgency(cell)
  const { key } = agency
  const ids: Record<string, string[]> = {}
  const rows = new Map<string, readonly Row[]>()
  for (const importable of importables) {
    const { entity } = importable
    const own = wholeRows(importable).map((row, nth) => {
      const isSecret = entity.restricted !== undefined && nth !== 1
      return valuesFor(entity.fields, row, `records of ${entity.key}`, nth, isSecret)
    })
    rows.set(entity.key, own)
    const made = await importRows(cell, key, entity.key, own, { on_conflict: 'update' })
    const failed = made.rows.find(({ status }) => status === 'failed')
    if (failed) throw new Error(`${entity.key}: ${JSON.stringify(failed)}`)
    ids[entity.key] = [...new Set(made.rows.map(({ id }) => String(id)))]
  }
  for (const { reading, route, entity, as, fields } of WRITTEN) {
    const own = (ids[entity] ?? []).map((_, nth) =>
      valuesFor(fields, attributesOf(fields, nth), reading, nth, nth !== 1),
    )
    rows.set(reading, own)
    for (const [nth, row] of own.entries()) {
      const method = reading === '/customers/notes' ? 'POST' : 'PATCH'
      const call = { key, body: { [as]: row } }
      const { status, text, body } = await cell.call(method, pathOf(route, { ids }, entity, nth), call)
      if (status > 201) throw new Error(`${reading} ${text}`)
      if (method === 'POST') ids.notes = [...(ids.notes ?? []), (body as { data: { id: string } }).data.id]
    }
  }
  const [hidden] = ids.customers ?? []
  await cell.call('PATCH', `/customers/${hidden}`, { key, body: { customer: { tags: ['vip'] } } })
  await restrictTagOf(cell, agency.number, 'vip')
  return { agency, ids, rows }
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g
/**
 * An answer as another book would give it as well: ids by their order, and no times. Lists whose order may be that of ids
 * are put into another, without the documents that follow from prices.
 */
export function comparable(text: string): string {
  const ids = new Map<string, number>()
  return sorted(text)
    .replace(UUID, (id) => {
      const nth = ids.get(id) ?? ids.size
      ids.set(id, nth)
      return `#${nth}`
    })
    .replace(INSTANT, 'at')
    .replace(/"score":\d+/g, '"score"') // which its formula lets everybody see
}

function sorted(text: string): string {
  const { data } = JSON.parse(text) as { data?: unknown }
  if (!Array.isArray(data)) return text
  const imported = (data as Row[]).filter(({ external_id }) => external_id !== null)
  const pairs = imported.map((item) => [JSON.stringify(item).replace(UUID, '#').replace(INSTANT, 'at'), item] as const)
  return JSON.stringify(pairs.sort(([one], [two]) => (one < two ? -1 : 1)).map(([, item]) => item))
}
