import type { AccountTx } from './account-tx.ts'
import * as pg from './pg-types.ts'
import { statement } from './statement.ts'

const take = statement({ account: pg.integer }, { change_number: pg.bigint }, 'select change_number($account::integer)')

/**
 * Takes the account's next change number, as whoever changes published records does first: so they follow each other,
 * and none can wait for a row that another holds who waits for the number.
 */
export function takeChangeNumber(tx: AccountTx): void {
  tx.later(take, {})
  tx.changesRecords()
}
