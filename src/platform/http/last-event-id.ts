import { ApiError } from './errors.ts'

export const SEQ_PATTERN = '^\\d{1,15}$'

/** The number of the last event that a client has; null if it begins. */
export function lastEventId(header: unknown, query: string | undefined): number | null {
  const given = typeof header === 'string' && header !== '' ? header : query
  if (given === undefined) return null
  if (new RegExp(SEQ_PATTERN).test(given)) return Number(given)
  throw new ApiError(
    'invalid_parameter',
    'The Last-Event-ID is invalid. Send the id of the last event, or leave it out.',
    {
      details: { 'Last-Event-ID': ['Send up to 15 digits.'] },
    },
  )
}
