import type { Field } from '../../../catalogue/kind.ts'
import { loadOne } from '../../../imports/engine/load.ts'
import { maskedOf } from '../../../imports/engine/masked.ts'
import type { Policies } from '../../../platform/access/policies.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { HIDDEN, hiddenForm } from '../../../platform/http/hide-sealed.ts'
import type { BookingKind } from '../booking-kind.ts'
import { isIdentityNumber } from '../person-items.ts'

type Item = Readonly<Record<string, unknown>>
type Row = Readonly<Record<string, unknown>>

const isHidden = (value: unknown): value is string => typeof value === 'string' && value.includes(HIDDEN)
const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null
const itemsOf = (list: unknown): Item[] => (Array.isArray(list) ? list.map((one) => (isItem(one) ? one : {})) : [])

/** The cells of these items that hold identity numbers. */
const numbersIn = ({ items = {} }: Field): string[] =>
  Object.keys(items).filter((name) => isIdentityNumber(items[name] as Field))

/**
 * A client that sends back what it read sends identity numbers in their hidden form. Where that is the hidden form of
 * the stored number of the same person, the stored one takes its place. Others stay hidden, and are refused.
 */
export async function withStoredNumbers(
  tx: AccountTx,
  { entity }: BookingKind,
  booking: string,
  row: Row,
  policies: Policies,
): Promise<Row> {
  const lists = Object.entries(entity.fields).flatMap(([name, field]) => {
    const numbers = name in row ? numbersIn(field) : []
    const hides = itemsOf(row[name]).some((item) => numbers.some((number) => isHidden(item[number])))
    return hides ? [{ name, numbers }] : []
  })
  if (lists.length === 0) return row
  const present = await loadOne(tx, entity, booking, policies)
  if (!present) return row
  const masked = maskedOf(entity, present, policies)
  const seen = lists.filter(({ name }) => !masked?.names.has(name)) // what somebody does not see cannot be guessed either
  const restored = seen.map(({ name, numbers }) => [name, restoredIn(row[name], present[name], numbers)])
  return { ...row, ...Object.fromEntries(restored) }
}

function restoredIn(sent: unknown, kept: unknown, numbers: readonly string[]): unknown {
  const stored = itemsOf(kept)
  const list = sent as readonly unknown[]
  return list.map((item, at) => {
    if (!isItem(item)) return item
    const found = numbers
      .filter((number) => isHidden(item[number]))
      .map((number) => [
        number,
        storedNumber(item, number, stored, list.length === stored.length ? stored[at] : undefined),
      ])
    return { ...item, ...Object.fromEntries(found) }
  })
}

/** What tells that two items are the same: the number of a document, or else the name of the person. */
const TELLING = [['ticket_number'], ['first_name', 'last_name']]

/** The stored number that this item hides; its hidden form where that is not certain. */
function storedNumber(item: Item, number: string, stored: readonly Item[], inPlace: Item | undefined): unknown {
  const form = item[number]
  const alike = stored.filter((one) => typeof one[number] === 'string' && hiddenForm(one[number]) === form)
  const same = TELLING.map((cells) =>
    cells.some((cell) => (item[cell] ?? null) !== null)
      ? alike.filter((one) => cells.every((cell) => (one[cell] ?? null) === (item[cell] ?? null)))
      : [],
  ).find((found) => found.length > 0)
  const certain = new Set((same ?? alike).map((one) => one[number]))
  if (certain.size === 1 && (same || (inPlace && alike.includes(inPlace)))) return [...certain][0]
  return same && inPlace && same.includes(inPlace) ? inPlace[number] : form
}
