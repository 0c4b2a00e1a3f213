import type { UserError, UserErrorCode } from '../user-error.ts'
import { ApiError, type ErrorCode } from './errors.ts'

/** The API's error code of each mistake. `unavailable` is the operator's: a client cannot correct it. */
export const API_CODES: Readonly<Record<UserErrorCode, ErrorCode>> = {
  invalid_value: 'validation_failed',
  invalid_file: 'validation_failed',
  invalid_archive: 'validation_failed',
  bsp_column_missing: 'validation_failed',
  file_too_large: 'payload_too_large',
  invalid_path: 'validation_failed',
  invalid_configuration: 'unavailable',
  wrong_secret: 'unavailable',
  wrong_passphrase: 'validation_failed',
  wrong_cell: 'conflict',
  wrong_version: 'conflict',
  download_failed: 'unavailable',
  already_exists: 'conflict',
  not_allowed_now: 'conflict',
  account_busy: 'conflict',
  ambiguous_name: 'conflict',
  rate_source_in_use: 'conflict',
  record_not_found: 'not_found',
}

/** The response to a mistake reported by a command. Clients do not see mistakes that only the operator can correct. */
export function apiErrorOf(error: UserError): ApiError {
  const code = API_CODES[error.code]
  if (code === 'unavailable') return new ApiError(code, 'This cell is not set up for this request. Ask its operator.')
  const details = error.details ?? (code === 'validation_failed' ? { base: [error.message] } : undefined)
  return new ApiError(code, error.message, details && { details })
}
