/** SQL of an event's id as receivers and clients know it. */
export const eventIdSql = (column: string): string => `'evt_' || replace(${column}::text, '-', '')`
