import { type FileWarning, Unreadable } from '../../ticket-file.ts'
import { collectWarnings, type Warn } from '../warnings.ts'
import { type MirHeader, readMirHeader } from './header.ts'
import { type Item, type Sections, sectionsOf } from './sections.ts'

/** A MIR split into sections, with the warnings collected while parsing. */
export type Mir = {
  readonly header: MirHeader
  readonly items: (section: string) => readonly Item[]
  readonly today: string
  readonly warn: Warn
  readonly warnings: readonly FileWarning[]
}

/** Longer than any MIR. */
const LONGEST = 100_000
/** Empty lines and the form feed at the end are often lost in transport. */
const LOST_CHARACTERS = 16
const HEADER_LINES = 5
/** Line 4 of a header ends with blanks; without them, the trailing blanks of all lines were removed. */
const BLANKS_AT_END = { line: 3, width: 51 } as const
const ANOTHER_HEADER = /^T51[GV](?:7733|5880)\d{7}/

const NO_ITEMS: readonly Item[] = []

const CUT_OFF = new Unreadable(
  'The file is incomplete: it is shorter than the header of the MIR declares. Send the complete file again.',
  'incomplete',
)

/** Splits a file into sections. Refuses an incomplete file and one with several MIRs. */
export function openMir(text: string, today: string): Mir | Unreadable {
  if (text.length > LONGEST)
    return new Unreadable('The file is too long for a MIR. Send each MIR in a separate file.', 'too_large')
  const lines = text.split(/\r\n|\r|\n/)
  const header = readMirHeader(lines, today)
  if (header instanceof Unreadable) return header
  const body = lines.slice(HEADER_LINES)
  if (body.some((line) => ANOTHER_HEADER.test(line.trimStart()))) {
    return new Unreadable('The file contains several MIRs. Send each one in a separate file.', 'several_files')
  }
  const sections = sectionsOf(body)
  if (isTooShort(lines, header) || lacksItems(sections, header)) return CUT_OFF
  return {
    header,
    items: (section) => sections.get(section) ?? NO_ITEMS,
    today,
    ...collectWarnings(),
  }
}

function isTooShort(lines: readonly string[], { size }: MirHeader): boolean {
  if ((lines[BLANKS_AT_END.line] ?? '').length < BLANKS_AT_END.width) return false
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0)
  return length + LOST_CHARACTERS < size
}

const lacksItems = (sections: Sections, { counts }: MirHeader): boolean =>
  counts.some(({ section, items }) => (sections.get(section)?.length ?? 0) < items)
