/** Rejected attribute → its reasons. */
export type Details = Readonly<Record<string, readonly string[]>>

/**
 * What a user or an operator can get wrong. The code decides what a surface adds: the API a status
 * (`http/api-error-of.ts`), the command line the command to run next (`cli/hints.ts`).
 */
export const USER_ERRORS = [
  /** A given value, or a combination of values. */
  'invalid_value',
  /** The content of a file that is read: exchange rates, billings of a BSP. */
  'invalid_file',
  /** A backup or an export of an account that is damaged, or is another kind of file. */
  'invalid_archive',
  'bsp_column_missing',
  'file_too_large',
  /** The path of a file to read or to write. */
  'invalid_path',
  /** A setting of the cell is missing or wrong. */
  'invalid_configuration',
  /** The backup was sealed with another secret. */
  'wrong_secret',
  'wrong_passphrase',
  /** Another region or database than the file needs. */
  'wrong_cell',
  'wrong_version',
  'download_failed',
  'already_exists',
  /** The record is in a state that does not allow it. */
  'not_allowed_now',
  'account_busy',
  /** A name or a number that several records have. */
  'ambiguous_name',
  'rate_source_in_use',
  /** See `RecordNotFound`. */
  'record_not_found',
] as const
export type UserErrorCode = (typeof USER_ERRORS)[number]

/**
 * A mistake that the user can correct. The message says what is wrong and where, without naming a command or an option:
 * features do not know which surface called them. Any other error is a defect, or a broken environment.
 */
export class UserError<Code extends string = UserErrorCode> extends Error {
  readonly code: Code
  readonly details: Details | undefined
  constructor(code: Code, message: string, { details, cause }: { details?: Details; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
  }
}

/** A record that a command names and the account, or the cell, does not have. `kind` is what records of its kind are called. */
export class RecordNotFound extends UserError<'record_not_found'> {
  readonly kind: string
  constructor(kind: string, message: string) {
    super('record_not_found', message)
    this.kind = kind
  }
}
