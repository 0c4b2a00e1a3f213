import type { Actor } from '../../../platform/access/actor.ts'
import type { Policies } from '../../../platform/access/policies.ts'
import type { AccountReader } from '../../../platform/db/account-tx.ts'
import { noSuch } from '../../../platform/http/by-id.ts'
import { demandPolicy } from '../../../platform/http/demand-policy.ts'
import { refuseValues } from '../../../platform/invalid-values.ts'
import type { Language } from '../../../platform/page/language.ts'
import { type PreviewRecord, readPreviewRecord } from '../preview.store.ts'
import { type PlaceholderValues, placeholdersOf } from '../templates/fill.ts'
import { readTemplate } from '../templates/read-template.ts'
import { recipientValues } from '../templates/recipient-values.ts'
import { mailRenderer } from '../templates/render-mail.ts'
import { PLACEHOLDERS, type Template, type TemplateKind } from '../templates/template-kinds.ts'
import { TEMPLATES } from '../templates/templates.ts'
import { wholeTemplate } from './template-rows.ts'

/** The values of a trip besides those that all its messages have, as far as a role may see them. */
export type ValuesOfTrip = (
  reader: AccountReader,
  policies: Policies,
  asked: { readonly kind: TemplateKind; readonly trip: string; readonly language: Language },
) => Promise<PlaceholderValues>
export type Previewed = {
  readonly kind: TemplateKind
  readonly locale: Language
  /** Those of the stored template where they are not given. */
  readonly subject: string | undefined
  readonly body: string | undefined
  readonly customer: string | null
  readonly trip: string | null
  readonly booking: string | null
}
type Preview = {
  readonly subject: string
  readonly plain: string
  readonly html: string
  /** Placeholders of the text that the record has no value for, or that the role may not see. */
  readonly without_value: readonly string[]
  /** Placeholders of the text whose value is made when a message is sent. */
  readonly made_when_sent: readonly string[]
}

/** These stand for what exists only once a message is sent: a link of its own, a task. */
const MADE_WHEN_SENT = ['survey.link', 'invitation.link', 'task.subject', 'task.due_at']
const TO_SEATS: readonly TemplateKind[] = ['passport_check', 'task_due', 'invitation']

/** A template as a message about a record would have it, for the eyes of this role. Nothing is sent or stored. */
export async function previewTemplate(
  reader: AccountReader,
  { policies, seat }: Actor,
  valuesOfTrip: ValuesOfTrip,
  asked: Previewed,
): Promise<Preview> {
  const { kind, locale, customer, trip, booking } = asked
  if (trip !== null || booking !== null) demandPolicy(policies, 'view_trips')
  const stored = await wholeTemplate(reader, { kind, locale })
  const { template, reasons } = readTemplate(kind, { ...stored, ...givenOf(asked) })
  refuseValues(reasons)
  const record = await reader.one(readPreviewRecord(policies), { seat, customer, trip, booking })
  refuseUnknown(record, asked)
  const ofTrip =
    record.trip === null ? {} : await valuesOfTrip(reader, policies, { kind, trip: record.trip, language: locale })
  const used = new Set(placeholdersOf(`${template.subject}\n${template.body}`))
  const made = MADE_WHEN_SENT.filter((name) => used.has(name))
  const values = {
    ...valuesOf(record, kind, locale),
    ...ofTrip,
    ...Object.fromEntries(made.map((name) => [name, `[${name}]`])),
  }
  const write = mailRenderer([{ kind, locale, ...template, version: stored.version }])
  const { agency, accent } = record
  const mail = write({ kind, language: locale, agency, accent, values, unsubscribe: null })
  const known: PlaceholderValues = { ...values, 'agency.name': agency }
  return { ...mail, without_value: [...used].filter((name) => !known[name]), made_when_sent: made }
}

const givenOf = ({ subject, body }: Previewed): Partial<Template> => ({
  ...(subject !== undefined && { subject }),
  ...(body !== undefined && { body }),
})

function valuesOf(record: PreviewRecord, kind: TemplateKind, language: Language): PlaceholderValues {
  const values = recipientValues(record, language)
  return TO_SEATS.includes(kind) ? { ...values, greeting: TEMPLATES[language].greet(record.seatName) } : values
}

/** Refuses records that the account does not have, and asks for those that the kind is about. */
function refuseUnknown(
  record: PreviewRecord | undefined,
  { kind, customer, trip, booking }: Previewed,
): asserts record is PreviewRecord {
  if (customer !== null && record?.customer !== customer.toLowerCase()) throw noSuch('customer')
  if (trip !== null && record?.trip !== trip.toLowerCase()) throw noSuch('trip')
  if (booking !== null && record?.booking !== booking.toLowerCase()) throw noSuch('booking')
  const placeholders: readonly string[] = PLACEHOLDERS[kind]
  refuseValues([
    placeholders.includes('trip.title') &&
      record?.trip === null && ['trip_id', 'Name the trip of the preview, or a booking that is filed in one.'],
    placeholders.includes('customer.name') &&
      !placeholders.includes('trip.title') &&
      record?.customer === null && ['customer_id', 'Name the customer of the preview.'],
  ])
}
