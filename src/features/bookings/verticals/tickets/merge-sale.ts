import { complete, type Fields, type Values } from '../../../../catalogue/read-cells.ts'
import type { Stored } from '../../../../imports/importable.ts'
import { type DocumentStatus, followsDocuments, statusWithRefunds } from './document-states.ts'
import { legItems, passengerItems } from './ticket-items.ts'

type Change<T> = { readonly before: T; readonly after: T }
/** What captured files told of a sale so far, and what they tell now. Rows are as an import reads them. */
export type TicketSaleChange = {
  readonly row: Change<Values | null>
  /** By the number of a document. */
  readonly documents: ReadonlyMap<string, Change<DocumentStatus>>
  readonly refunds: ReadonlyMap<string, Change<readonly Values[]>>
  readonly exchanges: Change<readonly Values[]>
  /** Documents that the sale has because they were refunded. They do not bring it to another state. */
  readonly refundsAlone: ReadonlySet<string>
  /** The sale's state before its documents brought it to another, where they did. */
  readonly base: string | null
  /** Records that a new sale of the files would belong to. They fill what is empty. */
  readonly links: Readonly<Record<string, string | null>>
}
export type MergedSale = {
  readonly changes: Values
  /** The sale's state without the voids, refunds and exchanges of its documents. */
  readonly base: string
  /** Whether entries, flights or fields changed beside the state of documents, so that the sale is priced again. */
  readonly isPricedAgain: boolean
  /** The entries that the sale did not have. */
  readonly added: readonly Values[]
  readonly isEmpty: boolean
}

/** A sale that came in with its documents voided already, and then has a good one. */
const UNKNOWN_BASE = 'issued'
/** Fields that have a value of their own where files tell none. */
const DEFAULTED: ReadonlySet<string> = new Set(['currency', 'transaction_date'])
const LISTS: Readonly<Record<string, Fields>> = { passengers: passengerItems, legs: legItems }

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
const listOf = (cell: unknown): readonly Values[] => (cell ?? []) as readonly Values[]

/** What files tell now, where they told something else before and nobody has changed it since. */
function mergedCell(stored: unknown, before: unknown, after: unknown): unknown {
  if (isSame(before, after)) return stored
  return (stored ?? null) === null || isSame(stored, before) ? after : stored
}

/** A field that has a value of its own is nobody's change as long as files told none. */
function mergedField(name: string, stored: unknown, { before, after }: Change<unknown>): unknown {
  if (!DEFAULTED.has(name)) return mergedCell(stored, before, after)
  return (after ?? null) === null ? stored : mergedCell((before ?? null) === null ? null : stored, before, after)
}

const documentKey = ({ ticket_number }: Values): string => String(ticket_number)
/** A leg is the same flight on the same day, whoever is on it. */
const legKey = ({ airline_code, flight_number, departure_airport, scheduled_departure }: Values): string =>
  [airline_code, flight_number, departure_airport, scheduled_departure].join(' ')
const KEYS: Readonly<Record<string, (item: Values) => string>> = { passengers: documentKey, legs: legKey }

/** Items by their keys; the second of a key is another one. */
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

/** The items that files tell of, in their order, with what somebody changed in them; and those that somebody added. */
function mergedList(name: string, fields: Fields, stored: unknown, { before, after }: Change<unknown>): Values[] {
  const [own, former, current] = [stored, before, after].map((cell) => keyed(listOf(cell), name, fields)) as [
    Map<string, Values>,
    Map<string, Values>,
    Map<string, Values>,
  ]
  const told = [...current].flatMap(([key, item]): Values[] => {
    const kept = own.get(key)
    if (!kept) return former.has(key) ? [] : [item]
    const cells = Object.keys(fields).map((cell) => [cell, mergedCell(kept[cell], former.get(key)?.[cell], item[cell])])
    return [Object.fromEntries(cells)]
  })
  return [...told, ...[...own].flatMap(([key, item]) => (current.has(key) || former.has(key) ? [] : [item]))]
}

/** The items of documents as files tell them now, in the order of the passengers. */
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

/** Brings a stored sale to what captured files tell now, but for what somebody changed in it. */
export function mergeSale(stored: Stored, change: TicketSaleChange): MergedSale {
  const { documents, refundsAlone, links } = change
  const row = { before: change.row.before ?? {}, after: change.row.after ?? {} }
  const told: Values = {}
  for (const name of new Set([...Object.keys(row.before), ...Object.keys(row.after)])) {
    const [before, after] = [row.before[name], row.after[name]]
    const items = LISTS[name]
    if (items)
      told[name] = isSame(before, after) ? stored[name] : mergedList(name, items, stored[name], { before, after })
    else if (change.row.after) told[name] = mergedField(name, stored[name], { before, after })
  }
  for (const [column, id] of Object.entries(links)) if (change.row.after) told[column] = stored[column] ?? id
  const passengers = listOf(told.passengers ?? stored.passengers).map((passenger) => {
    const status = documents.get(documentKey(passenger))
    return status && status.before !== status.after ? { ...passenger, document_status: status.after } : passenger
  })
  const base = followsDocuments(stored.status) ? (change.base ?? UNKNOWN_BASE) : stored.status
  const known = new Set(listOf(stored.passengers).map(documentKey))
  const isPricedAgain = Object.entries(told).some(
    ([name, cell]) => comparable(name, cell) !== comparable(name, stored[name]),
  )
  const isMoved = isPricedAgain || [...documents.values()].some(({ before, after }) => before !== after)
  const wanted: Values = {
    ...told,
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

/** A list that is not there is an empty one. */
const emptyAs = (stored: unknown, cell: unknown): unknown => (Array.isArray(cell) ? (stored ?? []) : stored)

/** The status of a document is no reason for another price. */
function comparable(name: string, cell: unknown): string {
  const items = LISTS[name]
  if (!items) return JSON.stringify(cell ?? null)
  return JSON.stringify(listOf(cell).map((item) => ({ ...complete(items, item), document_status: null })))
}
