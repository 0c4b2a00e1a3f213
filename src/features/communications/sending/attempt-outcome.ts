import type { SendStatusUpdate } from '../commands/record-send-status.ts'
import type { FailureReason } from '../message-kinds.ts'

/** The outcome of an attempt: final, or to be retried. */
export type AttemptOutcome = { readonly ended: SendStatusUpdate } | RetryLater
export type RetryLater = {
  /** The result of the message if this was the last attempt. */
  readonly later: FailureReason
  /** Whether the server may have accepted it nevertheless, which must be checked before it is sent again. */
  readonly unknown: boolean
  /** The reply of the server, shown with the message. */
  readonly metadata: object | null
}

export const failedFor = (reason: FailureReason, metadata: object | null = null) => ({
  ended: { status: 'failed', reason, metadata } satisfies SendStatusUpdate,
})
