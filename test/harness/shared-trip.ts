import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { hashShareToken, makeShareToken } from '../../src/features/trip-pages/share-token.ts'
import { withClient } from '../../src/platform/db/client.ts'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { ask } from './sql.ts'

type Row = Readonly<Record<string, unknown>>
/** The columns of a trip that a test sets; the others do not matter. */
export type Written = {
  readonly trip?: Row
  readonly days?: readonly (Row & { readonly segments?: readonly Row[] })[]
  readonly travelers?: readonly Row[]
  readonly link?: Row
}
export type Shared = { readonly trip: string; readonly link: string; readonly token: string }

const TRIP = { title: 'Rome', status: 'confirmed', settings: { language: 'en' } }
const SEGMENT = { segment_type: 'activity', status: 'confirmed' }
const LINK = { audience: 'traveler', show_prices: false, show_travelers: true }
let trips = 0

/** Writes a trip with a share link straight into the database. */
export async function shareTrip(cell: TestCell, agency: Agency, written: Written): Promise<Shared> {
  const { number: account_id, company } = agency
  const trip_id = randomUUID()
  const days = (written.days ?? []).map(({ segments = [], ...day }, at) => {
    const row = { account_id, trip_id, id: randomUUID(), day_number: at + 1, position: at + 1, ...day }
    return {
      row,
      segments: segments.map((segment, nth) => ({
        account_id,
        trip_id,
        trip_day_id: row.id,
        position: nth + 1,
        ...SEGMENT,
        ...segment,
      })),
    }
  })
  const travelers = (written.travelers ?? []).map((traveler, at) => ({
    account_id,
    trip_id,
    position: at + 1,
    ...traveler,
  }))
  await withClient(cell.connection, async (client) => {
    await client.query('set role backdesk_system')
    const reference_number = `TEST-${++trips}`
    await insert(client, 'trips', [
      { account_id, id: trip_id, company_id: company.id, reference_number, ...TRIP, ...written.trip },
    ])
    for (const { row } of days) await insert(client, 'trip_days', [row])
    await insert(
      client,
      'trip_segments',
      days.flatMap(({ segments }) => segments),
    )
    await insert(client, 'trip_travelers', travelers)
  })
  return { trip: trip_id, ...(await mintLink(cell, agency, trip_id, written.link)) }
}

/** A share link of a trip, straight into the database. */
export async function mintLink(cell: TestCell, { number: account_id }: Agency, trip_id: string, link: Row = {}) {
  const [id, token] = [randomUUID(), makeShareToken()]
  const row = {
    account_id,
    id,
    trip_id,
    token_hash: `\\x${hashShareToken(token).toString('hex')}`,
    token_hint: token.slice(-4),
    ...LINK,
    ...link,
  }
  await withClient(cell.connection, async (client) => {
    await client.query('set role backdesk_system')
    await insert(client, 'share_links', [row])
  })
  return { link: id, token }
}

/** Rows of a table; those that name the same columns go in one statement. */
async function insert(client: Client, table: string, rows: readonly Row[]): Promise<void> {
  for (const [columns, same] of Map.groupBy(rows, (row) => Object.keys(row).join(', '))) {
    const sql = `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`
    await client.query(sql, [JSON.stringify(same)])
  }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Below `/s/`, as a browser asks for it. */
export const openPage = (
  { app }: TestCell,
  path: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
) => app.inject({ method, url: `/s/${path}`, headers })
/** Submits the password form as a browser does. */
export const sendForm = (
  { app }: TestCell,
  token: string,
  fields: Record<string, string> | string | Buffer,
  { remoteAddress = '203.0.113.5', headers = {} }: { remoteAddress?: string; headers?: Record<string, string> } = {},
) =>
  app.inject({
    method: 'POST',
    remoteAddress,
    url: `/s/${token}`,
    headers: { ...FORM, ...headers },
    payload: typeof fields === 'string' || Buffer.isBuffer(fields) ? fields : new URLSearchParams(fields).toString(),
  })
/** What became of a link. */
export const readLink = async (cell: TestCell, id: string) =>
  (
    await ask<{ view_count: number; last_viewed_at: Date | null }>(
      cell,
      'select view_count, last_viewed_at from share_links where id = $1',
      [id],
    )
  )[0]
/** The passwords that were tried at a link, by the count of each visitor; the first is that of all. */
export const attemptsAt = async (cell: TestCell, link: string) =>
  (
    await ask<{ failed: number }>(
      cell,
      'select failed from share_link_attempts where share_link_id = $1 order by visitor',
      [link],
    )
  ).map(({ failed }) => failed)
export const changeAttempts = (cell: TestCell, link: string, set: string) =>
  ask(cell, `update share_link_attempts set ${set} where share_link_id = $1`, [link])
export const changeLink = (cell: TestCell, id: string, set: string) =>
  ask(cell, `update share_links set ${set} where id = $1`, [id])
