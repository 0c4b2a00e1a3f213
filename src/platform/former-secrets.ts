import { readFormerSecrets } from './account-secrets.ts'
import type { Database } from './db/database.ts'
import type { FormerSecretsOf } from './signed-text.ts'

/** Looks up an account's secrets from other cells, for texts without a key. */
export const formerSecretsIn =
  (db: Pick<Database, 'reader'>): FormerSecretsOf =>
  async (account) =>
    (await db.reader(account).all(readFormerSecrets, {})).map(({ secret }) => secret)
