import { readFormerSecrets } from './account-secrets.ts'
import type { Database } from './db/database.ts'
import type { FormerSecretsOf } from './signed-text.ts'

/** Looks for the secrets that an account had in other cells, for texts that no key comes with. */
export const formerSecretsIn =
  (db: Pick<Database, 'reader'>): FormerSecretsOf =>
  async (account) =>
    (await db.reader(account).all(readFormerSecrets, {})).map(({ secret }) => secret)
