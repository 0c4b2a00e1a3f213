import type { Database } from '../../platform/db/database.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import { purgeSignInAttempts } from './attempts.store.ts'
import { purgeSignIn } from './credentials.store.ts'
import { purgeEmailChanges } from './email-changes.store.ts'
import { purgePendingSignIns } from './factors.store.ts'
import { purgePending } from './oidc/pending.store.ts'
import { purgeChallenges } from './passkeys.store.ts'

/** Deletes sessions and links a month after they expired, sign-ins by a provider that were not finished, and the counts of failed attempts after an hour. */
export const signInPurge: ScheduledJob<{ db: Database }> = {
  name: 'sign-in',
  dueAgain: every('1 hour'),
  leaseMs: 60_000,
  run: async ({ db }) => {
    await db.askSystem('purge sessions and links of all accounts', purgeSignIn, {})
    await db.askSystem('purge sign-ins that were not finished', purgePending, {})
    await db.askSystem('purge sign-ins that waited too long', purgePendingSignIns, {})
    await db.askSystem('purge challenges of passkeys', purgeChallenges, {})
    await db.askSystem('purge changes of addresses', purgeEmailChanges, {})
    await db.askSystem('purge attempts to sign in', purgeSignInAttempts, {})
  },
}
