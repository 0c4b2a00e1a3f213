import { importables } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { exampleOf } from './examples.ts'
import { fillAlike } from './look-alikes.ts'
import { routes } from './routes.ts'
import { PDF } from './sample-files.ts'
import { ask } from './sql.ts'
import { uploaded } from './upload.ts'
import { creates, least } from './writes.ts'

const UPLOADS = 12
/** Lists whose first page, with one item, has a cursor. */
const LISTS = routes.filter(({ method, path, takes }) => {
  const { properties = {} } = (takes.query ?? {}) as { properties?: object }
  return method === 'GET' && 'cursor' in properties && !path.includes(':')
})

/** An agency that holds something of every kind. */
export type FullAgency = {
  readonly agency: Agency
  /** Ids of every table that is its account's, the oldest first; as `uploads`, signed ids that no record has taken. */
  readonly ids: Readonly<Record<string, readonly string[]>>
  /** Of its own lists. */
  readonly cursors: readonly string[]
  /** What no answer to another account may hold: ids, and the mark that its texts carry. */
  readonly secrets: ReadonlySet<string>
  readonly mark: string
}

/**
 * Makes an agency of which every route has something to answer. Its records look like those of any other that is made
 * so, but for some whose texts carry `mark`.
 */
export async function makeFullAgency(cell: TestCell, mark: string): Promise<FullAgency> {
  const agency = await makeAgency(cell)
  const { key } = agency
  const send = (entity: string, rows: readonly object[]) => importRows(cell, key, entity, [...rows])
  await send('customers', [
    { external_id: 'C', name: 'Ayşe', email: 'Ayse@Example.com' },
    { external_id: 'M', name: mark, notes: mark },
  ])
  await send('suppliers', [
    { external_id: 'S', name: 'Hotel' },
    { external_id: 'S2', name: mark },
  ])
  await fillAlike(cell, agency)
  for (const { entity } of importables) await send(entity.key, entity.sample.rows)
  for (const route of routes.filter(({ method }) => method !== 'PUT')) await exampleOf(route, cell, agency)
  await makeMarked(cell, agency, mark)
  const [webhook] = await idsOf(cell, agency, 'webhooks where deleted_at is null and')
  await cell.call('POST', `/webhooks/${webhook}/test`, { key, body: {} })
  return readFull(cell, agency, mark)
}

/** A record of each kind, made by the API, whose texts carry the mark. */
async function makeMarked(cell: TestCell, { key }: Agency, mark: string): Promise<void> {
  for (const { path, as, fields } of creates) {
    const marked = Object.entries(least(fields)).map(([name, value]) => [name, value === 'X' ? mark : value])
    await cell.call('POST', path, { key, body: { [as]: Object.fromEntries(marked) } })
  }
}

async function readFull(cell: TestCell, agency: Agency, mark: string): Promise<FullAgency> {
  const tables = await ask<{ name: string }>(
    cell,
    `select a.table_name as name from information_schema.columns a join information_schema.columns i using (table_schema, table_name)
     where table_schema = 'public' and a.column_name = 'account_id' and i.column_name = 'id' and i.data_type = 'uuid' order by 1`,
  )
  const ids: Record<string, readonly string[]> = {}
  for (const { name } of tables)
    ids[name] = await idsOf(
      cell,
      agency,
      name === 'webhooks' ? 'webhooks where deleted_at is null and' : `${name} where`,
    )
  const secrets = new Set(Object.values(ids).flat())
  const uploads = []
  for (let made = 0; made < UPLOADS; made += 1)
    uploads.push((await uploaded(cell, agency.key, 'ticket.pdf', PDF)).signed_id)
  ids.uploads = uploads
  const cursors = []
  for (const { path } of LISTS) {
    const { body } = await cell.call('GET', `${path}?limit=1`, { key: agency.key })
    const { page } = body as { page?: { next_cursor: string | null } }
    if (page?.next_cursor) cursors.push(page.next_cursor)
  }
  return { agency, ids, cursors, secrets, mark }
}

const idsOf = async (cell: TestCell, { number }: Agency, from: string): Promise<string[]> =>
  (await ask<{ id: string }>(cell, `select id from ${from} account_id = $1 order by id`, [number])).map(({ id }) => id)
