import { recordSchema } from '../../../imports/records/record-shape.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Reasons } from '../../../platform/http/reasons.ts'
import { unknownNames } from '../../../platform/http/unknown-names.ts'
import { maskedAttributes, withoutMasked } from '../../../records/masked-attributes.ts'
import { refuseUnknownSeat } from '../../accounts/reads/seats.ts'
import type { BookingKind } from '../booking-kind.ts'
import { ID_ATTRIBUTES } from '../id-attributes.ts'
import { SHOWN_OF_LINES } from '../lines.ts'
import { LINE_FIELDS } from '../same-price.ts'

type Given = Readonly<Record<string, unknown>>
export type BookingAttributes = {
  readonly row: Given
  /** Records that are named by their ids: column → id. */
  readonly links: Readonly<Record<string, string | null>>
}

const exists = (table: string) =>
  statement(
    { account: pg.integer, id: pg.uuid },
    { id: pg.uuid },
    `select id from ${table} where account_id = $account and id = $id and deleted_at is null`,
  )
const KNOWN = {
  customer_id: { find: exists('customers'), what: 'customer' },
  supplier_id: { find: exists('suppliers'), what: 'supplier' },
  tour_departure_id: { find: exists('tour_departures'), what: 'tour departure' },
}
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The ids of the records that a booking names. They must be of the account; an id of the booking's own is not asked again. */
async function readLinks(
  tx: AccountTx,
  { entity }: BookingKind,
  given: Given,
  reasons: Reasons,
): Promise<BookingAttributes['links']> {
  const links: Record<string, string | null> = {}
  for (const [key, column] of Object.entries(ID_ATTRIBUTES)) {
    if (!(column in given) || !Object.hasOwn(entity.fields, key)) continue
    const id = given[column] ?? null
    if (key in given) reasons.add([column, `Send either ${column} or ${key}.`])
    else if (id !== null && (typeof id !== 'string' || !UUID.test(id)))
      reasons.add([column, 'This is not an id. Send a UUID, or null for none.'])
    else links[column] = id === null ? null : String(id).toLowerCase()
  }
  const named = Object.entries(links).filter((link): link is [string, string] => link[1] !== null)
  await Promise.all(
    named.map(async ([column, id]) => {
      if (column === 'assigned_to_id') await refuseUnknownSeat(tx, column, id, reasons)
      else {
        const { find, what } = KNOWN[column as keyof typeof KNOWN]
        if (!(await tx.one(find, { id }))) reasons.add([column, `No ${what} with this id exists in this account.`])
      }
      if (reasons.has(column)) delete links[column]
    }),
  )
  return links
}

/** What a booking shows, and a write therefore ignores. */
const shownBy = ({ entity }: BookingKind): readonly string[] =>
  Object.keys((recordSchema(entity) as unknown as { properties: object }).properties)

/** Lines that a client has read have more than a write takes of them. */
const asWritten = (name: string, value: unknown): unknown =>
  LINE_FIELDS.has(name) && Array.isArray(value)
    ? value.map((line: unknown) =>
        typeof line === 'object' && line !== null
          ? Object.fromEntries(Object.entries(line).filter(([cell]) => !SHOWN_OF_LINES.has(cell)))
          : line,
      )
    : value

/**
 * Splits the attributes of a write into the cells of an import row and the ids of named records. Attributes that only
 * the answer has are ignored; others that `takes` does not know are refused.
 */
export async function readBookingAttributes(
  tx: AccountTx,
  kind: BookingKind,
  given: Given,
  { takes, masked, reasons }: { takes: (name: string) => boolean; masked: Actor['policies'] | null; reasons: Reasons },
): Promise<BookingAttributes> {
  const { fields } = kind.entity
  const ids = Object.entries(ID_ATTRIBUTES).flatMap(([key, column]) => (Object.hasOwn(fields, key) ? column : []))
  const isKnown = (name: string) => (Object.hasOwn(fields, name) && takes(name)) || (ids.includes(name) && takes(name))
  const shown = shownBy(kind)
  const strangers = Object.keys(given).filter((name) => !isKnown(name) && !shown.includes(name))
  const known = [...Object.keys(fields), ...ids].filter(takes)
  reasons.add(...unknownNames('attribute', strangers, known))
  const cells = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      Object.hasOwn(fields, name) && takes(name) ? [[name, asWritten(name, value)]] : [],
    ),
  )
  const { open, closed } = withoutMasked(cells, masked ? maskedAttributes(fields, masked, false) : new Set())
  reasons.add(...closed)
  const named = Object.fromEntries(Object.entries(given).filter(([name]) => ids.includes(name) && takes(name)))
  return { row: open, links: await readLinks(tx, kind, { ...named, ...open }, reasons) }
}
