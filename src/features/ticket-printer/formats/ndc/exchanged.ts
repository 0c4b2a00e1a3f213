import type { Exchange } from '../../ticket-file.ts'
import type { ListedDocument } from './documents.ts'

/**
 * The documents given in for a document: those that it names, or, if the passenger has only one ticket, the exchanged
 * ones that the order still lists for the passenger.
 */
export function exchangedFor(document: ListedDocument, listed: readonly ListedDocument[]): Exchange | null {
  const theirs = listed.filter(({ passenger, kind }) => passenger === document.passenger && kind === document.kind)
  const isOnly = document.kind === 'ticket' && theirs.filter(({ spent }) => spent === null).length === 1
  const exchanged = isOnly ? theirs.filter(({ spent }) => spent === 'exchanged').map(({ number }) => number) : []
  const numbers = document.originals.length > 0 ? document.originals : exchanged
  if (numbers.length === 0) return null
  return {
    originals: numbers.map((number) => ({ number, coupons: null })),
    additionalCollection: null,
    fareDifference: null,
    residual: null,
    penalty: null,
  }
}
