import { csvOf } from './csv.ts'
import { xlsxOf } from './xlsx.ts'

/** How a report is saved to a file. */
export const FILE_FORMATS = [
  { extension: 'csv', type: 'text/csv', write: csvOf },
  { extension: 'xlsx', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: xlsxOf },
] as const
