import { createHmac } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../demo/make-demo.ts'
import { exportAccount } from '../../src/features/accounts/commands/move/export-account.ts'
import { importAccount } from '../../src/features/accounts/commands/move/import-account.ts'
import { reopenAccount } from '../../src/features/accounts/commands/move/leave-cell.ts'
import { SEALED_COLUMNS } from '../../src/features/accounts/commands/move/sealed-columns.ts'
import { auditChainQueue } from '../../src/features/audit/chain.job.ts'
import { verifyChain } from '../../src/features/audit/reads/verify-chain.ts'
import { unsubscribeUrl } from '../../src/features/communications/unsubscribe.ts'
import { signingKeyOf } from '../../src/features/webhooks/signature.ts'
import { type ArchivePart, readArchive, writeArchive } from '../../src/platform/backup/archive.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { isAccountMoved } from '../../src/platform/db/failures.ts'
import { queuesOf, scheduledJobs } from '../../src/registry.ts'
import { makeAgency, OPERATOR } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { cloneDemo, DEMO_SECRET } from '../harness/demo.ts'
import { everyRow } from '../harness/every-row.ts'
import { temporaryFolder } from '../harness/process.ts'
import { PDF } from '../harness/sample-files.ts'
import { ask } from '../harness/sql.ts'
import { undeclared } from '../harness/undeclared.ts'
import { uploaded } from '../harness/upload.ts'
import { GO_ON, logTo } from '../harness/worker.ts'

const folder = temporaryFolder()
const path = join(folder, 'agency.account')
const passphrase = 'a passphrase of the move'
/** A recently used key is cached for less than a second. */
const KEPT_MS = 2_000
const BACKUP_DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/backup.md'), 'utf8')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rename = undeclared<{ account: number; name: string }, never>(
  'update accounts set name = $name where account_id = $account',
)
type List = { data: { id: string }[]; page: { next_cursor: string | null } }

/** What clients, customers and visitors hold of an agency, from before the move. */
async function handOut(cell: TestCell, account: number, key: string) {
  const call = (method: string, to: string, body?: object, headers = {}) =>
    cell.call(method, to, { key, ...(body && { body }), headers })
  const first = (await call('GET', '/imports/customers/records?limit=5')).body as List
  const customer = first.data[0]?.id as string
  const attached = await uploaded(cell, key, 'a.pdf', PDF)
  const note = await call('POST', `/customers/${customer}/notes`, {
    note: { body: 'See file.', attachment_ids: [attached.signed_id] },
  })
  const { url } = (note.body as { data: { attachments: [{ url: string }] } }).data.attachments[0]
  const write = () => call('POST', '/customers', { customer: { name: 'Once' } }, { 'idempotency-key': 'once' })
  const webhook = (await call('POST', '/webhooks', { url: 'https://receiver.example/' })).body as {
    id: string
    signing_secret: string
  }
  await call('POST', `/webhooks/${webhook.id}/test`, {})
  const task = await call('POST', '/tasks', { task: { subject: 'Call' } })
  const batch = await call('POST', '/imports/customers', {
    mode: 'async',
    rows: [{ external_id: 'later', name: 'Later' }],
  })
  const capture = await call('POST', '/ticket_imports', { filename: 'x.air', content: 'bm90aGluZw==' })
  const once = (await write()).text
  const stay = { external_id: 'last', check_in_on: '2026-07-10', check_out_on: '2026-07-14' }
  const change = await call('POST', '/imports/hotel_stays', { mode: 'sync', rows: [stay] }) // its event waits
  return {
    customer,
    webhook,
    url: new URL(url).pathname,
    cursor: first.page.next_cursor as string,
    next: ((await call('GET', `/imports/customers/records?limit=5&cursor=${first.page.next_cursor}`)).body as List)
      .data,
    once,
    upload: (await uploaded(cell, key, 'b.pdf', PDF)).signed_id,
    expired: await uploaded(cell, key, 'expired.pdf', PDF),
    unsubscribe: new URL(unsubscribeUrl(cell.deps, account, customer)).pathname,
    accepted: [batch.status, capture.status, task.status, change.status],
  }
}

/** Something for every queue, at once. */
const makeDue = (cell: TestCell) =>
  withClient({ ...cell.connection, user: 'postgres' }, (client) =>
    client.query(`
      update trip_notifications set next_attempt_at = now() where status = 'scheduled';
      insert into trip_reschedulings (account_id, trip_id) select account_id, id from trips;
      insert into stream_pending (account_id, kind, ids) select account_id, 'tasks', '{}' from accounts;
      update surveys set reminder_status = 'scheduled', next_attempt_at = now() where completed_at is null;
      update files set expires_at = now() - interval '2 hours' where filename = 'expired.pdf';
      insert into task_reminders (account_id, task_id, minutes_before, fire_at, next_attempt_at)
        select account_id, id, 7, now(), now() from tasks limit 1;
      insert into message_sends (account_id, seat_mail, transport)
        select account_id, '{"to": "a@example.com", "subject": "a", "plain": "a"}', transport from accounts, unnest('{mail,messaging}'::text[]) transport;
      insert into saved_reports (account_id, name, preset_key, filters, file_format, saved_by_id, due_at, next_attempt_at, schedule_frequency, schedule_hour, recipients)
        select account_id, 'Sales', 'sales', '{}', 'csv', owner_id, now(), now(), 'daily', 7, '{a@example.com}' from accounts`),
  )

/** The parts of a file, read without the program. */
async function* partsWithoutKey(of: string): AsyncGenerator<ArchivePart> {
  try {
    for await (const { head, bytes, foot } of readArchive(of))
      yield { head, bytes: Readable.from([await buffer(bytes)]), foot }
  } catch {
    // The wrong checksum is found only after the last of them.
  }
}

/** The scheduled jobs of accounts. */
const OF_ACCOUNTS = ['trip schedules', 'option dates', 'expired files', 'birthdays']

/** The queues with due work. Claimed work is not done. */
const claimable = async ({ deps }: TestCell): Promise<string[]> => {
  const names: string[] = []
  for (const queue of queuesOf(deps)) if (await queue.claim()) names.push(queue.name)
  return names
}

describe('an account that moves to another cell', { timeout: 120_000 }, () => {
  let from: TestCell
  let to: TestCell
  let demo: Demo
  let held: Awaited<ReturnType<typeof handOut>>
  let account: number
  beforeAll(async () => {
    const destinations = { allowed: [], resolve: async () => ['8.8.8.8'] }
    const made = await cloneDemo()
    demo = made.demo
    from = await startCell({
      connection: made.connection,
      cellSecret: DEMO_SECRET,
      deps: { count: uncounted, destinations },
    })
    to = await startCell({ cellSecret: 'another secret', deps: { count: uncounted, destinations } })
    account = demo.account.id
    await ask(
      from,
      `update customers set opted_in_marketing = true, birthday = now() at time zone 'UTC' - interval '30 years'`,
    )
    await (await auditChainQueue(from.deps).claim())?.(GO_ON)
    held = await handOut(from, account, demo.keys.full)
    await makeDue(from)
    await exportAccount(from.deps, from.connection, { account, path, passphrase }, OPERATOR)
  })

  it('answers nothing and does nothing any more where it was', async () => {
    const status = async () => (await from.call('GET', '/me', { key: demo.keys.full })).status
    await expect.poll(status, { timeout: KEPT_MS }).toBe(401)
    expect(await from.deps.db.inAccount(account, async () => 'entered').catch(isAccountMoved)).toBe(true)
    expect(await claimable(from)).toEqual([])
    const before = await everyRow(from.connection)
    const failures: object[] = []
    const noon = { ...from.deps, log: { ...from.deps.log, ...logTo(failures) }, now: () => new Date().setUTCHours(12) }
    for (const job of scheduledJobs.filter(({ name }) => OF_ACCOUNTS.includes(name))) await job.run(noon, GO_ON)
    expect([failures, await everyRow(from.connection)]).toEqual([[], before])
  })
  it('has no page and no file any more where it was', async () => {
    const pages = [demo.sharedTrip, `${demo.sharedTrip}/trip.ics`, demo.survey, demo.referral, held.unsubscribe]
    const get = pages.map((url) => ({ method: 'GET' as const, url }))
    const post = [demo.sharedTrip, demo.survey, demo.referral].map((url) => ({ method: 'POST' as const, url }))
    for (const asked of [...get, ...post, { method: 'POST' as const, url: held.unsubscribe }]) {
      const { statusCode, headers, body } = await from.app.inject({ ...asked, headers: { 'accept-language': 'tr' } })
      expect([asked, statusCode, headers['content-type']]).toEqual([asked, 404, 'text/html; charset=utf-8'])
      expect(body).toMatch(/<html lang="tr">(?!.*<script)/s)
    }
    const file = await from.app.inject(held.url)
    expect([file.statusCode, file.json().code]).toEqual([404, 'not_found'])
  })
  it('is refused whole by another passphrase or region, and where somebody without the passphrase has altered it', async () => {
    const again = (cell: TestCell['deps'], other = passphrase, file = path) =>
      importAccount(cell, to.connection, { path: file, passphrase: other }, OPERATOR)
    const altered = join(folder, 'altered.account')
    await writeArchive(altered, partsWithoutKey(path))
    await expect(again(to.deps, passphrase, altered)).rejects.toThrow('damaged')
    await expect(again(to.deps, 'another passphrase')).rejects.toThrow('passphrase is wrong')
    await expect(again({ ...to.deps, config: { ...to.deps.config, region: 'tr' } })).rejects.toThrow('region')
    expect((await everyRow(to.connection)).accounts).toEqual([])
  })

  describe('and has arrived', () => {
    const call = (method: string, path: string, body?: object, headers = {}) =>
      to.call(method, path, { key: demo.keys.full, ...(body && { body }), headers })
    let third: TestCell
    beforeAll(async () => {
      await importAccount(to.deps, to.connection, { path, passphrase }, OPERATOR)
    })

    it('has every row unchanged, except sealed values', async () => {
      const sealed = Object.entries(SEALED_COLUMNS).map(([table, { columns }]) => [table, columns])
      const without = { ...Object.fromEntries(sealed), accounts: ['former_secrets'] }
      const [left, arrived] = [await everyRow(from.connection, without), await everyRow(to.connection, without)]
      const systems = ['cell_keys', 'exchange_rate_sources', 'exchange_rates', 'moved_accounts', 'scheduled_runs']
      for (const table of systems) delete left[table]
      for (const table of systems) delete arrived[table]
      const moved = arrived.audit_log?.filter((row) => row.includes('account.moved_here'))
      expect(moved).toHaveLength(1)
      arrived.audit_log = arrived.audit_log?.filter((row) => !moved?.includes(row)) ?? []
      const [, entry = 'none'] = moved?.[0]?.split(',') ?? []
      arrived.audit_pending = arrived.audit_pending?.filter((row) => !row.includes(entry)) ?? []
      expect(arrived).toEqual(left)
      expect(Object.values(left).flat().length).toBeGreaterThan(5_000)
    })
    it('does the pending work', async () => {
      const hint = 'Make a row due for these queues in makeDue of test/fault/account-move.test.ts'
      expect(await claimable(to), hint).toEqual(queuesOf(to.deps).map(({ name }) => name))
    })
    it('has the chain of its audit log, which fits, and goes on with the secret of the new cell', async () => {
      const verify = () => verifyChain(to.deps.db.reader(account), to.deps.accountSecrets)
      const before = await verify()
      expect([before.chained > 0, before.waiting > 0, before.problem]).toEqual([true, true, null])
      await ask(to, 'update audit_chains set leased_until = null')
      await (await auditChainQueue(to.deps).claim())?.(GO_ON)
      const after = await verify()
      expect(after).toMatchObject({ chained: before.chained + before.waiting, waiting: 0, problem: null })
    })
    it('has its keys, cursors, uploads, addresses, links and remembered answers', async () => {
      expect(held.accepted).toEqual([202, 422, 201, 200])
      expect((await call('GET', `/imports/customers/records?limit=5&cursor=${held.cursor}`)).body).toMatchObject({
        data: held.next,
      })
      const once = await call('POST', '/customers', { customer: { name: 'Once' } }, { 'idempotency-key': 'once' })
      expect([once.text, once.headers['idempotent-replay']]).toEqual([held.once, 'true'])
      const note = { note: { body: 'Late.', attachment_ids: [held.upload] } }
      expect((await call('POST', `/customers/${held.customer}/notes`, note)).status).toBe(201)
      expect((await to.app.inject(held.url)).rawPayload.equals(PDF)).toBe(true)
      expect((await to.app.inject(demo.sharedTrip)).statusCode).toBe(200)
      expect((await to.app.inject({ method: 'POST', url: held.unsubscribe })).statusCode).toBe(200)
    })
    it('signs its webhooks by the same secret, and has its ticket files', async () => {
      const [webhook] = await ask<{ signing_key: Buffer }>(to, 'select signing_key from webhooks')
      const key = to.deps.signingKeys.open(webhook?.signing_key as Buffer)
      expect(createHmac('sha256', key).digest('hex')).toBe(
        createHmac('sha256', signingKeyOf(held.webhook.signing_secret)).digest('hex'),
      )
      const [capture] = await ask<{ content: Buffer }>(
        to,
        'select content from ticket_captures order by created_at desc',
      )
      expect(to.deps.printerFiles.open(capture?.content as Buffer)).toBe('nothing')
    })
    it('does not arrive twice', async () => {
      const twice = importAccount(to.deps, to.connection, { path, passphrase }, OPERATOR)
      await expect(twice).rejects.toThrow(`Account ${account} already exists`)
    })
    it('starts after running work has ended, and includes the last writes', async () => {
      const onward = join(folder, 'onward.account')
      const accountNumbers = { first: 20_100_000, last: 20_100_001 }
      third = await startCell({ cellSecret: 'a third secret', accountNumbers, deps: { count: uncounted } })
      expect((await makeAgency(third)).number).toBe(20_100_000)
      await ask(to, 'update message_sends set leased_by = null')
      // As it is where the cell's secret was changed since.
      await ask(to, `update accounts set former_secrets = '\\x00'::bytea || former_secrets`)
      await ask(to, `update webhooks set leased_until = now() + interval '500 milliseconds'`)
      const goOn = Promise.withResolvers<void>()
      const last = to.deps.db.inAccount(account, async (tx) => {
        await tx.now
        await goOn.promise
        await tx.all(rename, { name: 'Renamed' })
      })
      const exporting = exportAccount(to.deps, to.connection, { account, path: onward, passphrase }, OPERATOR)
      while ((await ask(to, 'select from moved_accounts')).length === 0) await sleep(1)
      goOn.resolve()
      await Promise.all([last, exporting])
      expect(await ask(to, 'select from webhooks where leased_until > now()')).toEqual([])
      await importAccount(third.deps, third.connection, { path: onward, passphrase }, OPERATOR)
      const read = await third.call('GET', `/imports/customers/records?limit=5&cursor=${held.cursor}`, {
        key: demo.keys.full,
      })
      expect(read.body).toMatchObject({ data: held.next })
      expect(await ask(third, `select name from accounts where account_id = ${account}`)).toEqual([{ name: 'Renamed' }])
    })
    it('keeps its number, and the new cell continues from its own last one', async () => {
      expect((await makeAgency(third)).number).toBe(20_100_001)
      await expect(makeAgency(third)).rejects.toThrow('ACCOUNT_NUMBERS')
    })
    it('is erased in the old cell, as documented, except for its number', async () => {
      const [sql = ''] = [...BACKUP_DOCUMENT.matchAll(/^```sql\n(.*?)^```/gms)].map(([, text]) => text)
      expect(sql).toContain('20000017')
      const erase = (cell: TestCell, number: number) =>
        withClient({ ...cell.connection, user: 'postgres' }, (client) =>
          client.query(sql.replaceAll('20000017', String(number))),
        )
      await expect(erase(from, account + 1)).rejects.toThrow('has not moved')
      await erase(to, account)
      const left = Object.entries(await everyRow(to.connection)).filter(([, rows]) =>
        rows.join().includes(`${account}`),
      )
      expect(left.map(([table, rows]) => [table, rows.length])).toEqual([
        ['accounts', 1],
        ['moved_accounts', 1],
      ])
      expect((await makeAgency(to)).number).toBe(account + 1)
    })
  })

  it('is at work again where it was once the move is taken back', async () => {
    await reopenAccount(from.deps.db, account, OPERATOR)
    expect((await from.call('GET', '/me', { key: demo.keys.full })).status).toBe(200)
    expect(await claimable(from)).toContain('imports')
  })
})

it('no table that triggers write to, no sequence and no column of bytes has been forgotten', async () => {
  const cell = await startCell()
  await withClient(cell.connection, async (client) => {
    const { rows: triggers } = await client.query(`
      select tgrelid::regclass, tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'public'::regnamespace and not tgisinternal and tgtype & 4 = 4
        and pg_get_triggerdef(t.oid) not like '%comes_as_it_is()%'`)
    const triggerHint = 'Add when (not comes_as_it_is()) to these triggers, or rows from another cell would change'
    expect(triggers, triggerHint).toEqual([])
    const sequences = (await client.query('select sequencename from pg_sequences')).rows
    expect(sequences, 'Use uuidv7() or a counter row: the next value of a sequence does not move').toEqual([])
    const { rows: bytes } = await client.query<{ column: string }>(`
      select table_name || '.' || column_name as column from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' order by 1`)
    const sealed = Object.entries(SEALED_COLUMNS).flatMap(([table, { columns }]) =>
      columns.map((one) => `${table}.${one}`),
    )
    /** What is equal in every cell. */
    const hashes = [
      'api_keys.token_hash',
      'audit_chains.head',
      'audit_checkpoints.mac',
      'audit_checkpoints.signature',
      'audit_links.mac',
      'bsp_billings.sha256',
      'email_changes.new_hash',
      'email_changes.old_hash',
      'idempotency_keys.fingerprint',
      'pending_sign_ins.browser_hash',
      'pending_sign_ins.state_hash',
      'passkey_challenges.challenge',
      'passkeys.credential_id',
      'passkeys.public_key',
      'sign_in_challenges.challenge',
      'sign_in_challenges.token_hash',
      'waiting_sign_ins.token_hash',
      'recovery_codes.code_hash',
      'sessions.token_hash',
      'share_links.token_hash',
      'sign_in_attempts.subject',
      'sign_in_links.token_hash',
      'ticket_captures.sha256',
    ]
    /** What another cell makes otherwise: there a visitor is another one. */
    const own = ['cell_keys.wrapped', 'referral_visits.visitor', 'share_link_attempts.visitor']
    const hint =
      'List a new column in SEALED_COLUMNS if the cell encrypts it, otherwise in `hashes` or `own` of this test'
    expect(
      bytes.map(({ column }) => column),
      hint,
    ).toEqual([...sealed, ...hashes, ...own].sort())
  })
})
