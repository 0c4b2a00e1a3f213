import { signedTextWith } from '../signed-text.ts'
import { ApiError } from './errors.ts'

/** Writes and reads the cursors of lists. `scope` is what a cursor is bound to: account, route and filters. */
export type Cursors = {
  write(scope: string, key: readonly string[]): string
  read(scope: string, cursor: string): string[]
}

/** Signed cursors that hold the sort key as PostgreSQL printed it. */
export function cursorsWith(secret: Buffer): Cursors {
  const { write, read } = signedTextWith(secret)
  return {
    write,
    read(scope, cursor) {
      const key = read(scope, cursor)
      if (key) return key
      throw new ApiError(
        'invalid_cursor',
        'This cursor does not belong to this list. Start again without it, or keep the filters it was made with.',
      )
    },
  }
}
