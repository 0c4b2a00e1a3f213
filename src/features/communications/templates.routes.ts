import Type from 'typebox'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { enumOf, Text, Uuid } from '../../platform/http/shapes.ts'
import { StaleRecord } from '../../platform/http/stale.ts'
import { jsonText, NO_BODY } from '../../platform/json-text.ts'
import { LANGUAGES } from '../../platform/page/language.ts'
import { type NamedTemplate, resetTemplate, saveTemplate, templateNamed } from './commands/save-template.ts'
import { PURPOSES } from './message-kinds.ts'
import { previewTemplate, type ValuesOfTrip } from './reads/preview-template.ts'
import { wholeTemplate, wholeTemplates } from './reads/template-rows.ts'
import { BODY_LENGTH, SUBJECT_LENGTH } from './templates/read-template.ts'
import { PLACEHOLDERS, TEMPLATE_KINDS } from './templates/template-kinds.ts'

const COMMON = {
  tag: { name: 'Templates', description: 'The texts of automated messages.' },
  scope: null,
  policy: 'manage_settings',
} as const
/** Longer than any kind, so that an unknown one is not found instead of refused. */
const KIND_LENGTH = 100
const ofTemplate = {
  params: Type.Object({
    kind: Type.String({ maxLength: KIND_LENGTH, description: 'Kind of message.' }),
    locale: Type.String({ maxLength: KIND_LENGTH, description: 'Language, `en` or `tr`.' }),
  }),
}
/** A body that is trimmed may be a little longer. */
const Subject = Type.String({ maxLength: SUBJECT_LENGTH * 2, description: 'One line, with placeholders.' })
const Body = Type.String({
  maxLength: BODY_LENGTH * 2,
  description: 'Paragraphs with an empty line between them, with placeholders as `{{trip.title}}`.',
})
const MOST_PLACEHOLDERS = Math.max(...Object.values(PLACEHOLDERS).map((names) => names.length))
/** Texts with their values, as HTML. */
const MOST_WRITTEN = 1_000_000
const Version = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Of the account’s own text; 0 for the built-in one.',
})
const Template = Type.Object(
  {
    kind: enumOf(TEMPLATE_KINDS),
    locale: enumOf(LANGUAGES),
    purpose: enumOf(PURPOSES),
    own: Type.Boolean({ description: 'Whether the text is the account’s own.' }),
    subject: Text(SUBJECT_LENGTH),
    body: Text(BODY_LENGTH),
    placeholders: Type.Array(Text(100), {
      maxItems: MOST_PLACEHOLDERS,
      description: 'The placeholders that the texts of this kind may have.',
    }),
    version: Version,
  },
  { title: 'Template', additionalProperties: false },
)
const whole = { status: 200, body: Type.Object({ data: Template }), description: 'The template.' } as const

const shown = async (reader: AccountReader, named: NamedTemplate) =>
  jsonText({ data: await wholeTemplate(reader, named) })

const managing: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/templates',
    summary: 'List templates',
    description: 'The templates of all kinds of automated messages in each language, as the account sends them.',
    takes: {},
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Array(Template, { maxItems: TEMPLATE_KINDS.length * LANGUAGES.length }) }),
      description: 'The templates.',
    },
    errors: [],
    handle: async (reader) => jsonText({ data: await wholeTemplates(reader) }),
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/templates/:kind/:locale',
    summary: 'Read a template',
    takes: ofTemplate,
    answers: whole,
    errors: ['not_found'],
    handle: (reader, { params: { kind, locale } }) => shown(reader, templateNamed(kind, locale)),
  }),
  ...patchAndPut({
    ...COMMON,
    path: '/templates/:kind/:locale',
    summary: 'Change a template',
    description:
      'Replaces subject and body for messages from now on. Details of a refusal name each unknown placeholder and its place.',
    takes: { ...ofTemplate, body: Type.Object({ version: Version, subject: Subject, body: Body }) },
    answers: whole,
    errors: ['not_found', 'validation_failed', 'stale'],
    async handle(tx, { params, body: { version, ...template } }) {
      const named = templateNamed(params.kind, params.locale)
      await saveTemplate(tx, named, template, async (stored) => {
        if (stored !== version) throw new StaleRecord(jsonText(await wholeTemplate(tx, named)))
      })
      return shown(tx, named)
    },
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: '/templates/:kind/:locale',
    summary: 'Restore a built-in template',
    description: 'Deletes the text of the account. Without one, nothing changes.',
    takes: ofTemplate,
    answers: { status: 204, body: Type.Null(), description: 'The built-in template is used.' },
    errors: ['not_found'],
    async handle(tx, { params }) {
      await resetTemplate(tx, templateNamed(params.kind, params.locale))
      return NO_BODY
    },
  }),
]

const Preview = Type.Object({
  data: Type.Object({
    subject: Text(MOST_WRITTEN),
    plain: Text(MOST_WRITTEN),
    html: Text(MOST_WRITTEN),
    without_value: Type.Array(Text(100), {
      maxItems: MOST_PLACEHOLDERS,
      description:
        'Placeholders of the text without a value, or with one that your role does not see. Their lines are left out.',
    }),
    made_when_sent: Type.Array(Text(100), {
      maxItems: MOST_PLACEHOLDERS,
      description:
        'Placeholders of the text whose values are made when a message is sent; the preview shows their names.',
    }),
  }),
})
type Previewing = { readonly valuesOfTrip: ValuesOfTrip }
export const templateRoutes = ({ valuesOfTrip }: Previewing): readonly Route[] => [
  ...managing,
  route({
    ...COMMON,
    method: 'POST',
    path: '/templates/:kind/:locale/preview',
    summary: 'Preview a template',
    description:
      'Fills the stored template, or the given texts, with the values of a record as your role sees it. Nothing is sent or stored. A trip stands for its first customer; a booking for its customer and the trip that it is filed in.',
    takes: {
      ...ofTemplate,
      body: Type.Object({
        subject: Type.Optional(Subject),
        body: Type.Optional(Body),
        customer_id: Type.Optional(Uuid),
        trip_id: Type.Optional(Uuid),
        booking_id: Type.Optional(Uuid),
      }),
    },
    answers: { status: 200, body: Preview, description: 'The message.' },
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params, body, actor }) {
      const {
        subject,
        body: text,
        customer_id: customer = null,
        trip_id: trip = null,
        booking_id: booking = null,
      } = body
      const asked = { ...templateNamed(params.kind, params.locale), subject, body: text, customer, trip, booking }
      return jsonText({ data: await previewTemplate(tx, actor, valuesOfTrip, asked) })
    },
  }),
]
