import Type, { type TSchema } from 'typebox'
import type { Actor } from '../../platform/access/actor.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId } from '../../platform/http/by-id.ts'
import { patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { enumOf, Money, maybe, Text, Texts, Uuid } from '../../platform/http/shapes.ts'
import { StaleRecord } from '../../platform/http/stale.ts'
import { type JsonText, jsonObject, jsonText } from '../../platform/json-text.ts'
import { takesAttributes, writeShape } from '../../records/attributes.ts'
import { bookingView } from './booking.view.ts'
import { bookingReader } from './booking-detail.store.ts'
import type { BookingKind } from './booking-kind.ts'
import { BOOKINGS } from './bookings.routes.ts'
import { cancelBooking } from './commands/cancel-booking.ts'
import {
  type BookingOutcome,
  type BookingWarning,
  type LockedBooking,
  lockBooking,
  moveBooking,
  priceBooking,
  updateBooking,
} from './commands/change-booking.ts'
import { createBooking } from './commands/create-booking.ts'
import { ID_ATTRIBUTES } from './id-attributes.ts'
import { BOOKING_STATES } from './reads/booking-states.ts'

const WARNINGS = 1000
const EFFECTS = 10_000
const Version = Type.Integer({ minimum: 1, description: 'The version that was read.' })
const Warning = Type.Object({ field: Text(500), code: Text(100), message: Text(2000) })
const Warnings = Type.Array(Warning, { maxItems: WARNINGS })
const Id = Type.Optional(maybe(Uuid))

/** The attributes of a vertical's bookings as a client writes them. */
function writeShapeOf({ entity }: BookingKind) {
  const ids = Object.entries(ID_ATTRIBUTES).flatMap(([key, column]) =>
    Object.hasOwn(entity.fields, key) ? [[column, Id] as const] : [],
  )
  const { external_id: _, ...fields } = entity.fields
  const optional = Object.entries(fields).map(([name, field]) => [
    name,
    name in ID_ATTRIBUTES ? { ...field, required: false } : field,
  ])
  return {
    fields,
    shape: {
      external_id: Type.Optional(maybe(Type.String({ maxLength: 200, description: 'If omitted, the next number.' }))),
      company_id: Id,
      branch_id: Id,
      ...Object.fromEntries(ids),
      ...writeShape(Object.fromEntries(optional)),
    } as Record<string, TSchema>,
  }
}

const Credited = Type.Object({
  invoice_id: Uuid,
  number: { ...Text(200), description: 'Number of the invoice that a credit note reverses.' },
  currency: Text(3),
  gross: maybe(Money),
  issued_on: Type.String({ format: 'date', maxLength: 10 }),
})
const Effects = Type.Object(
  {
    credited: Type.Array(Credited, { maxItems: EFFECTS }),
    voided: Type.Array(Type.Object({ bill_id: Uuid, number: Text(200), currency: Text(3), gross: maybe(Money) }), {
      maxItems: EFFECTS,
      description: 'Supplier bills that become void.',
    }),
    penalties: Type.Array(Type.Object({ label: maybe(Text(200)), currency: Text(3), gross: maybe(Money) }), {
      maxItems: EFFECTS,
      description:
        'Penalties that the booking charges. The credit note reverses them too; charge them with another booking.',
    }),
    ticket_numbers: { ...Texts(EFFECTS, 20), description: 'Numbers that another sale may have afterwards.' },
    segments: maybe(
      Type.Array(Type.Object({ id: Uuid, trip_id: Uuid, title: maybe(Text(2000)), status: Text(60) }), {
        maxItems: EFFECTS,
        description: 'Segments of trips that become cancelled, with their statuses now.',
      }),
    ),
  },
  { title: 'Effects of a cancellation' },
)

const COMMON = { tag: BOOKINGS, scope: null, policy: 'manage_bookings' } as const
const warningsOf = ({ warnings }: { readonly warnings: readonly BookingWarning[] }) =>
  jsonText(warnings.slice(0, WARNINGS))

const ofBooking = byId('booking')
/** What the routes of these verticals have in common. */
function partsOf(kinds: readonly BookingKind[]) {
  const read = bookingReader(kinds)
  const Booking = viewSchema(bookingView(kinds, kinds[0] as BookingKind), 'Booking')
  const Whole = Type.Object({ data: Booking, warnings: Warnings })
  const whole = { status: 200, body: Whole, description: 'The booking.' } as const
  const shown = async (tx: AccountTx, { policies }: Actor, outcome: BookingOutcome) =>
    jsonObject({ data: await read(tx, policies, outcome.id, outcome.vertical), warnings: warningsOf(outcome) })
  /** Locks the booking that somebody read at a version. */
  async function locked(tx: AccountTx, { policies }: Actor, id: string, version?: number): Promise<LockedBooking> {
    const booking = await lockBooking(tx, kinds, id)
    if (version === undefined || booking.version === version) return booking
    throw new StaleRecord(await read(tx, policies, booking.id, booking.kind.entity.key))
  }
  const changing = { ...COMMON, answers: whole, errors: ['not_found', 'validation_failed', 'stale'] } as const
  return { read, Booking, whole, shown, locked, changing }
}
type Parts = ReturnType<typeof partsOf>

const creating = (kinds: readonly BookingKind[], { whole, shown }: Parts): readonly Route[] =>
  kinds.map((kind) => {
    const { fields, shape } = writeShapeOf(kind)
    const { key, label, model } = kind.entity
    return route({
      ...COMMON,
      method: 'POST',
      path: `/bookings/${key}`,
      summary: `Create a booking: ${label.toLowerCase()}`,
      description:
        'By the same rules as an import. Name other records by their ids, or by the keys of an import. Without `external_id` the booking has the next number.',
      takes: takesAttributes('booking', fields, Type.Object(shape, { title: `${model} attributes` })),
      answers: { ...whole, status: 201 },
      errors: ['validation_failed', 'unknown_company', 'unknown_branch'],
      handle: async (tx, { body, actor }) => shown(tx, actor, await createBooking(tx, actor, kind, body.booking)),
    })
  })

const updating = ({ shown, locked, changing }: Parts): readonly Route[] => [
  ...patchAndPut({
    ...changing,
    path: '/bookings/:id',
    summary: 'Update a booking',
    description:
      'By the same rules as a repeated import: omitted attributes keep their values, null clears them, and the price stays. Of an invoiced or cancelled booking only the notes change. `editable` of the booking lists what it takes.',
    takes: {
      ...ofBooking,
      body: Type.Object({ version: Version, booking: Type.Record(Type.String(), Type.Unknown()) }),
    },
    async handle(tx, { params, body, actor }) {
      const booking = await locked(tx, actor, params.id, body.version)
      return shown(tx, actor, await updateBooking(tx, actor, booking, body.booking))
    },
  }),
  route({
    ...changing,
    method: 'POST',
    path: '/bookings/:id/price',
    summary: 'Price a booking',
    description:
      'Prices a booking that is not invoiced, with the rates of its transaction date. `price` has the attributes that change; `priced_by` of the booking lists them. Lines that follow from rooms, extras or documents follow again, and need not be sent. With `preview`, the answer is the booking as it would be, and nothing is stored.',
    takes: {
      ...ofBooking,
      body: Type.Object({
        version: Version,
        preview: Type.Optional(Type.Boolean()),
        price: Type.Record(Type.String(), Type.Unknown()),
      }),
    },
    async handle(tx, { params, body, actor }) {
      const booking = await locked(tx, actor, params.id, body.version)
      const priced = async () => shown(tx, actor, await priceBooking(tx, actor, booking, body.price))
      return body.preview === true ? tx.discard(priced) : priced()
    },
  }),
  route({
    ...changing,
    method: 'POST',
    path: '/bookings/:id/status',
    summary: 'Change the status of a booking',
    description:
      'To one of `next_statuses`. A booking that becomes sold and has an invoice date and a customer is invoiced. An invoiced one stays sold or is cancelled.',
    takes: {
      ...ofBooking,
      body: Type.Object({ version: Version, status: enumOf(Object.keys(BOOKING_STATES)) }),
    },
    async handle(tx, { params, body, actor }) {
      const booking = await locked(tx, actor, params.id, body.version)
      return shown(tx, actor, await moveBooking(tx, actor, booking, body.status))
    },
  }),
]

const cancelling = ({ read, Booking, locked, changing }: Parts): readonly Route[] => [
  route({
    ...COMMON,
    method: 'POST',
    path: '/bookings/:id/cancel/preview',
    summary: 'Preview a cancellation',
    description: 'What cancelling would do now. Refused where the cancellation would be.',
    takes: ofBooking,
    answers: { status: 200, body: Type.Object({ data: Effects, warnings: Warnings }), description: 'The effects.' },
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params, actor }) {
      const booking = await locked(tx, actor, params.id)
      const cancelled = await tx.discard(() => cancelBooking(tx, actor, booking))
      return jsonObject({ data: cancelled.effects, warnings: warningsOf(cancelled) })
    },
  }),
  route({
    ...changing,
    method: 'POST',
    path: '/bookings/:id/cancel',
    summary: 'Cancel a booking',
    description:
      'Credits its invoices, makes its supplier bills void, and gives back seats and ticket numbers: all of it or nothing. Its segments are cancelled within seconds. To sell it again with another price, create it again.',
    takes: { ...ofBooking, body: Type.Object({ version: Version }) },
    answers: {
      status: 200,
      body: Type.Object({ data: Booking, effects: Effects, warnings: Warnings }),
      description: 'The booking and what was done.',
    },
    async handle(tx, { params, body, actor }) {
      const booking = await locked(tx, actor, params.id, body.version)
      const cancelled = await cancelBooking(tx, actor, booking)
      const data: JsonText<never> = await read(tx, actor.policies, cancelled.id, cancelled.vertical)
      return jsonObject({ data, effects: cancelled.effects, warnings: warningsOf(cancelled) })
    },
  }),
]

/** Writing bookings of these verticals. */
export function bookingWriteRoutes(kinds: readonly BookingKind[]): readonly Route[] {
  const parts = partsOf(kinds)
  return [...creating(kinds, parts), ...updating(parts), ...cancelling(parts)]
}
