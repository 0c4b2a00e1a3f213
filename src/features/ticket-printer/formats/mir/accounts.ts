import { withoutCards } from '../printed.ts'
import type { Mir } from './mir.ts'

/** Where an agency writes its code of the customer. A remark of several words is no code. */
const ACCOUNTS = [/^A00([A-Z0-9][A-Z0-9./-]{0,19})\s*$/, /^A14CA-([A-Z0-9][A-Z0-9./-]{0,19})\s*$/] as const

export const accountIn = (line: string): string | null =>
  ACCOUNTS.map((pattern) => pattern.exec(line)?.[1]).find((account) => account !== undefined) ?? null

export function accountOf({ items }: Mir): string | null {
  const lines = [...items('A00'), ...items('A14')].map(({ line }) => line)
  const account = ACCOUNTS.flatMap((pattern) => lines.flatMap((line) => pattern.exec(line)?.[1] ?? []))[0]
  return account === undefined ? null : withoutCards(account)
}
