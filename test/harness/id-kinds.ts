import { TABLE_OWNERS } from '../../src/table-owners.ts'

/** The table of an id in a path, where `id` is not of the table with the resource's name. The first that fits. */
const OF_PATHS: readonly (readonly [begins: string, param: string, table: string])[] = [
  ['/customers/', 'note_id', 'customer_notes'],
  ['/trips/', 'segment_id', 'trip_segments'],
  ['/trips/', 'link_id', 'share_links'],
  ['/ticket_imports/', 'id', 'ticket_captures'],
  ['/webhooks/', 'delivery_id', 'webhook_deliveries'],
  ['/imports/', 'id', 'import_batches'],
  ['/imports/', 'entity', 'import_batches'], // named for its neighbour
]
const TABLES: ReadonlySet<string> = new Set(Object.values(TABLE_OWNERS).flat())
/** And the kind of a query's or a body's id, by its name alone. */
const OF_NAMES: Readonly<Record<string, readonly string[]>> = {
  company_id: ['companies'],
  branch_id: ['branches'],
  customer_id: ['customers'],
  into_id: ['customers'],
  supplier_id: ['suppliers'],
  trip_id: ['trips'],
  assigned_to_id: ['seats'],
  advisor_id: ['seats'],
  thread_id: ['communications'],
  in_reply_to: ['communications'],
  taskable_id: ['customers', 'leads', 'trips', 'bookings', 'communications'],
  attachment_ids: ['uploads'],
}
/** Names that look like those of ids, and hold what clients say: equal in many accounts. */
const SENT_BY_CLIENTS = /external_id$|^reply_to$/

/** The table of an id in a path; null if the parameter is not an id. */
export function tableOfParam(path: string, param: string, { pattern }: { readonly pattern?: string }): string | null {
  if (!pattern?.includes('[0-9A-Fa-f]{8}')) return null
  return tableOfPath(path, param)
}
/** The same for a parameter that is known to be an id. */
export function tableOfPath(path: string, param: string): string {
  const [, , table] = OF_PATHS.find(([begins, name]) => path.startsWith(begins) && name === param) ?? []
  const [, resource = ''] = path.split('/')
  if (table !== undefined) return table
  if (param === 'id' && TABLES.has(resource)) return resource
  throw new Error(
    `Add ['/${resource}/', '${param}', '<table>'] to OF_PATHS in test/harness/id-kinds.ts: the table of the ids in ${path}.`,
  )
}

/** The tables of an id in a query or a body; empty if the name is not an id's. */
export function tablesOfName(name: string): readonly string[] {
  const bare = /^filters\[(\w+)\]$/.exec(name)?.[1] ?? name
  const known = OF_NAMES[bare]
  if (known) return known
  if (/_ids?$|_to$|^id$/.test(bare) && !SENT_BY_CLIENTS.test(bare))
    throw new Error(`Add ${bare} to OF_NAMES in test/harness/id-kinds.ts, with the tables whose ids it holds.`)
  return []
}
