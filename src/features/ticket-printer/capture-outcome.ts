import type { DocumentEvent } from './documents.store.ts'
import { type FileWarning, UNREADABLE_CAUSES } from './ticket-file.ts'

/**
 * Why a capture failed. `not_issued`: a reservation without tickets; `not_held`: a change of documents that the account
 * does not have.
 */
export const FAILURE_CAUSES = [...UNREADABLE_CAUSES, 'training', 'not_issued', 'not_held', 'invalid_sale'] as const
export type FailureCause = (typeof FAILURE_CAUSES)[number]

/** The result of a file. */
export type CaptureOutcome = {
  readonly status: 'parsed' | 'duplicate' | 'failed'
  /** The sale that the file created or concerns. */
  readonly sale: string | null
  /** Why the file was not processed. */
  readonly error: string | null
  readonly cause: FailureCause | null
  /** Numbers of the file that the account already had. */
  readonly duplicates: readonly string[]
  readonly warnings: readonly FileWarning[]
  /** What the file contains about its documents. */
  readonly events: readonly DocumentEvent[]
}

const NOTHING = { sale: null, error: null, cause: null, duplicates: [], warnings: [], events: [] } as const

/** The file was not processed; its content may become useful with a later file. */
export const failed = (cause: FailureCause, error: string, more: Partial<CaptureOutcome> = {}): CaptureOutcome => ({
  ...NOTHING,
  ...more,
  status: 'failed',
  cause,
  error,
})
/** The file created a sale. */
export const parsed = (sale: string, more: Partial<CaptureOutcome> = {}): CaptureOutcome => ({
  ...NOTHING,
  ...more,
  status: 'parsed',
  sale,
})
/** The account already had these documents; what the file changes about them is done. */
export const duplicate = (
  sale: string,
  duplicates: readonly string[],
  more: Partial<CaptureOutcome> = {},
): CaptureOutcome => ({
  ...NOTHING,
  ...more,
  status: 'duplicate',
  sale,
  duplicates,
})
