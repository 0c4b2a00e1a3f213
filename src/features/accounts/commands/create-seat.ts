import { email as emailKind } from '../../../catalogue/kinds.ts'
import type { SystemTx } from '../../../platform/db/database.ts'
import { statement } from '../../../platform/db/statement.ts'
import { InvalidCommand } from './invalid-command.ts'

export type NewSeat = {
  readonly name: string | null
  readonly email: string
  readonly role: string
  readonly branchId: string | null
}

const insert = statement<{ account: number } & NewSeat, { id: string }>(`
  insert into seats (account_id, name, email, role, branch_id) values ($account, $name, $email, $role, $branchId) returning id`)

export function checkEmail(text: string): string {
  const read = emailKind.read(text, { decimalSeparator: null, country: '', currency: '', timeZone: 'UTC' })
  if (typeof read !== 'string') throw new InvalidCommand(`${text} is no e-mail address.`)
  return read
}

export async function insertSeat(tx: SystemTx, account: number, seat: NewSeat): Promise<string> {
  const made = await tx.one(insert, { account, ...seat })
  return (made as { id: string }).id
}
