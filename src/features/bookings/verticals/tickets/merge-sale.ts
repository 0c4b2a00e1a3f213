import { complete, type Fields, type Values } from '../../../../catalogue/read-cells.ts'
import type { Stored } from '../../../../imports/importable.ts'
import { type DocumentStatus, followsDocuments, statusWithRefunds } from './document-states.ts'
import { legItems, passengerItems } from './ticket-items.ts'

type Change<T> = { readonly before: T; readonly after: T }
/**
 * The content of a sale according to captured files, before and after this file. Rows have the shape of import rows.
 */
export type TicketSaleChange = {
  readonly row: Change<Values | null>
  /** By document number. */
  readonly documents: ReadonlyMap<string, Change<DocumentStatus>>
  readonly refunds: ReadonlyMap<string, Change<readonly Values[]>>
  readonly exchanges: Change<readonly Values[]>
  /** Documents of which only a refund is known. They do not change the sale's state. */
  readonly refundsAlone: ReadonlySet<string>
  /** The sale's state before it was derived from its documents; null if it was not. */
  readonly base: string | null
  /** The records that a new sale from these files would refer to. They fill empty fields only. */
  readonly links: Readonly<Record<string, string | null>>
}
export type MergedSale = {
  readonly changes: Values
  /** The sale's state without the voids, refunds and exchanges of its documents. */
  readonly base: string
  /** Whether something other than document states changed, so that the sale needs pricing again. */
  readonly isPricedAgain: boolean
  /** The new entries of the sale. */
  readonly added: readonly Values[]
  readonly isEmpty: boolean
}

/** The state of a sale whose documents were all void when it was created and which now has a valid one. */
const UNKNOWN_BASE = 'issued'
/** Fields with a default where the files have no value. */
const DEFAULTED: ReadonlySet<string> = new Set(['currency', 'transaction_date'])
const LISTS: Readonly<Record<string, Fields>> = { passengers: passengerItems, legs: legItems }

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
const listOf = (cell: unknown): readonly Values[] => (cell ?? []) as readonly Values[]

/** Takes the new value of the files, unless a user changed the field since the previous one. */
function mergedCell(stored: unknown, before: unknown, after: unknown): unknown {
  if (isSame(before, after)) return stored
  return (stored ?? null) === null || isSame(stored, before) ? after : stored
}

/** A default in a field that no file filled is not a user's change. */
function mergedField(name: string, stored: unknown, { before, after }: Change<unknown>): unknown {
  if (!DEFAULTED.has(name)) return mergedCell(stored, before, after)
  return (after ?? null) === null ? stored : mergedCell((before ?? null) === null ? null : stored, before, after)
}

const documentKey = ({ ticket_number }: Values): string => String(ticket_number)
/** Legs are equal if flight and day are equal, for any passenger. */
const legKey = ({ airline_code, flight_number, departure_airport, scheduled_departure }: Values): string =>
  [airline_code, flight_number, departure_airport, scheduled_departure].join(' ')
const KEYS: Readonly<Record<string, (item: Values) => string>> = { passengers: documentKey, legs: legKey }

/** Items by key; a repeated key gets an ordinal. */
function keyed(list: readonly Values[], name: string, fields: Fields): Map<string, Values> {
  const items = new Map<string, Values>()
  for (const item of list) {
    const key = KEYS[name]?.(item) ?? ''
    let nth = 0
    while (items.has(`${key} ${nth}`)) nth += 1
    items.set(`${key} ${nth}`, complete(fields, item))
  }
  return items
}

/** The items from files, in their order and with the changes of users, followed by the items that users added. */
function mergedList(name: string, fields: Fields, stored: unknown, { before, after }: Change<unknown>): Values[] {
  const [own, former, current] = [stored, before, after].map((cell) => keyed(listOf(cell), name, fields)) as [
    Map<string, Values>,
    Map<string, Values>,
    Map<string, Values>,
  ]
  const items = [...current].flatMap(([key, item]): Values[] => {
    const kept = own.get(key)
    if (!kept) return former.has(key) ? [] : [item]
    const cells = Object.keys(fields).map((cell) => [cell, mergedCell(kept[cell], former.get(key)?.[cell], item[cell])])
    return [Object.fromEntries(cells)]
  })
  return [...items, ...[...own].flatMap(([key, item]) => (current.has(key) || former.has(key) ? [] : [item]))]
}

/** The current items of documents, in the order of the passengers. */
function replaced(
  list: readonly Values[],
  { before, after }: Change<readonly Values[]>,
  passengers: readonly Values[],
): readonly Values[] {
  if (isSame(before, after)) return list
  const numbers = new Set([...before, ...after].map(documentKey))
  const order = passengers.map(documentKey)
  const place = (item: Values) => (order.indexOf(documentKey(item)) + order.length + 1) % (order.length + 1)
  return [...list.filter((item) => !numbers.has(documentKey(item))), ...after].sort((a, b) => place(a) - place(b))
}

/** Updates a stored sale to the current content of its files and keeps what users changed. */
export function mergeSale(stored: Stored, change: TicketSaleChange): MergedSale {
  const { documents, refundsAlone, links } = change
  const row = { before: change.row.before ?? {}, after: change.row.after ?? {} }
  const merged: Values = {}
  for (const name of new Set([...Object.keys(row.before), ...Object.keys(row.after)])) {
    const [before, after] = [row.before[name], row.after[name]]
    const items = LISTS[name]
    if (items)
      merged[name] = isSame(before, after) ? stored[name] : mergedList(name, items, stored[name], { before, after })
    else if (change.row.after) merged[name] = mergedField(name, stored[name], { before, after })
  }
  for (const [column, id] of Object.entries(links)) if (change.row.after) merged[column] = stored[column] ?? id
  const passengers = listOf(merged.passengers ?? stored.passengers).map((passenger) => {
    const status = documents.get(documentKey(passenger))
    return status && status.before !== status.after ? { ...passenger, document_status: status.after } : passenger
  })
  const base = followsDocuments(stored.status) ? (change.base ?? UNKNOWN_BASE) : stored.status
  const known = new Set(listOf(stored.passengers).map(documentKey))
  const isPricedAgain = Object.entries(merged).some(
    ([name, cell]) => comparable(name, cell) !== comparable(name, stored[name]),
  )
  const isMoved = isPricedAgain || [...documents.values()].some(({ before, after }) => before !== after)
  const wanted: Values = {
    ...merged,
    passengers,
    ...(isMoved && { status: statusWithRefunds(passengers, refundsAlone, base) }),
    refunds: [...change.refunds.values()].reduce(
      (list, each) => replaced(list, each, passengers),
      listOf(stored.refunds),
    ),
    exchanges: replaced(listOf(stored.exchanges), change.exchanges, passengers),
  }
  return {
    changes: Object.fromEntries(
      Object.entries(wanted).filter(([name, cell]) => !isSame(cell, emptyAs(stored[name], cell))),
    ),
    base,
    isPricedAgain,
    added: passengers.filter((passenger) => !known.has(documentKey(passenger))),
    isEmpty: passengers.length === 0,
  }
}

/** A missing list equals an empty one. */
const emptyAs = (stored: unknown, cell: unknown): unknown => (Array.isArray(cell) ? (stored ?? []) : stored)

/** A changed document status does not require pricing. */
function comparable(name: string, cell: unknown): string {
  const items = LISTS[name]
  if (!items) return JSON.stringify(cell ?? null)
  return JSON.stringify(listOf(cell).map((item) => ({ ...complete(items, item), document_status: null })))
}
