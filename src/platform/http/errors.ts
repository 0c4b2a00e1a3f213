import { type Details, UserError } from '../user-error.ts'

/** The error codes of the API, and their statuses. */
export const ERROR_STATUSES = {
  bad_request: 400,
  invalid_cursor: 400,
  unauthorized: 401,
  key_revoked: 401,
  key_expired: 401,
  ip_not_allowed: 403,
  plan_upgrade_required: 403,
  plan_gated: 403,
  forbidden: 403,
  proof_required: 403,
  second_factor_required: 403,
  not_found: 404,
  unknown_entity: 404,
  method_not_allowed: 405,
  conflict: 409,
  stale: 409,
  idempotency_conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  invalid_parameter: 422,
  idempotency_key_reuse: 422,
  entity_not_writable: 422,
  too_many_rows: 422,
  unknown_branch: 422,
  unknown_company: 422,
  lead_converted: 422,
  report_timeout: 422,
  daily_limit_reached: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const
export type ErrorCode = keyof typeof ERROR_STATUSES
/** Those of the application API alone. */
export const SESSION_CODES: ReadonlySet<ErrorCode> = new Set(['proof_required', 'second_factor_required', 'stale'])

/** An API error with a code: `message` is an English sentence that says what to do. */
export class ApiError extends UserError<ErrorCode> {
  /** Seconds after which the same request may do better. */
  readonly retryAfter: number | undefined
  constructor(code: ErrorCode, message: string, more: { details?: Details; retryAfter?: number } = {}) {
    super(code, message, more)
    this.retryAfter = more.retryAfter
  }
  get status(): number {
    return ERROR_STATUSES[this.code]
  }
}

/** For an address that no route has. */
export const notFound = (): ApiError => new ApiError('not_found', 'Not found. Check the path and the ids in it.')
