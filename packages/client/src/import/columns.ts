import { ImportError } from './import-error.ts'
import { looksLikePrice } from './price-names.ts'
import { ADDED } from './read-row.ts'
import type { Target, TargetField } from './target.ts'

/** What a column is read as: a field of the entity, or a name that the cell ignores; null is not sent. */
export type Column = { readonly name: string | null; readonly field: TargetField | null }
export type ColumnsToRead = { readonly target: Target; readonly ignored: readonly string[] }

/** The letters and digits of a name: "External ID", "external-id" and "EXTERNAL_ID" are the same. */
const loose = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Finds the field of each column. A file that lacks `external_id`, or whose prices would be dropped, is refused. */
export function columnsOf(
  header: readonly string[],
  line: number,
  { target, ignored }: ColumnsToRead,
): readonly Column[] {
  const byName = new Map(target.fields.map((field) => [loose(field.key), field]))
  const columns = header.map((name): Column => {
    if (name === ADDED.line || name === ADDED.errors || ignored.some((other) => loose(other) === loose(name)))
      return { name: null, field: null }
    const field = byName.get(loose(name)) ?? null
    return { name: field?.key ?? name, field }
  })
  const where = `Line ${line}: the header`
  refuseTwice(header, columns, where)
  if (!columns.some(({ name }) => name === 'external_id'))
    throw new ImportError('missing_column', `${where} has no column external_id, which is required.`)
  refusePrices(columns, target, where)
  return columns
}

function refuseTwice(header: readonly string[], columns: readonly Column[], where: string): void {
  const names = columns.map(({ name }) => name)
  const at = names.findIndex((name, at) => name && names.indexOf(name) !== at)
  if (at === -1) return
  const [first, second] = [header[names.indexOf(names[at] as string)], header[at]]
  const problem =
    first === second ? `has the column ${first} twice` : `has both ${first} and ${second} for the field ${names[at]}`
  throw new ImportError('invalid_csv', `${where} ${problem}. Remove or rename one of them.`)
}

function refusePrices(columns: readonly Column[], target: Target, where: string): void {
  const unread = columns.flatMap(({ name, field }) => (field === null && name && looksLikePrice(name) ? [name] : []))
  if (unread.length === 0) return
  throw new ImportError('unread_price', `${where} has ${unreadPrices(unread, target)}`)
}

/** The end of a sentence that begins with the file or its header. */
export function unreadPrices(names: readonly string[], { entity, fields }: Target): string {
  const read = fields.filter(hasAmounts).map(({ key }) => key)
  return [
    `${names.map((name) => `"${name}"`).join(', ')}, which looks like a price but would not be imported.`,
    read.length > 0
      ? `Amounts of ${entity} are imported from ${read.join(', ')}.`
      : `Rows of ${entity} have no amounts.`,
    `Rename the column, or ignore it with ${names.map((name) => `--ignore "${name}"`).join(' ')}.`,
  ].join(' ')
}

const hasAmounts = ({ type, items }: TargetField): boolean => type === 'money' || items.some(hasAmounts)

/** Fields that new records need and that no column has; records that exist may be updated without them. */
export const missingOf = (columns: readonly Column[], { fields }: Target): readonly string[] =>
  fields.flatMap(({ key, required }) => (required && !columns.some(({ name }) => name === key) ? [key] : []))
