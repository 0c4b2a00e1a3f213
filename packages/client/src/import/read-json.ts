import { ImportError } from './import-error.ts'
import { makeJsonScanner } from './json-scanner.ts'
import { type Rows, rowOf } from './read-row.ts'

/** Reads a JSON array of rows, or an object with `rows`. Reading ends at invalid JSON. */
export async function* readJson(chunks: AsyncIterable<string>, maxRowChars: number): Rows {
  const scanner = makeJsonScanner(maxRowChars)
  for await (const chunk of chunks) {
    for (const { line, text } of scanner.push(chunk)) yield rowOf(line, parse(line, text))
  }
  scanner.end()
}

function parse(line: number, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ImportError('invalid_json', `Line ${line}: the row that starts here is not JSON.`)
  }
}
