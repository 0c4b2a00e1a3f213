import type { Importable, RulesFor } from '../../imports/importable.ts'
import type { Moves } from './status.ts'

/** A vertical, with what a person may do with its bookings besides an import. */
export type BookingKind = Importable & {
  readonly moves: Moves
  /** Whether a field is an amount of the price, which an update keeps, or a list whose items have some. */
  priceIn(field: string): 'all' | 'part' | 'none'
  /** Rules that move stored bookings by hand, invoiced ones too. */
  readonly moving: RulesFor
  /** Rules that price stored bookings again, by the fields that a row gives. */
  readonly pricing: RulesFor
}
