/** SQL of whether an account, named by this SQL, is at work here: it has not begun to move to another cell. */
export const notMovedSql = (account: string): string =>
  `not exists (select from moved_accounts moved where moved.number = ${account})`
