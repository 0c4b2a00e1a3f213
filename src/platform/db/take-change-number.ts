import type { AccountTx } from './account-tx.ts'
import * as pg from './pg-types.ts'
import { statement } from './statement.ts'

const take = statement({ account: pg.integer }, { change_number: pg.bigint }, 'select change_number($account::integer)')

/**
 * Takes the account's next change number. A transaction that changes published records does so first: the transactions
 * follow each other, so that none waits for a row locked by another that waits for the number.
 */
export function takeChangeNumber(tx: AccountTx): void {
  tx.later(take, {})
  tx.changesRecords()
}
