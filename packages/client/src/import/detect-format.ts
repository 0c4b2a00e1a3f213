import { ImportError } from './import-error.ts'

export type Format =
  | { readonly kind: 'json' }
  | { readonly kind: 'json_lines' }
  | { readonly kind: 'csv'; readonly delimiter: string }

const DELIMITERS = [';', ',', '\t']

/** The format of a file, from its extension and its first bytes; `delimiter` is the user's option for CSV. */
export function detectFormat(path: string, head: string, delimiter?: string): Format {
  const text = head.trimStart()
  if (text === '') throw new ImportError('no_rows', `${path} is empty.`)
  const csv = delimiter !== undefined || (/\.(?:csv|tsv)$/i.test(path) && !text.startsWith('{"'))
  if (!csv && text.startsWith('[')) return { kind: 'json' }
  if (!csv && text.startsWith('{')) return { kind: isJsonLines(path, text) ? 'json_lines' : 'json' }
  return { kind: 'csv', delimiter: delimiter ?? delimiterOf(text) }
}

/** One object on the first line is JSON Lines, unless it is the body of a request with its `rows`. */
function isJsonLines(path: string, text: string): boolean {
  const [first = ''] = text.split(/\r?\n/, 1)
  try {
    return !Object.hasOwn(JSON.parse(first), 'rows')
  } catch {
    return /\.(?:jsonl|ndjson)$/i.test(path)
  }
}

/** The most frequent separator in the header, outside quotes. */
function delimiterOf(text: string): string {
  const named = /^sep=(.)\r?\n/.exec(text)?.[1]
  if (named) return named
  const [header = ''] = text.replace(/"(?:[^"]|"")*"/g, '').split(/\r?\n|\r/, 1)
  const count = (delimiter: string) => header.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best), ',')
}
