import type { Issue } from '../../../../catalogue/kind.ts'
import type { Values } from '../../../../catalogue/read-cells.ts'
import { heldNames } from '../../../../imports/engine/held-names.ts'
import type { RowAhead, Stored, WrittenRecord } from '../../../../imports/importable.ts'
import type { Policies } from '../../../../platform/access/policies.ts'
import type { AccountTx } from '../../../../platform/db/account-tx.ts'
import * as pg from '../../../../platform/db/pg-types.ts'
import { statement } from '../../../../platform/db/statement.ts'
import { namesRestrictedSql } from '../../../customers/reads/restricted.ts'
import { CANCELLED } from '../../status.ts'

const held = statement(
  { account: pg.integer, numbers: pg.list(pg.text) },
  { number: pg.text, booking_id: pg.uuid },
  'select number, booking_id from ticket_numbers where account_id = $account and number = any($numbers::text[])',
)
const heldOpenly = statement(
  { account: pg.integer, numbers: pg.list(pg.text) },
  { number: pg.text, booking_id: pg.uuid },
  `
  select n.number, n.booking_id from ticket_numbers n join bookings b on b.account_id = n.account_id and b.id = n.booking_id
  where n.account_id = $account and n.number = any($numbers::text[]) and not ${namesRestrictedSql('b', 'b.customer_id')}`,
)
const free = statement(
  { account: pg.integer, bookings: pg.list(pg.uuid) },
  {},
  'delete from ticket_numbers where account_id = $account and booking_id = any($bookings::uuid[])',
)
const keep = statement(
  { account: pg.integer, documents: pg.jsonText },
  {},
  `
  insert into ticket_numbers (account_id, number, booking_id, passenger, conjunction)
  select $account::integer, number, booking_id, passenger, conjunction
  from json_to_recordset($documents::json) as d(number text, booking_id uuid, passenger smallint, conjunction boolean) order by number`,
)

export const freeSome = statement(
  { account: pg.integer, numbers: pg.list(pg.text), bookings: pg.list(pg.uuid) },
  {},
  `
  delete from ticket_numbers
  where account_id = $account and number = any($numbers::text[]) and booking_id = any($bookings::uuid[])`,
)

type Document = { number: string; passenger: number; conjunction: boolean; at: string }
function documentsOf({ passengers }: Values): Document[] {
  return ((passengers ?? []) as Values[]).flatMap((passenger, at) => [
    ...(typeof passenger.ticket_number === 'string'
      ? [{ number: passenger.ticket_number, passenger: at, conjunction: false, at: `passengers[${at}].ticket_number` }]
      : []),
    ...((passenger.conjunction_ticket_numbers ?? []) as string[]).map((number, nth) => ({
      number,
      passenger: at,
      conjunction: true,
      at: `passengers[${at}].conjunction_ticket_numbers[${nth}]`,
    })),
  ])
}

type Holders = ReturnType<typeof heldNames>
/**
 * The sales that hold the given numbers, limited to sales whose numbers the writer may see. Refusing a number because
 * of a hidden sale would reveal that sale.
 */
export async function findHolders(tx: AccountTx, rows: readonly RowAhead[], writer: Policies): Promise<Holders> {
  const numbers = writer.has('view_personal_data') ? rows.flatMap(({ given }) => documentsOf(given).map(numberOf)) : []
  const visible = writer.has('view_restricted_customers') ? held : heldOpenly
  const found = numbers.length === 0 ? [] : await tx.all(visible, { numbers })
  return heldNames(found.map(({ number, booking_id }) => [number, booking_id]))
}

/**
 * Assigns the document numbers to an accepted sale and releases the numbers that it no longer has; a cancelled sale has
 * none. A number that another sale holds, or that the sale names twice, is an error.
 */
export function takeNumbers(take: Holders, record: Values, stored: Stored | null): { errors: Issue[]; accept(): void } {
  const documents = record.status === CANCELLED ? [] : documentsOf(record)
  const before = stored ? documentsOf(stored).map(numberOf) : []
  const { taken, accept } = take(documents.map(numberOf), before, stored?.id ?? null)
  return { errors: taken.map((nth) => duplicate((documents[nth] as Document).at)), accept }
}

const numberOf = ({ number }: Document): string => number
const duplicate = (at: string): Issue => ({
  at,
  code: 'duplicate_ticket_number',
  message: 'Another document of the account already has this number.',
})

/** Releases the numbers of deleted sales. */
export async function freeNumbers(tx: AccountTx, bookings: readonly string[]): Promise<void> {
  tx.later(free, { bookings: [...bookings] })
}

/** Stores the numbers of the written sales; a cancelled sale has none. */
export async function keepNumbers(tx: AccountTx, written: readonly WrittenRecord[]): Promise<void> {
  const moved = written.filter(({ before, changes }) => !before || 'passengers' in changes || 'status' in changes)
  const amended = moved.filter(({ before }) => before)
  if (amended.length > 0) tx.later(free, { bookings: amended.map(({ id }) => id) })
  const documents = moved
    .filter(({ values }) => values.status !== CANCELLED)
    .flatMap(({ id, values }) =>
      documentsOf(values).map(({ number, passenger, conjunction }) => ({
        number,
        booking_id: id,
        passenger,
        conjunction,
      })),
    )
  if (documents.length > 0) tx.later(keep, { documents: JSON.stringify(documents) })
}
