import type { Principal } from '../../../platform/access/principal.ts'
import { hiddenForm } from '../../../platform/http/hide-sealed.ts'
import { labelIn } from '../labels/label-in.ts'
import { reportColumns, type ShownColumn } from '../report-text.ts'
import type { Report } from '../run-report.ts'

/** A value as the report's JSON has it. */
export type ReportCell = string | number | boolean | null
/** A report as a table: its name, its columns, and its rows by their order, for people of a locale and zone. */
export type ReportTable = {
  readonly title: string
  readonly locale: string
  readonly timeZone: string
  readonly columns: readonly ShownColumn[]
  readonly rows: readonly (readonly ReportCell[])[]
}

/** Columns that people see without their first characters, because reading one in clear is audited. */
const IDENTITY_COLUMNS: ReadonlySet<string> = new Set(['passport_number', 'national_id'])

/** For whom a file is: an API key reads identity numbers in clear, a session and a mail do not. */
export type ReportReader = Principal['kind'] | 'mail'

/** `title` is the name of a saved report; any other has that of its preset. */
export function tableOf(report: Report, reader: ReportReader, title?: string): ReportTable {
  const { preset, filters, locale, timeZone, found } = report
  const columns = reportColumns(preset, filters.group_by, locale)
  const rows = JSON.parse(found.rows) as Record<string, ReportCell>[]
  const cellOf = (key: string, cell: ReportCell = null) =>
    reader !== 'key' && typeof cell === 'string' && IDENTITY_COLUMNS.has(key) ? hiddenForm(cell) : cell
  return {
    title: title ?? labelIn(locale, preset.label),
    locale,
    timeZone,
    columns,
    rows: rows.map((row) => columns.map(({ key }) => cellOf(key, row[key]))),
  }
}

/** How many rows are written before others have their turn. */
const ROWS_AT_ONCE = 1000
/** The rows in chunks, so that other work of the process continues in between. */
export async function* inParts<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    yield rows.slice(at, at + ROWS_AT_ONCE)
    await new Promise(setImmediate)
  }
}

/** Under which name a report is saved: its name and its window, in letters that every system takes. */
export function fileName(name: string, { filters }: Pick<Report, 'filters'>, extension: 'csv' | 'xlsx'): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ı', 'i')
    .replace(/[^A-Za-z0-9]+/g, '_')
  const window = [filters.from, filters.to].filter((day) => typeof day === 'string')
  return `${[plain.slice(0, 80).replace(/^_|_$/g, '') || 'report', ...window].join('_')}.${extension}`
}
