import { buffer } from 'node:stream/consumers'
import type { SingleClient } from '../db/client.ts'
import { contentOf, type FileStore } from '../files/file-store.ts'
import type { ArchivePart, ReadPart } from './archive.ts'
import { BadArchive } from './bad-archive.ts'

const AT_ONCE = 1_000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Row = { account: number; id: string; held: boolean }
/** Files that a record holds, or may still claim, and whose bytes were missing. */
export type Missing = { files: number; missing: number }

/** The bytes of the files visible to the transaction, of one account or, if null, of all. Counts them in `found`. */
export async function* filePartsOf(
  client: SingleClient,
  store: FileStore,
  of: number | null,
  found: Missing,
): AsyncGenerator<ArchivePart> {
  for (let last: Pick<Row, 'account' | 'id'> = { account: of ?? 0, id: '00000000-0000-0000-0000-000000000000' }; ; ) {
    const rows = await nextFiles(client, of, last)
    for (const { account, id, held } of rows) {
      const bytes = await store.read({ account, id })
      if (bytes) yield { head: { file: { account, id } }, bytes }
      if (bytes) found.files += 1
      else if (held) found.missing += 1 // what nothing holds may just have expired, or not be there yet
    }
    const end = rows.at(-1)
    if (!end) return
    last = end
  }
}

async function nextFiles(client: SingleClient, of: number | null, last: Pick<Row, 'account' | 'id'>): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `select account_id as account, id, expires_at is null as held from files
     where (account_id, id) > ($1, $2::uuid) ${of === null ? '' : 'and account_id = $1'}
     order by account_id, id limit ${AT_ONCE}`,
    [last.account, last.id],
  )
  return rows
}

/** Writes the bytes of a part to the cell's storage. Repeating it does no harm. */
export async function putFile(store: FileStore, { head, bytes }: ReadPart, of: number | null): Promise<void> {
  const { account, id } = head.file as { account: number; id: string }
  if (!Number.isInteger(account) || !UUID.test(id) || (of !== null && account !== of))
    throw new BadArchive('The archive contains a file with an invalid name.')
  await store.put({ account, id }, contentOf(await buffer(bytes)))
}
