import type { AccountSecrets } from '../account-secrets.ts'
import { signedTextWith } from '../signed-text.ts'
import { ApiError } from './errors.ts'

/** Writes and reads the cursors of an account's lists. `scope` is what a cursor is bound to: account, route and filters. */
export type Cursors = {
  write(account: number, scope: string, key: readonly string[]): string
  read(account: number, scope: string, cursor: string, former: readonly Buffer[]): string[]
}

/** Signed cursors that hold the sort key as PostgreSQL printed it. */
export function cursorsWith(secrets: AccountSecrets): Cursors {
  const { write, read } = signedTextWith(secrets, 'cursors')
  return {
    write,
    read(account, scope, cursor, former) {
      const key = read(account, scope, cursor, former)
      if (key) return key
      throw new ApiError(
        'invalid_cursor',
        'This cursor does not belong to this list. Start again without a cursor, or repeat the filters of the first request.',
      )
    },
  }
}
