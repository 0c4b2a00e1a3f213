import { randomBytes } from 'node:crypto'
import type { KeyWraps } from '../cell-key.ts'
import { UserError } from '../user-error.ts'
import type { SingleClient } from './client.ts'

/**
 * The key of the cell, which a new cell makes. In a cell from before it had one, it is the SECRET that has sealed and
 * signed so far, which the previous version uses meanwhile; and identity numbers stay clear for a day, in which the
 * upgrade can be undone.
 */
export async function openCellKey(client: SingleClient, secret: string, wraps: KeyWraps): Promise<string> {
  await client.query('set role backdesk_system')
  const known = await readKey(client)
  if (!known) {
    const { rows } = await client.query<{ used: boolean }>('select exists (select from accounts) as used')
    const used = rows[0]?.used === true
    const key = used ? secret : randomBytes(32).toString('base64url')
    await client.query(
      `insert into cell_keys (name, wrapped, wrapped_by, seals_from)
       values ('root', $1, $2, now() + case when $3 then interval '1 day' else interval '0' end) on conflict do nothing`,
      [wraps.seal(key), wraps.fingerprint, used],
    )
  }
  const stored = known ?? (await readKey(client))
  const seal = stored && wraps.by(stored.wrapped_by)
  if (!seal)
    throw new UserError(
      'wrong_secret',
      'The keys of this cell are wrapped by another SECRET. Set SECRET to its former value, or SECRET_PREVIOUS if you are changing it.',
    )
  return seal.open(stored.wrapped)
}

async function readKey(client: SingleClient) {
  const { rows } = await client.query<{ wrapped: Buffer; wrapped_by: string }>(
    'select wrapped, wrapped_by from cell_keys',
  )
  return rows[0]
}
