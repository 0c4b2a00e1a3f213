import type { Issue } from '../../catalogue/kind.ts'
import type { Fields, Values } from '../../catalogue/read-cells.ts'
import type { Amendment, RowContext, Stored } from '../../imports/importable.ts'
import { invoicing, notInvoiced } from './invoicing.ts'
import { stateMeaning } from './reads/booking-states.ts'
import { areSameLines, haveSamePrices, LINE_FIELDS } from './same-price.ts'
import { CANCELLED, type Moves, moveRefused } from './status.ts'
import { type TravelOf, travelColumns } from './travel.ts'
import type { VerticalRules } from './vertical.ts'

/** How the sell price follows from the costs, or the costs from it, besides the hidden value of the margin. */
export const DERIVING = ['currency', 'rate_basis', 'margin_mode'] as const
/** Fields whose change affects the price, besides lines and rooms. */
const PRICE_FIELDS: ReadonlySet<string> = new Set([...DERIVING, 'margin_value'])
/** Attributes that return to their default when a row empties them, so that emptying changes nothing. */
const NEVER_EMPTY = new Set(['currency', 'transaction_date'])

type AmendRules = {
  readonly moves: Moves
  /** The status of a record whose row names none. */
  readonly opening: (record: Values) => string
  /** Columns that the price was derived from; changing them keeps it, with a warning. */
  readonly priceFrom: readonly string[]
  /** Amounts of the price besides the lines. */
  readonly priceFields: readonly string[]
  /** Money cells of their items are also amounts of the price. */
  readonly fields: Fields
  readonly own: VerticalRules
  readonly travel: TravelOf | undefined
  readonly context: RowContext
  /** A person moves an invoiced booking through the states of its service, which an import does not. */
  readonly byHand?: true
}

/**
 * What a row may change in a stored booking: everything except the price; in an invoiced or cancelled one only the
 * notes; an invoiced one may also be cancelled. A row that changes more is refused as a whole.
 */
export function amendBooking(rules: AmendRules, stored: Stored, requested: Values): Amendment {
  const amendment = decide(rules, stored, differences(rules, stored, requested))
  const { changes, errors = [], warnings = [] } = amendment
  if (errors.length > 0 || Object.keys(changes).length === 0) return amendment
  const record = { ...stored, ...changes }
  const { columns, ...own } = rules.own.inspect?.(record, stored) ?? {}
  const travel = changedTravel(rules, stored, record)
  return { ...own, changes: { ...changes, ...travel, ...columns }, warnings: [...warnings, ...(own.warnings ?? [])] }
}

/** Dates and place of travel, if they changed. */
function changedTravel({ travel, context }: AmendRules, stored: Stored, record: Values): Values {
  const columns = travel ? Object.entries(travelColumns(travel(record, context.timeZone))) : []
  return Object.fromEntries(columns.filter(([name, value]) => value !== (stored[name] ?? null)))
}

/** The requested changes that differ from the stored values. */
function differences({ opening }: AmendRules, stored: Stored, requested: Values): Values {
  const changes = requested.status === null ? reopened(requested, stored, opening) : requested
  const isSame = (name: string, value: unknown) =>
    (value === null && NEVER_EMPTY.has(name)) || (LINE_FIELDS.has(name) && areSameLines(stored, name, value))
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => !isSame(name, value)))
}

/** A status that a row empties is the one in which the booking would open. */
function reopened(requested: Values, stored: Stored, opening: AmendRules['opening']): Values {
  const { status: _, ...others } = requested
  const status = opening({ ...stored, ...others })
  return status === stored.status ? others : { ...others, status }
}

function decide(rules: AmendRules, stored: Stored, changes: Values): Amendment {
  const names = Object.keys(changes)
  const locked = lockOf(stored)
  const beyondNotes = names.filter((name) => name !== 'notes')
  const moves = beyondNotes.length === 1 && changes.status !== undefined
  const isOpen = moves && (changes.status === CANCELLED || (rules.byHand && staysSold(String(changes.status))))
  if (locked && !(locked === 'invoiced' && isOpen)) {
    const errors = beyondNotes.map((name) => refused(cellOf(rules, name), locked))
    return { changes, ...(errors.length > 0 && { errors, reason: locked }) }
  }
  const errors = [
    ...names.filter((name) => isPrice(rules, stored, name, changes[name])).map(pricingRefused),
    ...(changes.status === undefined ? [] : moveRefused(rules.moves, stored.status, String(changes.status), 'status')),
  ]
  if (names.length === 0 || errors.length > 0) return { changes, errors }
  return withConsequences(rules, stored, changes)
}

/** Whether the invoice of a booking stands in this state. */
export const staysSold = (status: string): boolean => stateMeaning(status)?.sale === 'sold'

/** Whether a field of the vertical is an amount of the price, or a list whose items have some. */
export const priceIn =
  (fields: Fields, priceFields: readonly string[]) =>
  (name: string): 'all' | 'part' | 'none' => {
    if (PRICE_FIELDS.has(name) || LINE_FIELDS.has(name) || priceFields.includes(name)) return 'all'
    const { items = {}, reference } = fields[name] ?? {}
    return !reference && Object.values(items).some(({ sees }) => sees !== undefined) ? 'part' : 'none'
  }

export const lockOf = (stored: Stored): 'cancelled' | 'invoiced' | null => {
  if (stored.status === CANCELLED) return 'cancelled'
  return stored.invoiced ? 'invoiced' : null
}

function isPrice({ fields, priceFields }: AmendRules, stored: Stored, name: string, value: unknown): boolean {
  if (PRICE_FIELDS.has(name) || LINE_FIELDS.has(name) || priceFields.includes(name)) return true
  const items = fields[name]?.items
  return items !== undefined && !haveSamePrices(items, stored, name, value)
}

/** The consequences of the changes: the invoice, the cancellation, and a price that no longer fits its dates. */
function withConsequences(rules: AmendRules, stored: Stored, changes: Values): Amendment {
  const record = { ...stored, ...changes }
  const state = invoicing(record)
  const kept = rules.priceFrom.filter((name) => name in changes).map((name) => priceKept(cellOf(rules, name)))
  const cancelled = changes.status === CANCELLED && { cancelled_at: rules.context.now }
  return {
    changes: { ...changes, invoiced: state === 'invoiced', ...cancelled },
    warnings: [...kept, ...notInvoiced(state, record)],
  }
}

/** The cell of a row that fills a column. */
const cellOf = ({ fields }: AmendRules, column: string): string =>
  Object.keys(fields).find((name) => fields[name]?.reference?.column === column) ?? column

const refused = (at: string, state: string): Issue => ({
  at,
  code: 'amendment_refused',
  message:
    state === 'invoiced'
      ? 'The booking is invoiced, so only its notes can be changed. To cancel it, send only the status and, optionally, notes.'
      : `The booking is ${state}, so only its notes can be changed.`,
})
const pricingRefused = (at: string): Issue => ({
  at,
  code: 'pricing_not_amendable',
  message:
    'A repeated import cannot change the price. Cancel the booking and create a new one, or change the price in the application.',
})
const priceKept = (at: string): Issue => ({
  at,
  code: 'price_not_recalculated',
  message: 'The price was not changed. To change it, cancel the booking and create a new one.',
})
