import type { ScheduledKind } from '../trips/reads/notification-kinds.ts'

type Planned = {
  readonly kind: ScheduledKind
  /** The date that it is relative to; for the balance, the earliest balance date of the trip's bookings. */
  readonly anchor: 'start_date' | 'end_date' | 'balance_due_on'
  /** How long after that, as PostgreSQL counts: a year after a 29th of February is a 28th. */
  readonly after: `${number} days` | '1 year'
  /** The recipients: the travellers, or the advisor of the trip. */
  readonly audience: 'traveler' | 'advisor'
  /**
   * After this many days of delay the message is wrong or useless: "your trip begins tomorrow" is right on one day
   * only.
   */
  readonly tooLateDays: number
}

/** Notifications of every trip, by e-mail, at SEND_TIME in the account's time zone. */
export const PLAN: readonly Planned[] = [
  { kind: 'passport_check', anchor: 'start_date', after: '-60 days', audience: 'advisor', tooLateDays: 60 },
  { kind: 'documents_due', anchor: 'start_date', after: '-30 days', audience: 'traveler', tooLateDays: 30 },
  { kind: 'payment_due', anchor: 'balance_due_on', after: '-3 days', audience: 'traveler', tooLateDays: 3 },
  { kind: 'pre_departure', anchor: 'start_date', after: '-7 days', audience: 'traveler', tooLateDays: 1 },
  { kind: 'online_check_in', anchor: 'start_date', after: '-1 days', audience: 'traveler', tooLateDays: 1 }, // of trips with flights
  { kind: 'bon_voyage', anchor: 'start_date', after: '0 days', audience: 'traveler', tooLateDays: 1 },
  { kind: 'welcome_home', anchor: 'end_date', after: '2 days', audience: 'traveler', tooLateDays: 5 },
  { kind: 'survey', anchor: 'end_date', after: '2 days', audience: 'traveler', tooLateDays: 14 },
  { kind: 'rebook', anchor: 'end_date', after: '180 days', audience: 'traveler', tooLateDays: 30 },
  { kind: 'anniversary', anchor: 'end_date', after: '1 year', audience: 'traveler', tooLateDays: 7 },
]
export const CHANNEL = 'email'
export const SEND_TIME = '09:00'
