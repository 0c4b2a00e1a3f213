import type { TicketDocument } from '../../ticket-file.ts'
import { printedText, withoutLikelyCards } from '../printed.ts'
import type { Mir } from './mir.ts'
import { taggedLine } from './sections.ts'

const NUMBER = /^\d{13}/

/**
 * What an MCO is for. Its number and amounts stand where those of a ticket do; null where the file has tickets, beside
 * which the section tells no number.
 */
export function mcoOf(mir: Mir): Pick<TicketDocument, 'kind' | 'endorsement' | 'associatedWith' | 'services'> | null {
  const [item] = mir.items('A19')
  if (!item) return null
  if (mir.items('A04').length > 0) {
    mir.warn('mco_left_out', 'The file has an MCO without a number beside its tickets. The MCO was left out.')
    return null
  }
  const told = (tag: string) => taggedLine(item, tag)?.trim() ?? ''
  const reason = printedText(`${told('ST:')} ${told('RI:')}`)
  return {
    kind: 'mco',
    endorsement: printedText(withoutLikelyCards(told('EB:'))),
    associatedWith: NUMBER.exec(told('TN:'))?.[0] ?? null,
    services: [{ coupon: 1, rfic: null, rfisc: null, text: reason, from: null, to: null }],
  }
}
