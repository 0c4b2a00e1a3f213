import type { AccountTx } from '../../../platform/db/database.ts'
import { statement } from '../../../platform/db/statement.ts'

const remove = statement<{ account: number; id: string }, { id: string }>(
  'delete from tasks where account_id = $account and id = $id returning id',
)

/** Deletes a task with its reminders; false where there is none. */
export const deleteTask = async (tx: AccountTx, id: string): Promise<boolean> =>
  (await tx.one(remove, { id })) !== undefined
