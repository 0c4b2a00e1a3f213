import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { isDatabaseTimeout } from '../../platform/db/failures.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { dayIn } from '../../platform/time.ts'
import { type Found, reportStatement, sortedBy } from './compile.ts'
import { type Applied, type Given, readFilters } from './filters.ts'
import type { Preset } from './preset.ts'

/** The reader of a report: clock, language, formats and policies. */
export type Viewer = { readonly timeZone: string; readonly locale: string; readonly policies: Policies }
/** The reader, in the requested language or that of the account. */
export const viewerOf = ({ timeZone, locale, policies }: Viewer, query: { readonly locale?: string }): Viewer => ({
  timeZone,
  locale: query.locale ?? locale,
  policies,
})
/** The requested part of the rows; a preset without pages returns all up to the limit. */
export type ReportPage = { readonly limit: number; readonly after: readonly string[] | null }
export type Report = {
  readonly preset: Preset
  readonly filters: Applied
  /** In whose language and customs it is written, and on whose clock. */
  readonly locale: string
  readonly timeZone: string
  readonly found: Found
  /** Whether these are all rows, and not a page of them. */
  readonly isWhole: boolean
  /** When it was made, milliseconds since the epoch. */
  readonly madeAt: number
}

/** Rows of a complete report, returned or saved to a file. */
export const WHOLE_ROWS = 100_000

/**
 * Runs a preset as one statement. The reader is that of the reports. Further pages use the day of the first page, so
 * that defaults do not move between them: the sort key begins with that day and the identity of the request.
 */
export async function runReport(
  reader: AccountReader,
  { timeZone, locale, policies }: Viewer,
  preset: Preset,
  given: Given,
  { limit, after }: ReportPage,
  now: number,
): Promise<Report> {
  const [today = dayIn(timeZone, now), order, ...key] = after ?? []
  const query = { preset, policies, filters: readFilters(preset, given, policies, today), continues: after !== null }
  const sorted = sortedBy(query)
  if (after !== null && order !== sorted) throw anotherOrder()
  const input = { ...query.filters, today, zone: timeZone, limit, after: key }
  const found = await reader.one(reportStatement(query), input).catch(tooSlow)
  if (!found) throw new Error(`The report ${preset.key} returned no row`)
  const last = found.last && [today, sorted, ...found.last]
  return {
    preset,
    filters: query.filters,
    locale,
    timeZone,
    found: { ...found, last },
    isWhole: after === null && !found.more,
    madeAt: now,
  }
}

const anotherOrder = () =>
  new ApiError(
    'invalid_cursor',
    'This cursor belongs to a role with other columns, or to an earlier version of the report. Start again without a cursor.',
  )

/** The same, complete or not at all. */
export async function runWholeReport(
  reader: AccountReader,
  viewer: Viewer,
  preset: Preset,
  given: Given,
  now: number,
): Promise<Report> {
  const report = await runReport(reader, viewer, preset, given, { limit: WHOLE_ROWS, after: null }, now)
  if (!report.found.more) return report
  throw new ApiError(
    'too_many_rows',
    `The report has more than ${WHOLE_ROWS} rows. Choose a shorter period or more filters.`,
  )
}

function tooSlow(error: unknown): never {
  if (!isDatabaseTimeout(error)) throw error
  throw new ApiError('report_timeout', 'The report took too long. Choose a shorter period or more filters.')
}
