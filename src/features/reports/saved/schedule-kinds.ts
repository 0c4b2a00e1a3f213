export const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
/** Days that every month has, and its last one. */
export const MONTH_DAYS: readonly string[] = [...Array.from({ length: 28 }, (_, at) => String(at + 1)), 'last']
