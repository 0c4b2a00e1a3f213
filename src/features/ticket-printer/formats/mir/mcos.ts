import type { TicketDocument } from '../../ticket-file.ts'
import { printedText, withoutLikelyCards } from '../printed.ts'
import type { Bases } from './bases.ts'
import type { Mir } from './mir.ts'
import { type Item, taggedLine } from './sections.ts'

const NUMBER = /^\d{13}/
const TYPE = { at: 3, length: 3 } as const
/** The service, the reason for issuance, and three lines of remarks. */
const REASONS = ['ST:', 'RI:', 'R1:', 'R2:', 'R3:'] as const

type Mco = Pick<TicketDocument, 'kind' | 'endorsement' | 'associatedWith' | 'services'>

/**
 * The purpose of an MCO. Its number, its amounts and sometimes its flights are in the sections of a ticket; a ticket
 * also has a fare basis and a fare calculation. Null if the file has tickets.
 */
export function mcoOf(mir: Mir, { ofSegment }: Bases, calculations: ReadonlyMap<string, string>): Mco | null {
  const [item] = mir.items('A19')
  if (!item) return null
  const hasBasis = [...ofSegment.values()].some(({ fareBasis }) => fareBasis !== null)
  if (hasBasis && calculations.size > 0) {
    mir.warn('mco_left_out', 'The file has an MCO without a number beside its tickets. The MCO was left out.')
    return null
  }
  const reason = [...new Set(REASONS.map((tag) => textOf(item, tag)))].join(' ').trim()
  return {
    kind: 'mco',
    endorsement: printedText(textOf(item, 'EB:')),
    associatedWith: NUMBER.exec(textOf(item, 'TN:'))?.[0] ?? null,
    services: [{ coupon: 1, rfic: null, rfisc: null, text: printedText(reason || typeIn(item)), from: null, to: null }],
  }
}

/** `MCO`, `MPD`, or `SF` for a fee of the agency. */
const typeIn = ({ line }: Item): string => line.slice(TYPE.at, TYPE.at + TYPE.length).trim()

const textOf = (item: Item, tag: string): string => withoutLikelyCards(taggedLine(item, tag)?.trim() ?? '')
