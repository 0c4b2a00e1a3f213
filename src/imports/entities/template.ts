import { stringify } from 'csv-stringify/sync'
import type { Entity } from '../../catalogue/entity.ts'

/** The entity's sample as CSV (RFC 4180) under a header of all its fields; the cells of lists are JSON text. */
export const templateOf = ({ fields, sample }: Entity): string =>
  stringify(
    sample.rows.map((row) => Object.entries(row).map(([name, value]) => [name, cellOf(value)])).map(Object.fromEntries),
    { header: true, columns: Object.keys(fields), record_delimiter: 'windows' },
  )

const cellOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
