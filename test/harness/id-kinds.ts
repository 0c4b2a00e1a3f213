/** Of which table the id of a path is, by the path's beginning; the first that fits. */
const OF_PATHS: readonly (readonly [begins: string, param: string, table: string])[] = [
  ['/customers/', 'id', 'customers'],
  ['/customers/', 'note_id', 'customer_notes'],
  ['/leads/', 'id', 'leads'],
  ['/tasks/', 'id', 'tasks'],
  ['/trips/', 'id', 'trips'],
  ['/trips/', 'segment_id', 'trip_segments'],
  ['/trips/', 'link_id', 'share_links'],
  ['/communications/', 'id', 'communications'],
  ['/notifications/', 'id', 'notifications'],
  ['/ticket_imports/', 'id', 'ticket_captures'],
  ['/webhooks/', 'id', 'webhooks'],
  ['/webhooks/', 'delivery_id', 'webhook_deliveries'],
  ['/saved_reports/', 'id', 'saved_reports'],
  ['/imports/', 'id', 'import_batches'],
  ['/imports/', 'entity', 'import_batches'], // named for its neighbour
]
/** And that of a query or of a body, by its name alone. */
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
const SAID_BY_CLIENTS = /external_id$|^reply_to$/

/** The table of an id in a path; null where what is in the path is no id. */
export function tableOfParam(path: string, param: string, { pattern }: { readonly pattern?: string }): string | null {
  if (!pattern?.includes('[0-9A-Fa-f]{8}')) return null
  const [, , table] = OF_PATHS.find(([begins, name]) => path.startsWith(begins) && name === param) ?? []
  if (table === undefined) throw new Error(`Say in id-kinds.ts which table :${param} of ${path} is of.`)
  return table
}

/** The tables that an id of a query or a body may be of; none where the name is no id's. */
export function tablesOfName(name: string): readonly string[] {
  const bare = /^filters\[(\w+)\]$/.exec(name)?.[1] ?? name
  const known = OF_NAMES[bare]
  if (known) return known
  if (/_ids?$|_to$|^id$/.test(bare) && !SAID_BY_CLIENTS.test(bare))
    throw new Error(`Say in id-kinds.ts which tables ${name} is of.`)
  return []
}
