import { withoutLikelyCards } from '../printed.ts'
import { type Air, everyLine } from './lines.ts'

/** Remarks of the reservation, and texts of invoices and itineraries. */
const TAGS = ['RM', 'RC', 'RIR', 'RIF', 'RII', 'RIZ'] as const

/** The remarks of agents, without repetition. */
export function readRemarks(air: Air): string[] {
  const texts = TAGS.flatMap((tag) => everyLine(air, tag)).map(({ fields }) => fields.join(';').trim())
  return [...new Set(texts.filter((text) => text !== '').map(withoutLikelyCards))]
}
