import type { FileWarning, Passenger } from '../../ticket-file.ts'
import { BLANK_PASSENGER } from '../blank.ts'
import type { ListedDocument } from './documents.ts'
import type { Travellers } from './travellers.ts'

/** The documents of an order with their passengers. */
export type Owned = {
  readonly documents: readonly ListedDocument[]
  /** Those of the order, followed by unnamed ones for documents whose passenger it does not list. */
  readonly passengers: readonly Passenger[]
  readonly ids: readonly string[]
  readonly warnings: readonly FileWarning[]
}

/**
 * A document can refer to a passenger that the order does not list. If the order lists the same number of passengers
 * without a document, they match in order; otherwise the passenger has no name.
 */
export function ownedDocuments(listed: readonly ListedDocument[], { passengers, ids }: Travellers): Owned {
  const only = ids.length === 1 ? (ids[0] ?? null) : null
  const named = listed.map((document) => ({ ...document, passenger: document.passenger ?? only ?? '' }))
  const good = named.filter(({ spent }) => spent === null)
  const unknown = [...new Set(good.map(({ passenger }) => passenger))].filter((id) => !ids.includes(id))
  const free = ids.filter((id) => good.every(({ passenger }) => passenger !== id))
  const matches = unknown.length === free.length && unknown.every((id) => id !== '')
  const places = new Map(matches ? unknown.map((id, at) => [id, free[at] ?? ''] as const) : [])
  const strangers = matches ? [] : unknown
  const documents = named.map((document) => ({
    ...document,
    passenger: places.get(document.passenger) ?? document.passenger,
  }))
  return {
    documents,
    passengers: [...passengers, ...strangers.map(() => ({ ...BLANK_PASSENGER, lastName: '', firstName: '' }))],
    ids: [...ids, ...strangers],
    warnings: [
      ...[...places].map(([id, place]) => ({
        code: 'passenger_by_order',
        message: `The order does not list passenger ${id} of its documents. They were matched to ${place} by their order. Check the names.`,
      })),
      ...documents
        .filter(({ passenger, spent }) => spent === null && strangers.includes(passenger))
        .map(({ number }) => ({
          code: 'unknown_passenger',
          message: `The order does not name the passenger of document ${number}. Enter the name.`,
        })),
    ],
  }
}
