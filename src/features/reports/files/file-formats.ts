import type { ReportTable } from './cells.ts'
import { csvOf } from './csv.ts'
import { xlsxOf } from './xlsx.ts'

/** How a report is saved to a file. */
export const FILE_FORMATS = [
  { extension: 'csv', type: 'text/csv', write: async (table: ReportTable) => Buffer.from(await csvOf(table)) },
  { extension: 'xlsx', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: xlsxOf },
] as const
