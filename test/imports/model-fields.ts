/** The possible values of cells and status transitions of the entities in the model. */
type Item = Readonly<Record<string, unknown>>
export const ENTITIES = ['customers', 'hotel_stays', 'tickets', 'tour_departures', 'tour_bookings'] as const
export type Entity = (typeof ENTITIES)[number]

export const SELLING = ['open', 'closed_direct', 'on_request', 'min_not_met', 'sold_out']
export const moves = {
  hotel_stays: {
    draft: ['option', 'confirmed', 'cancelled'],
    option: ['draft', 'confirmed', 'cancelled'],
    confirmed: ['in_house', 'cancelled', 'no_show'],
    in_house: ['checked_out', 'cancelled'],
    checked_out: [],
    no_show: [],
    cancelled: [],
  },
  tour_bookings: {
    draft: ['option', 'confirmed', 'cancelled'],
    option: ['draft', 'confirmed', 'cancelled'],
    confirmed: ['in_progress', 'cancelled', 'no_show'],
    in_progress: ['completed'],
    completed: [],
    no_show: [],
    cancelled: [],
  },
  tickets: {
    draft: ['option', 'issued', 'cancelled', 'partly_voided', 'void', 'refunded', 'exchanged'],
    option: ['draft', 'issued', 'cancelled', 'partly_voided', 'void', 'refunded', 'exchanged'],
    issued: ['cancelled', 'partly_voided', 'void', 'refunded', 'exchanged'],
    partly_voided: ['void', 'refunded', 'cancelled'],
    void: [],
    refunded: [],
    exchanged: [],
    cancelled: [],
  },
  tour_departures: {
    ...Object.fromEntries(
      SELLING.map((state) => [state, [...SELLING.filter((other) => other !== state), 'departed', 'cancelled']]),
    ),
    departed: ['completed'],
    completed: [],
    cancelled: [],
  } as Record<string, string[]>,
}
export const mayMove = (entity: Entity, from: string, to: string) =>
  (moves as Record<string, Record<string, string[]>>)[entity]?.[from]?.includes(to) ?? false

/** A cell as read, or its error code. */
export class Bad {
  readonly code: string
  constructor(code: string) {
    this.code = code
  }
}
type Reader = (cell: unknown) => unknown
const text: Reader = (cell) => (typeof cell === 'string' ? cell : new Bad('invalid_type'))
const email: Reader = (cell) => (/@x\.com$/.test(String(cell)) ? cell : new Bad('invalid_email'))
const date: Reader = (cell) => (/^2026-0[5-7]-\d\d$/.test(String(cell)) ? cell : new Bad('invalid_date'))
const count: Reader = (cell) => (Number.isInteger(Number(cell)) ? Number(cell) : new Bad('invalid_integer'))
const currency: Reader = (cell) => (cell === 'XYZ' ? new Bad('invalid_currency') : String(cell).toUpperCase())
const list: Reader = (cell) => (Array.isArray(cell) ? cell : new Bad('invalid_type'))
const oneOf =
  (entity: keyof typeof moves): Reader =>
  (cell) => {
    const state = String(cell).trim().toLowerCase()
    return state in moves[entity] ? state : new Bad('not_allowed')
  }
const passengers: Reader = (cell) =>
  Array.isArray(cell)
    ? cell.map((item: Item) => ({
        first_name: item.first_name,
        ticket_number: typeof item.ticket_number === 'string' ? item.ticket_number.replace(/[- ]/g, '') : null,
        total: item.total === undefined ? null : Number(item.total).toFixed(2),
      }))
    : new Bad('invalid_type')

type Field = { read: Reader; required?: true }
export const fieldsOf: Record<Entity, Record<string, Field>> = {
  customers: { name: { read: text, required: true }, email: { read: email }, notes: { read: text } },
  hotel_stays: {
    check_in_on: { read: date, required: true },
    check_out_on: { read: date, required: true },
    guest_count: { read: count },
    status: { read: oneOf('hotel_stays') },
    customer_external_id: { read: text },
    invoice_date: { read: date },
    currency: { read: currency },
    sell_lines: { read: list },
    rooms: { read: list },
    notes: { read: text },
  },
  tickets: {
    passengers: { read: passengers, required: true },
    status: { read: oneOf('tickets') },
    option_date: { read: date },
    pnr: { read: text },
    notes: { read: text },
  },
  tour_departures: {
    title: { read: text, required: true },
    max_capacity: { read: count },
    inventory_state: { read: oneOf('tour_departures') },
    notes: { read: text },
  },
  tour_bookings: {
    tour_departure_external_id: { read: text, required: true },
    guest_count: { read: count, required: true },
    status: { read: oneOf('tour_bookings') },
    customer_external_id: { read: text },
    notes: { read: text },
  },
}
