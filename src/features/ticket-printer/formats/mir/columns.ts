/** The fields of a line: offset and length, and whether an amount is right-aligned. */
export type LineColumns<Name extends string> = Readonly<
  Record<Name, readonly [at: number, length: number, kind?: 'amount']>
>

/** Cuts a line into trimmed fields. A line that lost its trailing blanks gives the same fields. */
export function cutLine<Name extends string>(line: string, columns: LineColumns<Name>): Readonly<Record<Name, string>> {
  const fields: Partial<Record<Name, string>> = {}
  for (const name in columns) {
    const [at, length, kind] = columns[name]
    const field = line.slice(at, at + length).trim()
    fields[name] = kind === 'amount' && goesOn(line, at, at + length) ? `${field}…` : field
  }
  return fields as Record<Name, string>
}

/**
 * Whether an amount was shifted out of its columns. Part of its digits would be another amount, so it is not parsed.
 */
const goesOn = (line: string, start: number, end: number): boolean =>
  areDigits(line.slice(start - 1, start + 1)) || areDigits(line.slice(end - 1, end + 1))
const areDigits = (two: string): boolean => /^[\d.]{2}$/.test(two)
