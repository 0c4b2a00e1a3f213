import type { Purpose } from '../message-kinds.ts'

const CUSTOMER = ['greeting', 'customer.name', 'agency.name'] as const
const TRIP = [
  'trip.title',
  'trip.reference',
  'trip.dates',
  'trip.start',
  'trip.end',
  'trip.destinations',
  'advisor.name',
  'advisor.email',
] as const
const SEAT = ['greeting', 'agency.name'] as const

/** The automated messages, and the placeholders allowed in the texts of each. */
export const PLACEHOLDERS = {
  payment_due: [...CUSTOMER, ...TRIP, 'balance.amount', 'balance.due_on'],
  documents_due: [...CUSTOMER, ...TRIP],
  pre_departure: [...CUSTOMER, ...TRIP, 'flights.list'],
  online_check_in: [...CUSTOMER, ...TRIP, 'flights.list'],
  bon_voyage: [...CUSTOMER, ...TRIP, 'flights.list'],
  welcome_home: [...CUSTOMER, ...TRIP],
  survey: [...CUSTOMER, ...TRIP, 'survey.link'],
  survey_reminder: [...CUSTOMER, ...TRIP, 'survey.link'],
  anniversary: [...CUSTOMER, ...TRIP],
  rebook: [...CUSTOMER, ...TRIP],
  birthday: CUSTOMER,
  passport_check: [...SEAT, ...TRIP, 'passports.missing', 'passports.expiring', 'passports.needed_until'],
  task_due: [...SEAT, 'task.subject', 'task.due_at'],
  invitation: [...SEAT, 'invitation.link'],
  password_reset: [...SEAT, 'reset.link'],
  new_sign_in: [...SEAT, 'sign_in.when', 'sign_in.device', 'sign_in.address'],
  credentials_changed: [...SEAT, 'change.what', 'change.when', 'change.address'],
  email_change: [...SEAT, 'email_change.address', 'email_change.link'],
} as const satisfies Record<string, readonly string[]>

export type TemplateKind = keyof typeof PLACEHOLDERS
export const TEMPLATE_KINDS = Object.keys(PLACEHOLDERS) as readonly TemplateKind[]

/** These advertise; everything else is about what the customer has bought. */
const MARKETING: readonly TemplateKind[] = ['anniversary', 'rebook', 'birthday']
export const purposeOf = (kind: TemplateKind): Purpose => (MARKETING.includes(kind) ? 'marketing' : 'service')

/** Words with placeholders as `{{trip.title}}`: one line of subject, and paragraphs with an empty line between them. */
export type Template = { readonly subject: string; readonly body: string }
