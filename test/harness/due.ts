import { expect } from 'vitest'
import { notificationQueue } from '../../src/features/trip-notifications/notifications.job.ts'
import { sendDueNotifications } from '../../src/features/trip-notifications/send-due-notifications.ts'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { shareTrip, type Written } from './shared-trip.ts'
import { ask } from './sql.ts'
import { GO_ON } from './worker.ts'

type Due = {
  readonly kind: string
  readonly status: string
  readonly reason: string | null
  readonly communication: string | null
}
/** A message that was queued by itself. */
export type DueMessage = {
  readonly id: string
  readonly customer_id: string | null
  readonly trip_id: string | null
  readonly to_addresses: string[]
  readonly purpose: string
  readonly subject: string
  readonly body_plain: string
  readonly body_html: string
  readonly on_its_way: boolean
}

export const flight = {
  segment_type: 'flight',
  status: 'ticketed',
  airline_code: 'TK',
  flight_number: '1861',
  departure_airport: 'IST',
  arrival_airport: 'FCO',
  start_time: '2031-03-12T08:35',
  end_time: '2031-03-12T10:20',
}
export const rome: Written = {
  trip: { title: 'Rome in spring', start_date: '2031-03-12', end_date: '2031-03-19', destinations: ['Rome', 'Naples'] },
  days: [{ date: '2031-03-12', segments: [flight] }],
}
export const withTrip = (written: Written, columns: Record<string, unknown>): Written => ({
  ...written,
  trip: { ...written.trip, ...columns },
})
export const only = <T>(found: readonly T[]): T => {
  expect(found).toHaveLength(1)
  return found[0] as T
}

const ADVISORS = ['passport_check']
const strict = {
  error: ({ err }: { err?: unknown }) => {
    throw err
  },
}

/** Helpers for due rows of trips, in a cell that exists once the tests run. */
export function dueOf(cell: () => TestCell) {
  /** Makes a trip of which these kinds are due now. */
  async function make(agency: Agency, written: Written, customer: string | null, ...kinds: string[]): Promise<string> {
    const { trip } = await shareTrip(cell(), agency, written)
    const { number } = agency
    if (customer !== null)
      await ask(
        cell(),
        'insert into trip_customers (account_id, trip_id, customer_id, is_primary) values ($1, $2, $3, true)',
        [number, trip, customer],
      )
    await ask(
      cell(),
      `insert into trip_notifications (account_id, trip_id, kind, channel, audience, anchor, offset_days, send_at, next_attempt_at)
       select $1, $2, kind, 'email', case when kind = any($4) then 'advisor' else 'traveler' end, 'start_date', 0, now(), now()
       from unnest($3::text[]) kind`,
      [number, trip, kinds, ADVISORS],
    )
    return trip
  }
  /** Sends everything due; a failure fails the test. */
  async function sendAllDue(): Promise<void> {
    const { deps } = cell()
    const queue = notificationQueue({ db: deps.db, log: strict as never }, sendDueNotifications(deps))
    for (let job = await queue.claim(); job; job = await queue.claim()) await job(GO_ON)
  }
  /** The outcome of a trip's due row. */
  const outcomes = (trip: string) =>
    ask<Due>(
      cell(),
      `select kind, status, skipped_reason as reason, communication_id as communication from trip_notifications
       where trip_id = $1 order by kind`,
      [trip],
    )
  const messages = (trip: string) => messagesBy(cell(), 'm.trip_id', trip)
  return {
    make,
    sendAllDue,
    outcomes,
    skipped: async (trip: string) =>
      (await outcomes(trip)).map(({ kind, status, reason }) => `${kind} ${status} ${reason}`),
    messages,
    messagesTo: (customer: string) => messagesBy(cell(), 'm.customer_id', customer),
    /** The one message of a trip of which one kind is due. */
    async dueMessageOf(agency: Agency, written: Written, customer: string | null, kind: string): Promise<DueMessage> {
      const trip = await make(agency, written, customer, kind)
      await sendAllDue()
      return only(await messages(trip))
    },
  }
}

const messagesBy = (cell: TestCell, column: string, id: string) =>
  ask<DueMessage>(
    cell,
    `select m.id, m.customer_id, m.trip_id, m.to_addresses, m.purpose, m.subject, m.body_plain, m.body_html,
       exists (select from message_sends s where s.account_id = m.account_id and s.communication_id = m.id) as on_its_way
     from communications m where ${column} = $1 and m.direction = 'outbound' and m.status = 'queued' and m.channel = 'email'
       and m.author_id is null and m.thread_id = m.id order by m.created_at, m.id`,
    [id],
  )
