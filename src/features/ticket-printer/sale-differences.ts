import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../../catalogue/read-cells.ts'
import type { Stored } from '../../imports/importable.ts'
import type { MergedSale } from '../bookings/verticals/tickets/merge-sale.ts'

/** A changed field of a sale: `passengers[2352400000001].email` for a field of one document. */
export type SaleDifference = { readonly field: string; readonly before: unknown; readonly after: unknown }

const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one ?? null, other ?? null)
const listOf = (cell: unknown): readonly Values[] => (Array.isArray(cell) ? cell : [])

/** Compares passengers by document number, and everything else as it is. */
function* itemsOf(name: string, before: unknown, after: unknown): Generator<SaleDifference> {
  const byNumber = (list: unknown) => new Map(listOf(list).map((item) => [String(item.ticket_number), item]))
  const [old, current] = [byNumber(before), byNumber(after)]
  for (const number of new Set([...old.keys(), ...current.keys()])) {
    const [one, other] = [old.get(number), current.get(number)]
    const field = `${name}[${number}]`
    if (!one || !other) yield { field, before: one ?? null, after: other ?? null }
    else
      for (const cell of Object.keys(other))
        if (!isSame(one[cell], other[cell]))
          yield { field: `${field}.${cell}`, before: one[cell] ?? null, after: other[cell] ?? null }
  }
}

/** The differences between two versions of a sale. */
export const compareSales = (before: Values, after: Values): SaleDifference[] =>
  Object.keys(after).flatMap((name): SaleDifference[] => {
    if (isSame(before[name], after[name])) return []
    if (name === 'passengers') return [...itemsOf(name, before[name], after[name])]
    return [{ field: name, before: before[name] ?? null, after: after[name] ?? null }]
  })

export const differencesOf = (stored: Stored, { changes }: MergedSale): SaleDifference[] =>
  compareSales(stored, changes)
