import type { FormOfPayment } from '../ticket-file.ts'
import { withoutCards } from './printed.ts'

/** Combines forms of payment, without repetition; several kinds are `mixed`. */
export function paidIn(ways: readonly FormOfPayment[]): FormOfPayment | null {
  const [first] = ways
  if (!first) return null
  const texts = new Set(ways.map(({ text }) => withoutCards(text)))
  const isOneKind = ways.every(({ kind }) => kind === first.kind)
  return { kind: isOneKind ? first.kind : 'mixed', text: [...texts].join(' + ') }
}
