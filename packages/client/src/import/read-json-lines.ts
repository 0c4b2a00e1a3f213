import { ImportError } from './import-error.ts'
import { type ReadRow, type Rows, rowOf, unreadable } from './read-row.ts'

/** Reads JSON Lines. An invalid line is a failed row; the others are read. Blank lines are skipped. */
export async function* readJsonLines(chunks: AsyncIterable<string>, maxRowChars: number): Rows {
  let line = 0
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxRowChars)
      throw new ImportError('row_too_large', `Line ${line + lines.length + 1} is larger than the request limit.`)
    for (const text of lines) {
      line += 1
      const row = readLine(line, text)
      if (row) yield row
    }
  }
  const last = readLine(line + 1, rest)
  if (last) yield last
}

function readLine(line: number, text: string): ReadRow | null {
  if (text.trim() === '') return null
  try {
    return rowOf(line, JSON.parse(text))
  } catch {
    return unreadable(line, 'is not JSON', { kind: 'text', text: text.trimEnd() })
  }
}
