/** Where the fields of a line stand: offset and length, and whether an amount stands at the right of its columns. */
export type LineColumns<Name extends string> = Readonly<
  Record<Name, readonly [at: number, length: number, kind?: 'amount']>
>

/** The fields of a line, trimmed. A line that lost the blanks at its end reads as if it had them. */
export function cutLine<Name extends string>(line: string, columns: LineColumns<Name>): Readonly<Record<Name, string>> {
  const fields: Partial<Record<Name, string>> = {}
  for (const name in columns) {
    const [at, length, kind] = columns[name]
    const field = line.slice(at, at + length).trim()
    fields[name] = kind === 'amount' && goesOn(line, at, at + length) ? `${field}…` : field
  }
  return fields as Record<Name, string>
}

/** Whether an amount has moved out of its columns: a part of its digits is another amount, and never read. */
const goesOn = (line: string, start: number, end: number): boolean =>
  areDigits(line.slice(start - 1, start + 1)) || areDigits(line.slice(end - 1, end + 1))
const areDigits = (two: string): boolean => /^[\d.]{2}$/.test(two)
