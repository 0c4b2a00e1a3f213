/** Attributes whose values name neither persons nor amounts: how a write was meant, and which records it was about. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['id', 'external_id', 'customer_external_id', 'supplier_external_id', 'source_system', 'company_id', 'branch_id'],
  ...['customer_id', 'trip_id', 'assigned_to_id', 'into_id', 'mode', 'on_conflict', 'dry_run', 'entity', 'status'],
  ...['stage', 'kind', 'type', 'channel', 'direction', 'priority', 'locale', 'currency', 'audience', 'events'],
  ...['entities', 'check_in_on', 'check_out_on', 'starts_on', 'ends_on', 'departs_on', 'due_at', 'segment_type'],
])
const LONGEST_VALUE = 100
const MOST_VALUES = 300
const LONGEST_BODY = 4_000

/**
 * A body as JSON whose values are masked unless they are known to name neither persons nor amounts: of a text its length
 * stays, of everything else its type. Null if nothing can be shown.
 */
export function maskedBody(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return null
  let left = MOST_VALUES
  const mask = (value: unknown, isShown: boolean): unknown => {
    if (left-- <= 0) return '…'
    if (value === null || typeof value === 'boolean') return value
    if (Array.isArray(value)) return value.slice(0, left + 1).map((one) => mask(one, isShown))
    if (typeof value === 'object')
      return Object.fromEntries(
        Object.entries(value)
          .slice(0, left + 1)
          .map(([name, one]) => [storable(name), mask(one, SHOWN.has(name))]),
      )
    if (isShown) return typeof value === 'string' ? storable(value) : value
    return typeof value === 'string' ? `(text of ${value.length})` : '(number)'
  }
  const text = JSON.stringify(mask(body, false))
  return text.length <= LONGEST_BODY ? text : null
}

/** The database stores neither a NUL nor half a surrogate pair. */
const storable = (text: string): string => text.slice(0, LONGEST_VALUE).replaceAll('\0', '').toWellFormed()
