import { beforeAll, describe, expect, it } from 'vitest'
import { identityTable } from '../../src/catalogue/columns.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { customerMoves, importables } from '../../src/registry.ts'
import { cloneDatabase } from '../harness/cell.ts'

/** What names a record and does not keep it from being deleted, by the table of the record. */
const GOES_ALONG: Readonly<Record<string, readonly string[]>> = {
  customers: [
    'birthday_greetings.customer_id',
    'customer_notes.customer_id',
    'customers.merged_into_id',
    'referral_codes.customer_id', // the code stays valid without its customer
    'surveys.customer_id', // its mail keeps the customer
    'travelers.customer_id',
    'trip_customers.customer_id', // of a conversion, whose lead keeps the customer
    'trip_travelers.customer_id',
  ],
  bookings: [
    'booking_lines.booking_id',
    'booking_option_warnings.booking_id',
    'operator_invoices.booking_id', // the operator's own numbers: they exist without the booking
    'ticket_captures.ticket_sale_id', // a record of the payment, whatever follows
    'ticket_document_events.booking_id',
    'ticket_numbers.booking_id', // freed
    'trip_bookings.booking_id', // the trip shows what became of it
    'trip_segments.booking_id', // cancelled
    'unfiled_bookings.booking_id',
  ],
  leads: ['lead_moves.lead_id'],
  suppliers: ['survey_ratings.supplier_id'], // its segment keeps the supplier while it exists
}
/** Moved without a foreign key: it names records of several tables. */
const MOVED_WITHOUT_KEY = ['tasks.taskable_id']

describe('what names a record', () => {
  let keys: { table: string; column: string; to: string }[]
  beforeAll(async () => {
    keys = await withClient(
      await cloneDatabase(),
      async (client) =>
        (
          await client.query(`
            select f.conrelid::regclass::text as table, a.attname as column, f.confrelid::regclass::text as to
            from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey)
            where f.contype = 'f' and a.attname not in ('account_id', 'id') order by 1, 2`)
        ).rows,
    )
  })
  const naming = (table: string) => keys.filter(({ to }) => to === table)
  const name = ({ table, column }: { table: string; column: string }) => `${table}.${column}`

  it.each(importables.flatMap(({ entity, revert }) => (revert ? [[entity.key, entity, revert.stays] as const] : [])))(
    'is checked before an import’s %s are reverted, or is deleted with them',
    (_, entity, { text }) => {
      const table = identityTable(entity)
      const isAsked = (key: { table: string; column: string }) =>
        new RegExp(`from ${key.table} (\\w)\\b[^()]*\\1\\.${key.column} = \\w+\\.id`).test(text)
      const unasked = naming(table).filter((key) => !isAsked(key))
      const hint = `Add a condition for each new key to the statement that keeps ${table} (…ThatStay in a store), or the key to GOES_ALONG in test/contract/named-records.test.ts`
      expect(unasked.map(name), hint).toEqual(GOES_ALONG[table] ?? [])
    },
  )
  it('is moved when two customers are made one', () => {
    const moved = customerMoves.map((move) => move.of)
    const hint =
      'Add the key to commands/move-customer.ts of its feature, and the feature to customerMoves in src/registry.ts'
    expect(moved.toSorted(), hint).toEqual([...naming('customers').map(name), ...MOVED_WITHOUT_KEY].toSorted())
  })
})
