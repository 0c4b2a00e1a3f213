import Type from 'typebox'
import type { Policies } from '../../../platform/access/policies.ts'
import type { AccountReader, AccountTx } from '../../../platform/db/account-tx.ts'
import { viewSchema } from '../../../platform/db/view.ts'
import { byId, noSuch, versionedData } from '../../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../../platform/http/paging.ts'
import { type Input, patchAndPut, type Route, route } from '../../../platform/http/route.ts'
import { Text, Uuid } from '../../../platform/http/shapes.ts'
import { joinedObjects, jsonText, NO_BODY } from '../../../platform/json-text.ts'
import { dayIn } from '../../../platform/time.ts'
import { takesAttributes, writeShape } from '../../../records/attributes.ts'
import { fileName, tableOf } from '../files/cells.ts'
import { FILE_FORMATS } from '../files/file-formats.ts'
import { reportExported } from '../report-exported.ts'
import { localeParameter, resultFields } from '../report-shapes.ts'
import { reportText } from '../report-text.ts'
import { runReport, runWholeReport, viewerOf, WHOLE_ROWS } from '../run-report.ts'
import { deleteSavedReport } from './commands/delete-report.ts'
import { changeSavedReport, createSavedReport, type Saver } from './commands/save-report.ts'
import { type ReportSources, requireValid, runnableOf } from './saved-preset.ts'
import { savedReportAttributes } from './saved-report-attributes.ts'
import {
  findSavedReport,
  listSavedReports,
  lockSavedReport,
  readSavedReport,
  type StoredReport,
} from './saved-reports.store.ts'
import { savedReportDetail, savedReportItem } from './saved-reports.view.ts'

const COMMON = {
  tag: { name: 'Saved reports', description: 'Reports that are saved and sent on a schedule.' },
  scope: ['full'],
  policy: 'view_reports',
  feature: 'reports_builder',
} as const
const ofReport = byId('saved report')
const FILE_MAXIMUM = 1_000_000_000
const RUN_ERRORS = [
  'not_found',
  'plan_gated',
  'validation_failed',
  'invalid_parameter',
  'too_many_rows',
  'report_timeout',
] as const
const whole = {
  status: 200,
  body: Type.Object({ data: viewSchema(savedReportDetail, 'Saved report') }),
  description: 'The saved report.',
} as const
const Attributes = Type.Object(writeShape(savedReportAttributes), { title: 'Saved report attributes' })
const Changes = Type.Partial(Attributes, { title: 'Saved report changes' })
/** Without the tests of attributes that are read back where they were written: at its address a report is run. */
const takes = (shape: typeof Attributes | typeof Changes) => {
  const { body, bodyInDocument } = takesAttributes('saved_report', savedReportAttributes, shape)
  return { body, bodyInDocument }
}
const Result = Type.Object(
  { ...resultFields, saved_report_id: Uuid, name: Text(1000) },
  { additionalProperties: false, title: 'Saved report result' },
)

const shown = async (reader: AccountReader, policies: Policies, id: string) =>
  versionedData(await reader.last(readSavedReport(policies), { id }), 'saved report')
type OfReport = Pick<Input, 'actor'> & { readonly params: { readonly id: string } }
const versioned = {
  lock: (tx: AccountTx, { params: { id } }: OfReport) => tx.one(lockSavedReport, { id }),
  show: (reader: AccountReader, { params, actor }: OfReport) => shown(reader, actor.policies, params.id),
}

const saverOf = ({ actor, principal, now }: Pick<Input, 'actor' | 'principal' | 'now'>): Saver => ({
  timeZone: actor.timeZone,
  locale: actor.locale,
  policies: actor.policies,
  seat: String(actor.seat), // a key without one is refused by the gate
  ...(principal.kind === 'key' ? { role: principal.role, key: principal.id } : { role: null, key: null }),
  plan: principal.plan,
  now,
})

/** The report that the path names, from the database itself: a replica may not have it yet. */
async function find(reader: AccountReader, { params }: { params: { id: string } }): Promise<StoredReport> {
  const stored = await reader.one(findSavedReport, { id: params.id })
  if (!stored) throw noSuch('saved report')
  return stored
}

export const savedReportRoutes = (sources: ReportSources): readonly Route[] => [
  ...READS,
  ...runs(sources),
  ...writes(sources),
]

const READS: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/saved_reports',
    summary: 'List saved reports',
    description: 'Newest first.',
    takes: { query: Type.Object(paging) },
    answers: {
      status: 200,
      body: listOf(viewSchema(savedReportItem, 'Saved report in a list')),
      description: 'A page of saved reports.',
    },
    errors: ['plan_gated', 'invalid_cursor', 'invalid_parameter'],
    handle: async (reader, { actor, page }) => listText(page, await listSavedReports(reader, actor.policies, page, {})),
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/saved_reports/:id/definition',
    summary: 'Read the definition of a saved report',
    takes: ofReport,
    answers: whole,
    versioned: true,
    errors: ['not_found', 'plan_gated'],
    handle: (reader, { params, actor }) => shown(reader, actor.policies, params.id),
  }),
]

const runs = (sources: ReportSources): readonly Route[] => [
  route({
    ...COMMON,
    method: 'GET',
    path: '/saved_reports/:id',
    summary: 'Run a saved report',
    description:
      'Runs the report with its saved filters, which cannot be overridden, as the role of the key sees it. A report with a definition is returned in pages.',
    slow: true,
    takes: { ...ofReport, query: Type.Object({ ...localeParameter, ...paging }) },
    answers: { status: 200, body: Result, description: 'The report.' },
    errors: [...RUN_ERRORS, 'invalid_cursor'],
    find,
    async handle(reader, { query, actor, principal, page, now }, stored) {
      const today = page.after?.[0] ?? dayIn(actor.timeZone, now) // that of the first page
      const { policies } = actor
      const { preset, given } = requireValid(runnableOf(stored, sources, { plan: principal.plan, policies, today }))
      const viewer = viewerOf(actor, query)
      const report = preset.pages
        ? await runReport(reader, viewer, preset, given, page, now)
        : await runWholeReport(reader, viewer, preset, given, now)
      return joinedObjects(jsonText({ saved_report_id: stored.id, name: stored.name }), reportText(report, page))
    },
  }),
  ...FILE_FORMATS.map(({ extension, type, write }) =>
    route({
      ...COMMON,
      method: 'GET',
      path: `/saved_reports/:id.${extension}`,
      summary: `Download a saved report as ${extension.toUpperCase()}`,
      description: `The whole report, at most ${WHOLE_ROWS} rows. Headings, separators and formats follow \`locale\`, or the locale of the account. For programs, send \`locale=en\`.`,
      slow: true,
      takes: { ...ofReport, query: Type.Object(localeParameter) },
      answers: { status: 200, type, body: Type.String({ maxLength: FILE_MAXIMUM }), description: 'The file.' },
      errors: RUN_ERRORS,
      audits: ({ params }) => reportExported('saved_report', params.id, extension),
      find,
      async handle(reader, { query, actor, principal, now }, stored) {
        const { policies, timeZone } = actor
        const on = { plan: principal.plan, policies, today: dayIn(timeZone, now) }
        const { preset, given } = requireValid(runnableOf(stored, sources, on))
        const report = await runWholeReport(reader, viewerOf(actor, query), preset, given, now)
        return {
          body: await write(tableOf(report, principal.kind, stored.name)),
          filename: fileName(stored.name, report, extension),
        }
      },
    }),
  ),
]

const writes = (sources: ReportSources): readonly Route[] => [
  route({
    ...COMMON,
    method: 'POST',
    path: '/saved_reports',
    summary: 'Save a report',
    description:
      'Saves a preset with filters, or a `definition` over the published fields of an entity. A schedule sends the report by e-mail, with the policies of this key, and pauses when the key is no longer allowed to see the report. Recipients who are not active seats of the account need `manage_settings`. Dates in filters can be relative, such as `month_start-1`.',
    takes: takes(Attributes),
    answers: { ...whole, status: 201 },
    versioned: true,
    errors: ['plan_gated', 'validation_failed'],
    async handle(tx, input) {
      const id = await createSavedReport(tx, saverOf(input), input.body.saved_report, sources)
      return shown(tx, input.actor.policies, id)
    },
  }),
  ...patchAndPut({
    ...COMMON,
    path: '/saved_reports/:id',
    summary: 'Update a saved report',
    description:
      'Omitted attributes keep their values; null clears them. From then on, the schedule uses the policies of this key. `schedule_paused: false` resumes a paused schedule at its next time; other changes leave it paused. Changing a report with recipients needs `view_personal_data` or `manage_settings`.',
    takes: { ...ofReport, ...takes(Changes) },
    answers: whole,
    versioned,
    errors: ['not_found', 'plan_gated', 'validation_failed'],
    async handle(tx, input) {
      const { params, body, actor } = input
      if (!(await changeSavedReport(tx, saverOf(input), params.id, body.saved_report, sources)))
        throw noSuch('saved report')
      return shown(tx, actor.policies, params.id)
    },
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: '/saved_reports/:id',
    summary: 'Delete a saved report',
    takes: ofReport,
    answers: { status: 204, body: Type.Null(), description: 'The report was deleted.' },
    errors: ['not_found', 'plan_gated'],
    async handle(tx, { params }) {
      if (!(await deleteSavedReport(tx, params.id))) throw noSuch('saved report')
      return NO_BODY
    },
  }),
]
