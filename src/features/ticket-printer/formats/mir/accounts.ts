import { withoutCards } from '../printed.ts'
import type { Mir } from './mir.ts'

/** Where an agency writes its code for the customer. A remark of several words is not a code. */
const ACCOUNT = /^(?:A00|A14CA-)([A-Z0-9][A-Z0-9./-]{0,19})\s*$/

export function accountIn(line: string): string | null {
  const account = ACCOUNT.exec(line)?.[1]
  return account === undefined ? null : withoutCards(account)
}

export const accountOf = ({ items }: Mir): string | null =>
  [...items('A00'), ...items('A14')].map(({ line }) => accountIn(line)).find((account) => account !== null) ?? null
