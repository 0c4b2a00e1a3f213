/** Where the fields of a line stand: offset and length. */
export type LineColumns<Name extends string> = Readonly<Record<Name, readonly [at: number, length: number]>>

/** The fields of a line, trimmed. A line that lost the blanks at its end reads as if it had them. */
export function cutLine<Name extends string>(line: string, columns: LineColumns<Name>): Readonly<Record<Name, string>> {
  const fields: Partial<Record<Name, string>> = {}
  for (const name in columns) {
    const [at, length] = columns[name]
    fields[name] = line.slice(at, at + length).trim()
  }
  return fields as Record<Name, string>
}
