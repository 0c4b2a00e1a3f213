import type { Issue } from '../../catalogue/kind.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import type { Amendment, RowAhead, Stored } from '../../imports/importable.ts'
import { lockOf } from './amend-booking.ts'
import { type MakeRules, makeBooking } from './make-booking.ts'
import { areSameLines, LINE_FIELDS } from './same-price.ts'

/** A stored booking as a row would give it, with what of its price changes. Lines that followed from others are left out. */
function recordOf(stored: Stored, changes: Values): Values {
  const given = Object.fromEntries(
    [...LINE_FIELDS].map((name) => {
      const lines = (stored[name] ?? []) as (Values & { origin: string })[]
      return [name, lines.filter(({ origin }) => origin === 'given').map(({ origin: _, ...line }) => line)]
    }),
  )
  const changed = Object.entries(changes).filter(
    ([name, value]) => !(LINE_FIELDS.has(name) && areSameLines(stored, name, value)),
  )
  return { ...stored, ...given, ...Object.fromEntries(changed) }
}

/** A row that prices a stored booking, for the look-ups of a new one. */
export const asPriced = ({ given, links, stored }: RowAhead): RowAhead => ({
  given: stored === null ? given : recordOf(stored, given),
  links,
  stored: null,
})

/**
 * Prices a stored booking by its fields, with those that change. `drop` deletes the lines that it had.
 */
export function priceAgain(rules: MakeRules, stored: Stored, changes: Values, drop: () => void): Amendment {
  const lock = lockOf(stored)
  if (lock !== null) return { changes: {}, errors: [fixed(lock)], reason: lock }
  const made = makeBooking(rules, recordOf(stored, changes), stored.id, stored)
  const { sell_lines: _, cost_lines: __, ...fields } = changes
  return {
    ...made,
    changes: { ...fields, ...made.columns },
    accept() {
      made.accept?.()
      drop()
    },
  }
}

const fixed = (lock: 'invoiced' | 'cancelled'): Issue => ({
  at: 'price',
  code: 'amendment_refused',
  message:
    lock === 'invoiced'
      ? 'The booking is invoiced, so its price is fixed. Cancel it, which credits its invoice, and create it again with the new price.'
      : 'The booking is cancelled, so its price is fixed.',
})
