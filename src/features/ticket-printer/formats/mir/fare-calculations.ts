import type { TicketDocument } from '../../ticket-file.ts'
import { printedText } from '../printed.ts'
import type { Mir } from './mir.ts'

/** A line A09, or A24 if A09 is missing: the fare, and a digit for the type of the ticket. */
const FARE_ITEM = { at: 3, length: 2 } as const
const TEXT_AT = 6
/** The width of Galileo's lines; those of Apollo vary. */
const WIDTH = 61
const MARK = /(?:^|[\s/])M\/(IT|BT)\b/

/** The fare calculation of each fare. Lines continue where the previous one was cut. */
export function fareCalculationsOf(mir: Mir): ReadonlyMap<string, string> {
  const own = mir.items('A09')
  const items = own.length > 0 ? own : mir.items('A24')
  const calculations = new Map<string, string>()
  for (const { line, more } of items) {
    const lines = [line.slice(TEXT_AT), ...more]
    const width = mir.header.isApollo ? Math.max(...lines.map((each) => each.length)) : WIDTH
    // A trailing blank that was lost in transport can separate two words.
    const text = printedText(lines.map((each) => (each.length < width ? `${each.trimEnd()} ` : each)).join(''))
    if (text !== null) calculations.set(line.slice(FARE_ITEM.at, FARE_ITEM.at + FARE_ITEM.length), text)
  }
  return calculations
}

const MARKS = { IT: 'inclusive_tour', BT: 'bulk', BULK: 'bulk' } as const

/** The mark printed instead of a fare: `IT` or `BT` in the columns of its amount, or `M/IT` in its calculation. */
export function mirFareMark(printed: string, calculation: string | null): TicketDocument['fareMark'] {
  const mark = isMark(printed) ? printed : calculation?.includes('M/') ? MARK.exec(calculation)?.[1] : undefined
  return mark !== undefined && isMark(mark) ? MARKS[mark] : null
}

export const isMark = (printed: string): printed is keyof typeof MARKS => Object.hasOwn(MARKS, printed)
