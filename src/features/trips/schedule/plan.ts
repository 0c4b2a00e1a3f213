import type { NOTIFICATION_KINDS } from '../notification-kinds.ts'

type Planned = {
  readonly kind: (typeof NOTIFICATION_KINDS)[number]
  /** The day that it is counted from; of the balance the earliest day on which one of the trip's bookings has to be paid. */
  readonly anchor: 'start_date' | 'end_date' | 'balance_due_on'
  readonly offsetDays: number
  /** Who is told: the travellers, or whoever looks after the trip. */
  readonly audience: 'traveler' | 'advisor'
}

/** What is said of every trip, by e-mail, at SEND_TIME of the day on the account's clock. */
export const PLAN: readonly Planned[] = [
  { kind: 'passport_check', anchor: 'start_date', offsetDays: -60, audience: 'advisor' },
  { kind: 'documents_due', anchor: 'start_date', offsetDays: -30, audience: 'traveler' },
  { kind: 'payment_due', anchor: 'balance_due_on', offsetDays: -3, audience: 'traveler' },
  { kind: 'pre_departure', anchor: 'start_date', offsetDays: -7, audience: 'traveler' },
  { kind: 'online_check_in', anchor: 'start_date', offsetDays: -1, audience: 'traveler' }, // of trips with flights
  { kind: 'bon_voyage', anchor: 'start_date', offsetDays: 0, audience: 'traveler' },
  { kind: 'welcome_home', anchor: 'end_date', offsetDays: 2, audience: 'traveler' },
  { kind: 'survey', anchor: 'end_date', offsetDays: 2, audience: 'traveler' },
]
export const CHANNEL = 'email'
export const SEND_TIME = '09:00'

/** What is said of a day by its name, such as “tomorrow it begins”, is wrong on any other. */
export const OF_THE_DAY: readonly Planned['kind'][] = ['pre_departure', 'online_check_in', 'bon_voyage']
