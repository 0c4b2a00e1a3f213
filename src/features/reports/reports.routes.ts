import Type from 'typebox'
import { paging } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Text } from '../../platform/http/shapes.ts'
import { jsonText } from '../../platform/json-text.ts'
import { dayIn } from '../../platform/time.ts'
import { describePreset } from './catalogue.ts'
import { fileName, tableOf } from './files/cells.ts'
import { FILE_FORMATS } from './files/file-formats.ts'
import { findPreset } from './find-preset.ts'
import type { Preset } from './preset.ts'
import { reportExported } from './report-exported.ts'
import { localeParameter, PresetShape, resultFields } from './report-shapes.ts'
import { reportText } from './report-text.ts'
import { runReport, runWholeReport, viewerOf, WHOLE_ROWS } from './run-report.ts'
import { refuseUnknownFilters } from './unknown-filters.ts'

const TAG = { name: 'Reports', description: 'Reports on sales, open items and deadlines.' }
const FULL = ['full'] as const
const policy = 'view_reports'
const params = Type.Object({ id: Type.String({ maxLength: 100, description: 'Key of the preset.' }) })

const ERRORS = ['not_found', 'plan_gated', 'invalid_parameter', 'too_many_rows', 'report_timeout'] as const
const FILTER_MAXIMUM = 500
const FILE_MAXIMUM = 1_000_000_000
/** The filters of all presets as query parameters, `filters[from]` and so on. */
const filterParameters = (presets: readonly Preset[]) => {
  const names = new Set([
    'from',
    'to',
    'date_basis',
    'group_by',
    ...presets.flatMap(({ filters }) => Object.keys(filters)),
  ])
  return Object.fromEntries([...names].map((name) => [`filters[${name}]`, Type.Optional(Text(FILTER_MAXIMUM))]))
}
/** The filters by name. */
const givenIn = (query: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const [, own] = /^filters\[(\w+)\]$/.exec(name) ?? []
      return own === undefined ? [] : [[own, value]]
    }),
  )

type Presets = readonly Preset[]

const listReports = (presets: Presets) =>
  route({
    method: 'GET',
    path: '/reports',
    tag: TAG,
    summary: 'List reports',
    description:
      'The reports that the plan includes, with their filters and columns. `default` is the value that applies today.',
    scope: FULL,
    policy,
    takes: { query: Type.Object(localeParameter) },
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Array(PresetShape, { maxItems: 100 }) }),
      description: 'The presets.',
    },
    errors: [],
    async handle(_reader, { query, principal, actor, now }) {
      const today = dayIn(actor.timeZone, now)
      const included = presets.filter(({ feature }) => principal.plan.features.has(feature))
      return jsonText({
        data: included.map((preset) => describePreset(preset, today, query.locale ?? actor.locale)),
      })
    },
  })

const answerReport = (presets: Presets) =>
  route({
    method: 'GET',
    path: '/reports/:id',
    tag: TAG,
    summary: 'Run a report',
    description:
      '`GET /reports` lists the filters of each report; unknown filters are refused. `filters` in the response are the filters that were applied. Dates can be relative, such as `month_start-1` or `today-7`, in the time zone of the account. Totals cover the whole report, also on a page; amounts in different currencies are never added up. `group_by` adds `group_key` and `group_name` to the rows, and `groups` with the groups of the page.',
    scope: FULL,
    policy,
    slow: true,
    takes: { params, query: Type.Object({ ...filterParameters(presets), ...localeParameter, ...paging }) },
    answers: {
      status: 200,
      body: Type.Object(resultFields, { additionalProperties: false, title: 'Report' }),
      description: 'The report.',
    },
    errors: [...ERRORS, 'invalid_cursor'],
    async handle(reader, { params, query, page, actor, principal, now }) {
      const preset = findPreset(presets, params.id, principal.plan)
      const given = givenIn(query)
      refuseUnknownFilters(preset, given)
      const viewer = viewerOf(actor, query)
      const report = preset.pages
        ? await runReport(reader, viewer, preset, given, page, now)
        : await runWholeReport(reader, viewer, preset, given, now)
      return reportText(report, page)
    },
  })

const saveReport = (presets: Presets, { extension, type, write }: (typeof FILE_FORMATS)[number]) =>
  route({
    method: 'GET',
    path: `/reports/:id.${extension}`,
    tag: TAG,
    summary: `Download a report as ${extension.toUpperCase()}`,
    description: `The whole report, at most ${WHOLE_ROWS} rows. Headings, separators and formats follow \`locale\`, or the locale of the account. For programs, send \`locale=en\`. Text that a spreadsheet would read as a formula is escaped.`,
    scope: FULL,
    policy,
    slow: true,
    takes: { params, query: Type.Object({ ...filterParameters(presets), ...localeParameter }) },
    answers: { status: 200, type, body: Type.String({ maxLength: FILE_MAXIMUM }), description: 'The file.' },
    errors: ERRORS,
    audits: ({ params }) => reportExported('report', params.id, extension),
    async handle(reader, { params, query, actor, principal, now }) {
      const preset = findPreset(presets, params.id, principal.plan)
      const given = givenIn(query)
      refuseUnknownFilters(preset, given)
      const report = await runWholeReport(reader, viewerOf(actor, query), preset, given, now)
      return { body: await write(tableOf(report, principal.kind)), filename: fileName(preset.key, report, extension) }
    },
  })

export const reportRoutes = (presets: Presets): readonly Route[] => [
  listReports(presets),
  answerReport(presets),
  ...FILE_FORMATS.map((format) => saveReport(presets, format)),
]
