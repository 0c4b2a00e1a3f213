import { userInfo } from 'node:os'
import type { Operator } from '../platform/operator.ts'
import { RecordNotFound, UserError } from '../platform/user-error.ts'

/** The user of a command, for the audit log. */
export function operator(): Operator {
  const name = (() => {
    try {
      return userInfo().username
    } catch {
      return 'unknown'
    }
  })()
  return { name, source: 'command line' }
}

/** Options that may be given several times, or as a comma-separated list. */
export const several = (value: string, before: string[] = []): string[] => [
  ...before,
  ...value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
]

function accountNumber(text: string): number {
  if (/^[123]\d{7}$/.test(text)) return Number(text)
  throw new RecordNotFound('account', `--account takes an account number such as 20000000, not ${text}.`)
}
export const ACCOUNT = ['--account <number>', 'account number', accountNumber] as const
export type OfAccount = { readonly account: number }

/** Reads the maximum number of rows of a list. */
export const limitUpTo =
  (most: number) =>
  (text: string): number => {
    const read = /^\d{1,5}$/.test(text) ? Number(text) : 0
    if (read >= 1 && read <= most) return read
    throw new UserError('invalid_value', `--limit takes a number from 1 to ${most}, not ${text}.`)
  }
