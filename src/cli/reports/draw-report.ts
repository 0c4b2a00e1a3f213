import { stripVTControlCharacters } from 'node:util'

type Cell = string | number | null
type Column = { readonly key: string; readonly label: string; readonly type: string }
type Sums = Readonly<Record<string, Cell>>
type Totals = { readonly by_currency: readonly Sums[]; readonly base: Sums | null } & Readonly<Record<string, unknown>>
/** The result of a report, as returned by the API. */
export type ReportResult = {
  readonly columns: readonly Column[]
  readonly rows: readonly Sums[]
  readonly groups:
    | readonly { readonly key: string | null; readonly label: string | null; readonly totals: Totals }[]
    | null
  readonly totals: Totals | null
}
type Line = readonly string[]

const NUMBERS = new Set(['money', 'integer', 'decimal', 'percent'])
const SHOWN = 500
const WIDEST = 40
/** The columns of the groups, shown in their headings. */
const OF_GROUP = new Set(['group_key', 'group_name'])

/** A report as a table for a terminal: numbers to the right, the totals of each group below its rows that are shown. */
export function drawReport({ columns, rows, groups, totals }: ReportResult): string {
  const own = columns.filter(({ key }) => !OF_GROUP.has(key))
  const lineOf = (row: Sums): Line => own.map(({ key }) => textOf(row[key]))
  const shown = rows.slice(0, SHOWN)
  const byGroup = Map.groupBy(shown, (row) => row.group_key)
  const grouped = groups
    ? groups.flatMap(({ key, label, totals: sums }) => {
        const theirs = byGroup.get(key)?.map(lineOf)
        return theirs ? [[...theirs, ...totalLines(own, sums, `= ${textOf(label ?? '(none)')}`)]] : []
      })
    : [shown.map(lineOf)]
  const grand = totals ? totalLines(own, totals, '= All') : []
  const table = drawTable(
    own,
    [...grouped, grand].filter(({ length }) => length > 0),
  )
  return rows.length > SHOWN
    ? `${table}\n… and ${rows.length - SHOWN} more rows. Use --csv FILE to save all rows.`
    : table
}

/** A line for each currency, and one in the company's if that differs. Integers are in the first line. */
function totalLines(columns: readonly Column[], { by_currency, base, ...counts }: Totals, title: string): Line[] {
  const isOther = by_currency.length > 1 || by_currency[0]?.currency !== base?.currency
  const lines = [...by_currency, ...(base && isOther ? [base] : [])]
  const sums = lines.length > 0 ? lines : [{}]
  return sums.map((sum: Sums, at) => {
    const values: Record<string, unknown> = { ...(at === 0 && counts), ...sum }
    const name = sum === base ? `${title}, in ${sum.currency}` : title
    return columns.map(({ key }, nth) => (nth === 0 ? name : textOf(values[key] as Cell)))
  })
}

function drawTable(columns: readonly Column[], sections: readonly (readonly Line[])[]): string {
  const labels = columns.map(({ label }) => textOf(label))
  const widths = labels.map((label, at) =>
    Math.max(widthOf(label), ...sections.flat().map((line) => widthOf(line[at] ?? ''))),
  )
  const draw = (line: Line) =>
    line
      .map((text, at) => {
        const space = ' '.repeat((widths[at] ?? 0) - widthOf(text))
        return NUMBERS.has(columns[at]?.type ?? '') ? space + text : text + space
      })
      .join(' │ ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('─┼─')
  return [draw(labels), ...sections.flatMap((lines) => [rule, ...lines.map(draw)])].join('\n')
}

/** One line of text without terminal control characters. */
function textOf(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return ''
  const text = stripVTControlCharacters(String(cell)).replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
  return widthOf(text) > WIDEST ? `${[...text].slice(0, WIDEST - 1).join('')}…` : text
}
const widthOf = (text: string): number => [...text].length
