import { type Connection, withClient } from '../db/client.ts'
import type { Operator } from '../operator.ts'

/** Adds a row to the audit log of every account. The database may have the tables of a former version. */
export const auditCell = (
  connection: Connection,
  { name, source }: Operator,
  action: string,
  details: object,
): Promise<void> =>
  withClient(connection, async (client) => {
    const { rows } = await client.query<{ made: boolean }>(`select to_regclass('audit_log') is not null as made`)
    if (!rows[0]?.made) return
    await client.query('begin')
    await client.query('set local role backdesk_system') // behind the wall the owner of the tables sees no rows
    await client.query(
      `insert into audit_log (account_id, actor, source, action, subject_type, subject_id, details)
       select account_id, $1, $2, $3, 'account', uuid::text, $4 from accounts`,
      [name, source, action, JSON.stringify(details)],
    )
    await client.query('commit')
  })
