/** A record of a TAIR: a line's id, and its fields behind backslashes, of which the first is normally empty. */
export type TairRecord = { readonly id: string; readonly fields: readonly string[] }

/** Ids of two characters; every other is one. */
const LONG_ID = /^(?:-E|\*1|0[1-6])/
/** A line of a remark that begins as the record of a passenger or of money does, but has no fields. */
const STRAY = /^[ADJX][^\\]/
const LINE_END = /\r\n|\r|\n/

/** The records behind the address of the telegram. Some transports leave a NUL in the document numbers. */
export function tairRecords(text: string): readonly TairRecord[] {
  const lines = text.replaceAll('\0', '').split(LINE_END)
  const first = lines.findIndex((line) => line.startsWith('1\\'))
  return lines.slice(Math.max(0, first)).flatMap((line) => {
    if (line.trim() === '' || STRAY.test(line)) return []
    const id = LONG_ID.test(line) ? line.slice(0, 2) : line.slice(0, 1)
    return [{ id, fields: line.slice(id.length).split('\\') }]
  })
}

/** What stands behind a tag such as `FA-`, trimmed; null where no field of the record has it, or nothing is behind it. */
export function taggedText(record: TairRecord | undefined, tag: string): string | null {
  const field = record?.fields.find((each) => each.trimStart().startsWith(tag))
  return field?.trimStart().slice(tag.length).trim() || null
}

/** What a record says that has but one field, with or without a backslash before it; empty where there is no record. */
export const freeText = (record: TairRecord | undefined): string => record?.fields.join(' ').trim() ?? ''

/** A field by its place, trimmed; empty where there is none. */
export const at = (record: TairRecord | undefined, place: number): string => record?.fields[place]?.trim() ?? ''
