import type { BookingKind } from '../../src/features/bookings/booking-kind.ts'
import { entities } from '../../src/registry.ts'
import type { Agency } from './agency.ts'
import type { Answer, TestCell } from './cell.ts'
import { signInAs } from './console.ts'
import type { Shown } from './records.ts'

export const bookingKinds = entities.filter((one): one is BookingKind => 'moves' in one)

/** A booking as the application shows it. */
export type ShownBooking = {
  id: string
  vertical: string
  version: number
  record: Shown
  next_statuses: string[]
  locked: string | null
  editable: string[]
  priced_by: string[]
  documents: {
    id: string
    type: string
    number: string
    gross: string | null
    status: string
    reverses_id: string | null
  }[]
}
export type Effects = {
  credited: { invoice_id: string; gross: string }[]
  voided: { bill_id: string }[]
  penalties: object[]
  ticket_numbers: string[]
  segments: { id: string }[]
}
type Body = {
  data: ShownBooking
  effects: Effects
  warnings: { code: string }[]
  code?: string
  details?: Record<string, string[]>
}

/** Asks the application API about bookings, as the owner of an agency. */
export async function bookingDesk(cell: TestCell, agency: Agency, seat = agency.owner.id) {
  const session = await signInAs(cell, agency.number, seat)
  const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer: Answer = await cell.call(method, `/app/v1/bookings${path}`, {
      session,
      headers,
      ...(body && { body }),
    })
    return { ...answer, body: answer.body as Body }
  }
  return {
    session,
    ask,
    create: (vertical: string, booking: object, headers = {}) => ask('POST', `/${vertical}`, { booking }, headers),
    async make(vertical: string, booking: object): Promise<ShownBooking> {
      const { status, body, text } = await ask('POST', `/${vertical}`, { booking })
      if (status !== 201) throw new Error(`${status} ${text}`)
      return body.data
    },
    read: async (id: string): Promise<ShownBooking> => (await ask('GET', `/${id}`)).body.data,
    update: ({ id, version }: ShownBooking, booking: object) => ask('PATCH', `/${id}`, { version, booking }),
    price: ({ id, version }: ShownBooking, price: object, preview = false) =>
      ask('POST', `/${id}/price`, { version, price, preview }),
    move: ({ id, version }: ShownBooking, status: string) => ask('POST', `/${id}/status`, { version, status }),
    preview: async ({ id }: ShownBooking) => {
      const answer = await ask('POST', `/${id}/cancel/preview`)
      return { status: answer.status, effects: answer.body.data as unknown as Effects }
    },
    cancel: ({ id, version }: ShownBooking) => ask('POST', `/${id}/cancel`, { version }),
  }
}
