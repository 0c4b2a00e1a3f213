import { type CommandFailure, clientFailureOf as failureOfClient } from '#client/failure.ts'
import { type Details, RecordNotFound, UserError, type UserErrorCode } from '../platform/user-error.ts'
import { FIND_RECORD, HINTS, THIS_COMMAND } from './hints.ts'

/** `command` is the command that failed, such as `npx backdesk key create`. */
export function failureOf(error: unknown, command: string): CommandFailure {
  if (!(error instanceof UserError)) return failureOfClient(error)
  const { code, message, details } = error as UserError<string>
  const known = error instanceof RecordNotFound ? FIND_RECORD[error.kind] : undefined
  const hint = (known ?? HINTS[code as UserErrorCode])?.replace(THIS_COMMAND, command) // API codes have no hint here
  return {
    error: details ? linesOf(details) : message,
    code,
    ...(hint !== undefined && { hint }),
    ...(details && { details }),
  }
}

const linesOf = (details: Details): string =>
  Object.entries(details)
    .flatMap(([attribute, reasons]) => reasons.map((reason) => `${attribute}: ${reason}`))
    .join('\n')
