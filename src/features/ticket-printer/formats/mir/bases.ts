import type { TicketLeg } from '../../ticket-file.ts'
import { fullDay } from '../days.ts'
import { printedText, withoutLikelyCards } from '../printed.ts'
import { cutLine } from './columns.ts'
import type { Mir } from './mir.ts'
import { taggedLine } from './sections.ts'

const BASIS = {
  fareItem: [3, 2],
  segment: [5, 2],
  short: [7, 8],
  notValidBefore: [23, 7],
  notValidAfter: [30, 7],
  longTag: [43, 2],
  long: [45, 15],
} as const
/** Behind the long fare basis: one endorsement of 60 characters or two of 29, then the baggage. */
const ENDORSEMENT = { tag: 'E:', at: 60, second: 91, end: 122 } as const
const IN_FULL = 'EF:'
const BAGGAGE = { tag: 'B:', at: 122, from: 60, length: 3 } as const
/** At the end of a line, whatever precedes it. */
const BAGGAGE_AT_END = /B:\s*([A-Z0-9]{1,3})\s*$/

type Basis = Pick<TicketLeg, 'fareBasis' | 'baggage' | 'notValidBefore' | 'notValidAfter'>
export type Bases = { readonly ofSegment: ReadonlyMap<string, Basis>; readonly ofFare: ReadonlyMap<string, string> }

/** The fare data of each segment, and the endorsement of each fare. The first printed one counts. */
export function basesOf(mir: Mir): Bases {
  const ofSegment = new Map<string, Basis>()
  const ofFare = new Map<string, string>()
  const made = mir.header.day ?? mir.today
  for (const item of mir.items('A08')) {
    const { line } = item
    const { fareItem, segment, short, longTag, long, ...validity } = cutLine(line, BASIS)
    // In the line itself it may be truncated.
    const endorsement = printedText(withoutLikelyCards(taggedLine(item, IN_FULL) ?? endorsementIn(line) ?? ''))
    const fareBasis = printedText(longTag === 'F:' ? long : '') ?? printedText(short)
    const basis = {
      fareBasis,
      baggage: baggageIn(line),
      notValidBefore: fullDay(validity.notValidBefore, made),
      notValidAfter: fullDay(validity.notValidAfter, made),
    }
    if (!ofSegment.has(segment)) ofSegment.set(segment, basis)
    if (endorsement !== null && !ofFare.has(fareItem)) ofFare.set(fareItem, endorsement)
  }
  return { ofSegment, ofFare }
}

function endorsementIn(line: string): string | null {
  const { tag, at, second, end } = ENDORSEMENT
  if (!line.startsWith(tag, at)) return null
  const isTwo = line.startsWith(tag, second)
  const parts = isTwo ? [line.slice(at + 2, second), line.slice(second + 2, end)] : [line.slice(at + 2, end)]
  return printedText(parts.map((part) => part.trim()).join(' '))
}

/** In its own columns, which other fields can follow, or at the end of the line. */
function baggageIn(line: string): string | null {
  const { tag, at, from, length } = BAGGAGE
  if (!line.includes(tag, from)) return null
  const start = at + tag.length
  const inColumns = line.startsWith(tag, at) ? printedText(line.slice(start, start + length)) : null
  return inColumns ?? printedText(BAGGAGE_AT_END.exec(line.slice(from))?.[1])
}
