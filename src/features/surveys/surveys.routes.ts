import Type from 'typebox'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, dataOf } from '../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { Reasons } from '../../platform/http/reasons.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { enumOf, Uuid } from '../../platform/http/shapes.ts'
import { jsonText } from '../../platform/json-text.ts'
import { takesAttributes, writeShape } from '../../records/attributes.ts'
import { deskOfActor } from '../accounts/reads/desk-of-actor.ts'
import { gestureAttributes, recordGesture } from './commands/record-gesture.ts'
import { surveyLink } from './reads/survey-rows.ts'
import type { Surveying } from './survey-address.ts'
import { gestureView, listGesturesOf, listSurveys, readGesture, surveyView } from './surveys.view.ts'

const COMMON = {
  tag: { name: 'Surveys', description: 'What customers say after a trip, and what they were given to make up for it.' },
  scope: null,
} as const
const ofSurvey = byId('survey')
const Gesture = viewSchema(gestureView, 'Gesture')
const Attributes = Type.Object(writeShape(gestureAttributes), { title: 'Gesture attributes' })

export const surveyRoutes = ({ surveying }: Pick<Surveying, 'surveying'>): readonly Route[] => [
  route({
    ...COMMON,
    method: 'GET',
    path: '/surveys',
    policy: 'view_trips',
    summary: 'List surveys',
    description: 'The newest invitation first.',
    takes: {
      query: Type.Object({
        ...paging,
        trip_id: Type.Optional(Uuid),
        customer_id: Type.Optional(Uuid),
        completed: Type.Optional(enumOf(['true', 'false'])),
      }),
    },
    answers: { status: 200, body: listOf(viewSchema(surveyView, 'Survey')), description: 'A page of surveys.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query: { trip_id, customer_id, completed }, actor, page }) {
      const given = { trip_id, customer_id, completed: completed === 'true', open: completed === 'false' }
      return listText(page, await listSurveys(reader, actor.policies, page, given))
    },
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/surveys/:id/link',
    policy: 'manage_trips',
    summary: 'Read the address of a survey',
    description: 'Who has it can answer for the customer.',
    takes: ofSurvey,
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Object({ url: Type.String({ maxLength: 2000 }) }) }),
      description: 'The address.',
    },
    errors: ['not_found'],
    handle: async (reader, { params, publicUrl }) =>
      jsonText({ data: { url: await surveyLink(reader, { publicUrl, surveying }, params.id.toLowerCase()) } }),
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/gestures',
    policy: 'view_trips',
    summary: 'List gestures',
    description: 'Newest first.',
    takes: { query: Type.Object({ ...paging, survey_id: Type.Optional(Uuid) }) },
    answers: { status: 200, body: listOf(Gesture), description: 'A page of gestures.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query: { survey_id }, actor, page }) {
      return listText(page, await listGesturesOf(reader, actor.policies, page, { survey_id }))
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/surveys/:id/gestures',
    policy: 'manage_trips',
    summary: 'Record a gesture',
    description: 'Something that was given for free after a survey. Amount and currency go together.',
    takes: { ...ofSurvey, ...takesAttributes('gesture', gestureAttributes, Attributes) },
    answers: { status: 201, body: Type.Object({ data: Gesture }), description: 'The gesture.' },
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params, body: { gesture }, actor }) {
      const id = await recordGesture(tx, deskOfActor(actor), params.id, gesture, {
        seat: actor.seat,
        reasons: new Reasons(),
      })
      return dataOf(await tx.one(readGesture(actor.policies), { id }), 'gesture')
    },
  }),
]
