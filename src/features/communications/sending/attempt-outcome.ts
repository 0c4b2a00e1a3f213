import type { SendStatusUpdate } from '../commands/record-send-status.ts'
import type { FailureReason } from '../message-kinds.ts'

/** What became of an attempt: the end of it, or that it is worth another one. */
export type AttemptOutcome = { readonly ended: SendStatusUpdate } | RetryLater
export type RetryLater = {
  /** What is to be said of the message where this was the last attempt. */
  readonly later: FailureReason
  /** Whether it may have been taken nevertheless, which has to be found out before it is sent again. */
  readonly unknown: boolean
  /** What was said, for whoever reads the message. */
  readonly metadata: object | null
}

export const failedFor = (reason: FailureReason, metadata: object | null = null) => ({
  ended: { status: 'failed', reason, metadata } satisfies SendStatusUpdate,
})
