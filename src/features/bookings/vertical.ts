import type { Entity } from '../../catalogue/entity.ts'
import type { Issue } from '../../catalogue/kind.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import type { Completed, RowAhead, RowContext, Stored, WrittenRecord } from '../../imports/importable.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { bookingFields } from './booking-fields.ts'
import type { OwnLine } from './pricing.ts'
import type { BookingState } from './reads/booking-states.ts'
import type { Moves } from './status.ts'
import type { TravelOf } from './travel.ts'

/** What the vertical adds to a record as it would be: errors, warnings, and the columns that its own fields lead to. */
export type Inspection = Omit<Completed, 'children'>
export type VerticalRules = {
  /** Lines that follow from the vertical's own fields. */
  lines?(record: Values): { readonly sell: readonly OwnLine[]; readonly cost: readonly OwnLine[] }
  /** A record that is made, or amended: then `stored` is what it was. */
  inspect?(record: Values, stored: Stored | null): Inspection
}

/** The declaration of a vertical. */
export type Vertical = Pick<Entity, 'key' | 'label' | 'model' | 'dependencyOrder' | 'sample' | 'fields'> &
  Partial<Pick<Entity, 'derived' | 'readOnly'>> & {
    /** A new status needs a line in `reads/booking-states.ts`. */
    readonly statuses: readonly [BookingState, ...BookingState[]]
    readonly moves: Moves<BookingState>
    /** The shared fields that the vertical does not accept. */
    readonly without?: readonly (keyof typeof bookingFields)[]
    /** The initial status of a record whose row names none; `draft` by default. */
    readonly opening?: (record: Values) => string
    /** The field with the travellers, if not the default one. */
    readonly travelersIn?: string
    /** Fields that the price derives from, besides the lines. */
    readonly priceFrom?: readonly string[]
    /** Fields of the vertical that are amounts of its price. */
    readonly priceFields?: readonly string[]
    /** Dates and place of the travel. A vertical that must look them up lists the columns of its rules. */
    readonly travel?: TravelOf
    check?(record: Values): readonly Issue[]
    /** The vertical's own rules over the rows of a wave, with what it had to look up for them. */
    rules?(tx: AccountTx, rows: readonly RowAhead[], context: RowContext): VerticalRules | Promise<VerticalRules>
    afterWrite?(tx: AccountTx, written: readonly WrittenRecord[]): Promise<void>
    /** Gives back what deleted bookings held. */
    readonly release?: (tx: AccountTx, deleted: readonly string[]) => Promise<void>
  }
