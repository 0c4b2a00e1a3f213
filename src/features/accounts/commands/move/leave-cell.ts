import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '../../../../platform/audit.ts'
import { SNAPSHOT } from '../../../../platform/backup/snapshot.ts'
import type { Database } from '../../../../platform/db/database.ts'
import * as pg from '../../../../platform/db/pg-types.ts'
import { statement } from '../../../../platform/db/statement.ts'
import type { Operator } from '../../../../platform/operator.ts'
import { UserError } from '../../../../platform/user-error.ts'
import { requireAccount } from '../../reads/require-account.ts'

const POLL_MS = 100
/** A mail server may take ten minutes for a mail. */
const PATIENCE_MS = 12 * 60_000
const REASON = 'an account moves to another cell'
const begin = statement(
  { account: pg.integer },
  {},
  'insert into moved_accounts (number) values ($account) on conflict do nothing',
)
const close = statement({ account: pg.integer }, {}, 'update moved_accounts set closed = true where number = $account')
const reopen = statement(
  { account: pg.integer },
  { number: pg.integer },
  'delete from moved_accounts where number = $account returning number',
)
/** Every running client transaction, except backups and other exports. */
const running = statement(
  {},
  { id: pg.filled(pg.text) },
  `
  select l.virtualtransaction as id from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'virtualxid' and a.datname = current_database() and a.usesysid is not null
    and a.application_name <> '${SNAPSHOT}' and l.pid <> pg_backend_pid()`,
)
/** Sends in progress that no transaction can take back: mails, texts and deliveries. */
const sendsInProgress = statement(
  { account: pg.integer },
  { busy: pg.boolean },
  `
  select exists (select from webhooks where account_id = $account and leased_until > now())
    or exists (select from message_sends where account_id = $account and leased_by is not null
      and next_attempt_at between now() and now() + interval '2 minutes') as busy`,
)

/**
 * Stops an account permanently: its keys are refused and queues ignore it. Sends in progress finish; then no
 * transaction of the account starts, and the running ones have ended.
 */
export async function leaveCell(db: Database, account: number, operator: Operator): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  await db.asSystem(REASON, async (tx) => {
    const { uuid } = await requireAccount(tx, account)
    await tx.all(begin, { account })
    const entry = { action: 'account.move_begun', subjectType: 'account', subjectId: uuid }
    await audit(tx, account, operator, entry)
  })
  await olderOnesEnd(db, deadline) // one of them may be taking something this very moment
  await until(deadline, async () => {
    const [found] = await db.askSystem(REASON, sendsInProgress, { account })
    return !found?.busy
  })
  await db.askSystem(REASON, close, { account })
  await olderOnesEnd(db, deadline)
}

async function olderOnesEnd(db: Database, deadline: number): Promise<void> {
  const older = new Set((await db.askSystem(REASON, running, {})).map(({ id }) => id))
  await until(deadline, async () => {
    const now = await db.askSystem(REASON, running, {})
    return !now.some(({ id }) => older.has(id))
  })
}

async function until(deadline: number, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    if (Date.now() > deadline) throw new UserError('account_busy', 'Background work of the account is still running.')
    await sleep(POLL_MS)
  }
}

/** Reverts a move: the account is active here again, unchanged. */
export async function reopenAccount(db: Database, account: number, operator: Operator): Promise<void> {
  await db.asSystem(REASON, async (tx) => {
    const { uuid } = await requireAccount(tx, account)
    if (!(await tx.one(reopen, { account })))
      throw new UserError('not_allowed_now', `Account ${account} has not moved.`)
    await audit(tx, account, operator, { action: 'account.move_taken_back', subjectType: 'account', subjectId: uuid })
  })
}
