import { AIR_HEADER, AIR_PREAMBLE } from '#client/ticket-file/signatures.ts'
import { Unreadable } from '../../ticket-file.ts'
import { hasLinks, tagOf } from './tags.ts'

/** More than 99 passengers with all their remarks need. */
const MAX_LINES = 10_000
/** 99 adults, each with an infant. */
const MAX_PASSENGERS = 198
/** An EMD with all its taxes is half as long. */
const MAX_WIDTH = 5000
/** An EMD has 138 fields. */
const MAX_FIELDS = 256
/** For one tag of one passenger. */
const MAX_COMMON = 60
const MAX_RANGES = 99
const LINK = /^([SPDL])(\d[\d,-]*)$/

/** Numbers in the reservation, each range from its first to its last. */
export type Ranges = readonly (readonly [number, number])[]
export type Line = {
  /** The text between semicolons, untrimmed. */
  readonly fields: readonly string[]
  readonly passengers: Ranges | null
  readonly segments: Ranges | null
  /** The miscellaneous document: `D9` or `L4`. */
  readonly document: string | null
}
/** Lines by tag. */
export type Lines = ReadonlyMap<string, readonly Line[]>
type OpenLines = Map<string, Line[]>

/** The lines of one passenger. The number is that of the reservation, which an infant shares with its adult. */
export type PassengerBlock = { readonly number: number; readonly name: string; readonly own: Lines }
export type Air = {
  /** The fields of the first line; `AIR-BLK207` is the version alone. */
  readonly block: readonly string[]
  /** Lines before the first passenger, which apply to all passengers. */
  readonly common: Lines
  readonly passengers: readonly PassengerBlock[]
  /** Lines of passengers that name the passengers they apply to. */
  readonly associated: Lines
  /** All lines, in the order of the file. */
  readonly every: Lines
}

export const field = (line: Line | undefined, index: number): string => line?.fields[index] ?? ''
const NO_LINES: readonly Line[] = []
export const linesOf = (lines: Lines, tag: string): readonly Line[] => lines.get(tag) ?? NO_LINES
export const firstLineOf = (lines: Lines, tag: string): Line | undefined => lines.get(tag)?.[0]

/** The lines of a tag that apply to a passenger: the common ones and its own; if it has none, those that name it. */
export function linesFor(air: Air, passenger: PassengerBlock, tag: string): readonly Line[] {
  if (!air.every.has(tag)) return NO_LINES // most tags
  const [common, own, associated] = [air.common.get(tag), passenger.own.get(tag), air.associated.get(tag)]
  const isFor = (line: Line) => line.passengers !== null && includes(line.passengers, passenger.number)
  const shared = common && common.length > MAX_COMMON ? common.slice(0, MAX_COMMON) : (common ?? NO_LINES)
  const all = own ? (common ? [...shared, ...own] : own) : shared
  const near = all.every(({ passengers }) => passengers === null)
    ? all
    : all.filter((line) => line.passengers === null || isFor(line))
  return near.length > 0 ? near : (associated ?? NO_LINES).filter(isFor)
}

/** The same for a tag with lines in several places: the passenger's own, and those that name it. */
export function linesNaming(air: Air, passenger: PassengerBlock, tag: string): readonly Line[] {
  if (!air.every.has(tag)) return NO_LINES
  const [common, near, associated] = [air.common.get(tag), passenger.own.get(tag), air.associated.get(tag)]
  const isFor = (line: Line) => line.passengers !== null && includes(line.passengers, passenger.number)
  const own = (near ?? NO_LINES).filter((line) => line.passengers === null || isFor(line))
  const others = [...(common ?? NO_LINES), ...(associated ?? NO_LINES)].filter(isFor)
  return [...new Set([...own, ...others])]
}

export const includes = (ranges: Ranges, number: number): boolean =>
  ranges.some(([from, to]) => from <= number && number <= to)

/** Every line of a tag, anywhere in the file. */
export const everyLine = (air: Air, tag: string): readonly Line[] => linesOf(air.every, tag)

/** Splits a file into lines, and assigns them to passengers. */
export function splitAir(text: string): Air | Unreadable {
  const header = AIR_HEADER.exec(text.slice(0, AIR_PREAMBLE))
  if (!header)
    return new Unreadable('The file is not an AIR. An AIR begins with AIR-BLK and the version.', 'unknown_format')
  const lines = rowsOf(text.slice(text.indexOf(header[1] as string)))
  const end = lines.findIndex(isEnd)
  if (lines.length > MAX_LINES) return new Unreadable('The file has too many lines for an AIR.', 'too_large')
  if (end < 0) {
    return new Unreadable(
      'The file is incomplete: an AIR ends with END or ENDX. Send the complete file again.',
      'incomplete',
    )
  }
  const [first = '', ...body] = lines.slice(0, end)
  if (lines.slice(end + 1).some((line) => AIR_HEADER.test(line.slice(0, AIR_PREAMBLE)))) {
    return new Unreadable('The file contains several AIRs. Send each one in a separate file.', 'several_files')
  }
  return divided(body, first.replace(/^(?:AIR-)?BLK/, '').split(';', MAX_FIELDS))
}

/** One interface ends lines with the letter `m`; AIRs are in upper case. */
function rowsOf(text: string): string[] {
  const rows = text.split(/\r\n|\r|\n/, MAX_LINES + 1)
  const separated = rows.length < 3 && /mAMD[ R]/.test(text.slice(0, AIR_PREAMBLE))
  return (separated ? text.split('m', MAX_LINES + 1) : rows).map((row) => row.slice(0, MAX_WIDTH).trimStart())
}

/** The last line can be followed by an ETX of the framing. */
const isEnd = (row: string): boolean =>
  row.startsWith('END') && ['END', 'ENDX'].includes(row.split(/[\0-\x20]/, 1)[0] ?? '')

function divided(rows: readonly string[], block: readonly string[]): Air | Unreadable {
  const common: OpenLines = new Map()
  const associated: OpenLines = new Map()
  const every: OpenLines = new Map()
  const passengers: PassengerBlock[] = []
  let open = common
  for (const [at, row] of rows.entries()) {
    // The line of terminals has a free form, which can look like any other line.
    if (rows[at - 1]?.startsWith('AMD') && !row.startsWith('MUC1A')) continue
    const tag = tagOf(row)
    if (!tag) continue
    const line = lineOf(row, tag)
    if (tag === 'I-' && !field(line, 0).startsWith('GRP')) {
      open = new Map()
      passengers.push({ ...namedBy(line), own: open })
      if (passengers.length > MAX_PASSENGERS)
        return new Unreadable('The file has too many passengers for an AIR.', 'too_large')
    }
    add(open, tag, line)
    add(every, tag, line)
    if (open !== common && line.passengers) add(associated, tag, line)
  }
  return { block, common, passengers, associated, every }
}

function add(lines: OpenLines, tag: string, line: Line): void {
  const same = lines.get(tag)
  if (same) same.push(line)
  else lines.set(tag, [line])
}

function lineOf(row: string, tag: string): Line {
  const fields = row.slice(tag.length).split(';', MAX_FIELDS)
  return !hasLinks(tag) ? { fields, passengers: null, segments: null, document: null } : withoutLinks(fields)
}

/** The links are at the end, with empty fields between them. */
function withoutLinks(fields: readonly string[]): Line {
  let passengers: Line['passengers'] = null
  let segments: Line['segments'] = null
  let document: string | null = null
  let count = fields.length
  for (; count > 1; count -= 1) {
    const printed = fields[count - 1]?.trim() ?? ''
    if (printed === '') continue
    const [, kind, list = ''] = LINK.exec(printed) ?? []
    if (!kind) break
    if (kind === 'P') passengers = rangesOf(list)
    if (kind === 'S') segments = rangesOf(list)
    // An ICW names a document D9, followed by the element L8 of its coupon.
    if (kind === 'D' || kind === 'L') document = printed
  }
  return { fields: fields.slice(0, count), passengers, segments, document }
}

const rangesOf = (list: string): Ranges =>
  list.split(',', MAX_RANGES).map((range) => {
    const [from, to = from] = range.split('-').map(Number)
    return [from ?? 0, to ?? 0]
  })

/** `001;01YILMAZ/AYSE MRS(CHD);…`: the tattoo, then the passenger's number in the reservation and the name. */
function namedBy(line: Line): { number: number; name: string } {
  const [, number = '0', name = ''] = /^\s*(\d{2})?(.*)$/s.exec(field(line, 1)) ?? []
  return { number: Number(number), name }
}
