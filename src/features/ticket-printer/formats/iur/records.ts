import { Unreadable } from '../../ticket-file.ts'
import { COUNTS } from './columns.ts'

/** The line of a record and the variable-field lines behind it. An empty field is an empty line. */
export type IurRecord = { readonly tag: string; readonly line: string; readonly lines: readonly string[] }
export type IurFile = {
  /** The first line. */
  readonly header: string
  /** Variable lines of the header: addresses and phone numbers. */
  readonly headerLines: readonly string[]
  readonly records: ReadonlyMap<string, readonly IurRecord[]>
  readonly last: IurRecord | null
  /** The last line if it is not terminated, so that it may be incomplete. */
  readonly open: string | null
  /** Whether empty lines were removed in transport, so that the position of a field is unreliable. */
  readonly squeezed: boolean
}

/** Records begin with a tag and the number of an item; M6 with the passenger type. */
const RECORD = /^M(?:[1-9A-GX]\d\d|6[A-Z][A-Z\d]{2})/
const HEADER = /^AA\d\d[A-Z]{3}\d{4}M0/
/** The largest three-digit count of one kind of record, also used as an average for all kinds. */
const MAX_RECORDS = 999
const MAX_LINES = 20 * MAX_RECORDS
/** The variable lines of M0: policy, addresses, phones, received from. */
const HEADER_LINES = 15

const TOO_LONG = new Unreadable('The file has too many records for a Sabre IUR.', 'too_large')

/** Splits a file into records, in order. A record ends where the next one begins. */
export function splitRecords(text: string): IurFile | Unreadable {
  const [header = '', ...lines] = text.split(/\r\n|[\r\n\f]/, MAX_LINES + 1)
  if (lines.length === MAX_LINES) return TOO_LONG
  const records: { tag: string; line: string; lines: string[] }[] = []
  const headerLines: string[] = []
  for (const line of lines) {
    if (line.startsWith('AA') && HEADER.test(line))
      return new Unreadable('The file contains several Sabre IURs. Send each one in a separate file.', 'several_files')
    if (line.startsWith('M') && RECORD.test(line)) records.push({ tag: line.slice(0, 2), line, lines: [] })
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

/** The same without an unterminated last line, because a truncated text could be read as another one. */
export const closedRecords = (file: IurFile, tag: string): readonly IurRecord[] =>
  iurRecords(file, tag).filter((record) => record !== file.last || record.line !== file.open)

const CUT_OFF = 'Send the complete file again.'
export const cutOff = (how: string): Unreadable =>
  new Unreadable(`The file is incomplete: ${how}. ${CUT_OFF}`, 'incomplete')

/** Reports missing records by the counts of the header; null if none is missing. */
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
