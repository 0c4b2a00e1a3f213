import type { SingleClient } from '../../../../platform/db/client.ts'
import type { Seal } from '../../../../platform/seal.ts'

/** Seals of a cell, by what they are for. */
export type CellSeals = Readonly<
  Record<'seal' | 'signingKeys' | 'printerFiles' | 'providerSecrets' | 'seatSecrets' | 'mailTexts' | 'keyWraps', Seal>
>
type Sealed = { readonly columns: readonly string[]; readonly by: keyof CellSeals }

/** What only the cell that sealed it can read. A new column of bytes is named here, or in the test that asks for it. */
export const SEALED_COLUMNS: Readonly<Record<string, Sealed>> = {
  account_keys: { columns: ['wrapped'], by: 'keyWraps' },
  idempotency_keys: { columns: ['body'], by: 'seal' },
  sign_in_providers: { columns: ['client_secret'], by: 'providerSecrets' },
  message_sends: { columns: ['sealed_text'], by: 'mailTexts' },
  seat_totp: { columns: ['secret'], by: 'seatSecrets' },
  ticket_captures: { columns: ['content'], by: 'printerFiles' },
  webhooks: { columns: ['signing_key', 'former_key'], by: 'signingKeys' },
}

/** Rows that are read, opened and sealed at once; one may be megabytes. */
const TOGETHER = 20

type Row = { at: string } & Record<string, Buffer | null>

/**
 * Seals the columns of a temporary table again. Values that cannot be opened, because the cell's secret has changed,
 * stay unchanged: they are unreadable there as well.
 */
export async function sealAnew(
  client: SingleClient,
  table: string,
  columns: readonly string[],
  from: Seal,
  to: Seal,
): Promise<void> {
  const again = (sealed: Buffer | null | undefined): Buffer | null => {
    if (!sealed) return null
    try {
      return to.seal(from.openBytes(sealed))
    } catch {
      return sealed
    }
  }
  const { rows: places } = await client.query<{ at: string }>(`select ctid::text as at from ${table}`)
  for (let first = 0; first < places.length; first += TOGETHER) {
    const some = places.slice(first, first + TOGETHER).map(({ at }) => at)
    const { rows } = await client.query<Row>(
      `select ctid::text as at, ${columns.join(', ')} from ${table} where ctid = any($1::tid[])`,
      [some],
    )
    const values = columns.map((column) => rows.map((row) => again(row[column])))
    await client.query(
      `update ${table} t set ${columns.map((column, nth) => `${column} = v.c${nth}`).join(', ')}
       from unnest($1::tid[], ${columns.map((_, nth) => `$${nth + 2}::bytea[]`).join(', ')}) as v(at, ${columns.map((_, nth) => `c${nth}`).join(', ')})
       where t.ctid = v.at`,
      [rows.map(({ at }) => at), ...values],
    )
  }
}
