import { Unreadable } from '../../ticket-file.ts'
import { COUNTS } from './columns.ts'

/** A record's line, and the lines of its variable fields behind it. An empty field is an empty line. */
export type IurRecord = { readonly tag: string; readonly line: string; readonly lines: readonly string[] }
export type IurFile = {
  /** The first line. */
  readonly header: string
  /** Its variable lines: addresses, telephones. */
  readonly headerLines: readonly string[]
  readonly records: ReadonlyMap<string, readonly IurRecord[]>
  readonly last: IurRecord | null
  /** The last line, where no line end says that it is whole. */
  readonly open: string | null
  /** Whether something on the way took the empty lines out, so that a field's place says nothing any more. */
  readonly squeezed: boolean
}

/** Records begin with their tag and the number of an item; M6 with the type of the passengers. */
const RECORD = /^M(?:[1-9A-GX]\d\d|6[A-Z][A-Z\d]{2})/
const HEADER = /^AA\d\d[A-Z]{3}\d{4}M0/
/** Three digits count the records of a kind, and no kind has more than so many lines on average. */
const MAX_RECORDS = 999
const MAX_LINES = 20 * MAX_RECORDS
/** The variable lines of M0: policy, addresses, phones, received from. */
const HEADER_LINES = 15

const TOO_LONG = new Unreadable('The file has too many records for a Sabre IUR.', 'too_large')

/** The records of a file in their order. A record ends where the next one begins. */
export function splitRecords(text: string): IurFile | Unreadable {
  const [header = '', ...lines] = text.split(/\r\n|[\r\n\f]/, MAX_LINES + 1)
  if (lines.length === MAX_LINES) return TOO_LONG
  const records: { tag: string; line: string; lines: string[] }[] = []
  const headerLines: string[] = []
  for (const line of lines) {
    if (HEADER.test(line))
      return new Unreadable('The file contains several Sabre IURs. Send each one in a separate file.', 'several_files')
    if (RECORD.test(line)) records.push({ tag: line.slice(0, 2), line, lines: [] })
    else (records.at(-1)?.lines ?? headerLines).push(line)
  }
  const byTag = Map.groupBy(records, ({ tag }) => tag)
  if (byTag.values().some(({ length }) => length > MAX_RECORDS)) return TOO_LONG
  return {
    header,
    headerLines,
    records: byTag,
    last: records.at(-1) ?? null,
    open: lines.at(-1) || null,
    squeezed: records.length > 0 && headerLines.length < HEADER_LINES,
  }
}

export const iurRecords = (file: IurFile, tag: string): readonly IurRecord[] => file.records.get(tag) ?? []

/** The same without the last line of a file that no line end closes: a text that is cut off says something else. */
export const closedRecords = (file: IurFile, tag: string): readonly IurRecord[] =>
  iurRecords(file, tag).filter((record) => record !== file.last || record.line !== file.open)

const CUT_OFF = 'Send the complete file again.'
export const cutOff = (how: string): Unreadable =>
  new Unreadable(`The file is incomplete: ${how}. ${CUT_OFF}`, 'incomplete')

/** Says which records are missing by the header's counts; null is none. */
export function missingRecords(file: IurFile): Unreadable | null {
  const { column, length, tags } = COUNTS
  if (file.header.length < column - 1 + length * tags.length) return cutOff('its first line is incomplete')
  for (const [at, tag] of tags.entries()) {
    const from = column - 1 + at * length
    const counted = Number(file.header.slice(from, from + length))
    const found = iurRecords(file, tag).length
    if (found < counted) return cutOff(`its header declares ${counted} ${tag} records, but it has ${found}`)
  }
  return null
}
