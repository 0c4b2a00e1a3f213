import type { DocumentEvent } from './documents.store.ts'
import { type FileWarning, UNREADABLE_CAUSES } from './ticket-file.ts'

/** Why a capture failed. `not_issued`: a reservation without tickets; `not_held`: a change of documents that the account does not have. */
export const FAILURE_CAUSES = [...UNREADABLE_CAUSES, 'training', 'not_issued', 'not_held', 'invalid_sale'] as const
export type FailureCause = (typeof FAILURE_CAUSES)[number]

/** The result of a file. */
export type CaptureOutcome = {
  readonly status: 'parsed' | 'duplicate' | 'failed'
  /** The sale that it made, or that it told of. */
  readonly sale: string | null
  /** Why nothing became of it. */
  readonly error: string | null
  readonly cause: FailureCause | null
  /** The numbers of it that the account held already. */
  readonly duplicates: readonly string[]
  readonly warnings: readonly FileWarning[]
  /** What it says of its documents. */
  readonly events: readonly DocumentEvent[]
}

const NOTHING = { sale: null, error: null, cause: null, duplicates: [], warnings: [], events: [] } as const

/** Nothing became of the file; what it told may be awaited. */
export const failed = (cause: FailureCause, error: string, more: Partial<CaptureOutcome> = {}): CaptureOutcome => ({
  ...NOTHING,
  ...more,
  status: 'failed',
  cause,
  error,
})
/** A sale was made of the file. */
export const parsed = (sale: string, more: Partial<CaptureOutcome> = {}): CaptureOutcome => ({
  ...NOTHING,
  ...more,
  status: 'parsed',
  sale,
})
/** The account held the documents already; what the file told of them is done. */
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
