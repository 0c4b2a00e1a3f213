import type { Client } from 'pg'
import { type Connection, withClient } from '../../src/platform/db/client.ts'
import { cloneDatabase, startCell as start, type TestCell, uncounted } from '../harness/cell.ts'
import { type FullAgency, makeFullAgency } from '../harness/full-agency.ts'

/** The senders: the owner, `owner`, and keys of some roles and scopes. */
export const AS = ['admin', 'advisor', 'accountant', 'marketing', 'viewer', 'import', 'ticket_import'] as const
const SCOPES = new Set<string>(['import', 'ticket_import'])
const OTHERS_MARK = 'Zümrüt-of-the-other'

/** A cell with two agencies with all kinds of records, the keys of one, and the data of the other. */
export type World = {
  readonly cell: TestCell
  readonly own: FullAgency
  readonly other: FullAgency
  readonly keys: Readonly<Record<string, string>>
  /** Internal names of the database, which no response may contain. */
  readonly internals: readonly string[]
  /** Ids of the other that were sent to this cell. */
  readonly said: Set<string>
}

const startCell = (more: Parameters<typeof start>[0] = {}) => start({ deps: { count: uncounted }, ...more })

export async function makeWorld(): Promise<World> {
  const cell = await startCell()
  const own = await makeFullAgency(cell, 'Zümrüt-of-one')
  const other = await makeFullAgency(cell, OTHERS_MARK)
  const keys: Record<string, string> = { owner: own.agency.key }
  for (const as of AS)
    keys[as] = (await own.agency.makeKey(SCOPES.has(as) ? { scopes: [as as 'import'] } : { role: as })).key
  return { cell, own, other, keys, internals: await internalsOf(cell), said: new Set() }
}

/** Constraints and indexes, whose names no client can have sent. */
const internalsOf = (cell: TestCell): Promise<string[]> =>
  withClient(cell.connection, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select conname as name from pg_constraint where connamespace = 'public'::regnamespace
       union select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('i', 'v')`,
    )
    return rows.map(({ name }) => name).filter((name) => name.includes('_') && name.length > 12)
  })

const asSuperuser = <T>(connection: Connection, work: (client: Client) => Promise<T>): Promise<T> =>
  withClient({ ...connection, user: 'postgres', database: 'backdesk' }, work)

/** Gives each slice of a long run a copy of the initial world, and removes it afterwards. */
export async function inCopyOf<T>(world: World, work: (copy: World) => Promise<T>): Promise<T> {
  const template = world.cell.connection.database ?? ''
  await world.cell.close()
  await asSuperuser(world.cell.connection, (client) =>
    client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [template]),
  ) // nothing may be connected to the copied database
  const connection = await cloneDatabase(template)
  const cell = await startCell({ connection, dataDir: world.cell.deps.config.dataDir })
  try {
    return await work({ ...world, cell, said: new Set() })
  } finally {
    await cell.close()
    await asSuperuser(connection, (client) => client.query(`drop database ${connection.database} with (force)`))
  }
}
