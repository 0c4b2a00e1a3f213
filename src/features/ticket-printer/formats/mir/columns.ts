/** The fields of a line: offset and length, and whether an amount is right-aligned. */
export type LineColumns<Name extends string> = Readonly<
  Record<Name, readonly [at: number, length: number, kind?: 'amount']>
>

/** Cuts a line into trimmed fields. A line that lost its trailing blanks gives the same fields. */
export function cutLine<Name extends string>(line: string, columns: LineColumns<Name>): Readonly<Record<Name, string>> {
  const fields: Partial<Record<Name, string>> = {}
  for (const name in columns) {
    const column = columns[name]
    const start = column[0]
    const end = start + column[1]
    const field = line.slice(start, end).trim()
    fields[name] = column[2] === 'amount' && continues(line, start, end) ? `${field}…` : field
  }
  return fields as Record<Name, string>
}

/**
 * Whether an amount was shifted out of its columns. Part of its digits would be another amount, so it is not parsed.
 */
const continues = (line: string, start: number, end: number): boolean =>
  (isOfAmount(line, start - 1) && isOfAmount(line, start)) || (isOfAmount(line, end - 1) && isOfAmount(line, end))

const POINT = 46
/** Whether a digit or a point is at an offset. */
function isOfAmount(line: string, at: number): boolean {
  const code = line.charCodeAt(at)
  return (code >= 48 && code <= 57) || code === POINT
}
