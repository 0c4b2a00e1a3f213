import { type Column, missingOf, unreadPrices } from './columns.ts'
import { decimalColumns } from './decimal-columns.ts'
import { ImportError } from './import-error.ts'
import type { TextFile } from './open-file.ts'
import { isAmountWithCurrency } from './price-names.ts'
import { type ReadOptions, readRows } from './read-rows.ts'

export type Examined = {
  /** The separator of the amounts; null if they have none. */
  readonly separator: string | null
  /** Fields that new records need and the file does not have. */
  readonly missing: readonly string[]
}

/**
 * Reads a whole CSV before the first row is sent, to detect what one row cannot show. `chosen` is the user's separator.
 */
export async function examineFile(file: TextFile, options: ReadOptions, chosen: string | null): Promise<Examined> {
  const { target } = options
  let columns: readonly Column[] = []
  const prices = new Set<string>()
  const amounts = decimalColumns(target.fields)
  const rows = readRows(file, {
    ...options,
    onColumns: (found) => {
      columns = found
    },
  })
  let unread: readonly string[] | null = null
  for await (const read of rows) {
    if ('issue' in read) continue
    unread ??= columns.flatMap(({ name, field }) => (name && !field ? [name] : []))
    for (const name of unread) if (isPrice(read.row[name])) prices.add(name)
    if (chosen === null) amounts.add(read.row, read.line)
  }
  if (prices.size > 0) throw new ImportError('unread_price', `The file has ${unreadPrices([...prices], target)}`)
  return { separator: chosen ?? amounts.separator(), missing: missingOf(columns, target) }
}

const isPrice = (cell: unknown): boolean => typeof cell === 'string' && isAmountWithCurrency(cell)
