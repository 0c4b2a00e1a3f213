import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auditChainQueue } from '../../src/features/audit/chain.job.ts'
import { logChainHeads } from '../../src/features/audit/chain-heads.job.ts'
import { dropOldEntries } from '../../src/features/audit/commands/drop-old-entries.ts'
import { verifyChain } from '../../src/features/audit/reads/verify-chain.ts'
import { auditOwn } from '../../src/platform/audit.ts'
import { type Agency, makeAgency, OPERATOR } from '../harness/agency.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { ask, askPastWalls } from '../harness/sql.ts'
import { GO_ON } from '../harness/worker.ts'

const ENTRIES = 8
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell()
})
beforeEach(async () => {
  agency = await makeAgency(cell)
})

const write = (account: number, nth: number) =>
  cell.deps.db.inAccount(
    account,
    async (tx) =>
      auditOwn(tx, { action: 'test.done', subjectType: 'test', subjectId: String(nth), details: { nth, text: 'ğ "' } }),
    { name: 'somebody', source: '10.0.0.1', key: agency.owner.id, seat: agency.owner.id },
  )
async function writeSome(account = agency.number) {
  for (let nth = 0; nth < ENTRIES; nth++) await write(account, nth)
}
async function chain() {
  const queue = auditChainQueue(cell.deps)
  for (let job = await queue.claim(); job; job = await queue.claim()) await job(GO_ON)
}
const verify = (account = agency.number, logged?: Parameters<typeof verifyChain>[2]) =>
  verifyChain(cell.deps.db.reader(account), cell.deps.accountSecrets, logged)
const problem = async () => (await verify()).problem
const superuser = <T>(sql: string, values: unknown[] = []) => askPastWalls<T>(cell, sql, values)

/** Columns whose rows a chain covers, with the tables that it consists of. */
const columnsOf = async (table: string) =>
  (
    await superuser<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      [table],
    )
  ).map(({ name }) => name)
/** SQL of another value of the type of a column. */
const OTHERS: Readonly<Record<string, string>> = {
  uuid: 'uuidv7()',
  text: `%s || 'x'`,
  jsonb: `%s || '{"x": 1}'`,
  'timestamp with time zone': `%s + interval '1 microsecond'`,
  bigint: '%s + 1000',
  bytea: `set_byte(%s, 0, 255 - get_byte(%s, 0))`,
}
/** The number of an account whose chain stays empty. */
async function unchained(): Promise<number> {
  const { number } = await makeAgency(cell)
  await superuser('delete from audit_pending where account_id = $1', [number])
  return number
}
/** Changes a column of one row, which is the n-th of its table. */
async function tamper(table: 'audit_log' | 'audit_links', column: string, nth: number): Promise<void> {
  const [{ type } = { type: '' }] = await superuser<{ type: string }>(
    'select format_type(atttypid, null) as type from pg_attribute where attrelid = $1::regclass and attname = $2',
    [table, column],
  )
  const other = column === 'account_id' ? String(await unchained()) : OTHERS[type]
  if (other === undefined) throw new Error(`Give OTHERS a value of the type ${type}, so that ${column} is tested.`)
  const order = table === 'audit_log' ? 'id' : 'seq'
  await superuser(
    `update ${table} set ${column} = ${other.replaceAll('%s', column)} where ctid =
       (select ctid from ${table} where account_id = $1 order by ${order} offset $2 limit 1)`,
    [agency.number, nth],
  )
}

describe('the audit log', () => {
  it('is chained from its first entry on, and fits', async () => {
    await writeSome()
    const [{ entries } = { entries: 0 }] = await ask<{ entries: number }>(
      cell,
      'select count(*)::integer as entries from audit_log where account_id = $1',
      [agency.number],
    )
    expect(await verify()).toMatchObject({ chained: 0, waiting: entries, problem: null })
    await chain()
    expect(await verify()).toMatchObject({ chained: entries, waiting: 0, problem: null })
  })
  it('is verified over the application API as on the command line', async () => {
    const session = await signInAs(cell, agency.number, agency.owner.id)
    const answer = async () => {
      const { status, body } = await cell.call('GET', '/app/v1/audit_log/verification', { session })
      expect(status).toBe(200)
      const { account: _, ...verified } = await verify()
      expect((body as { data: object }).data).toEqual(verified)
      return verified.problem
    }
    await writeSome()
    await chain()
    expect(await answer()).toBeNull()
    await tamper('audit_log', 'action', 1)
    expect(await answer()).toEqual(expect.any(String))
  })
  it('has a change of any column of any row found', async () => {
    const columns = [
      ...(await columnsOf('audit_log')).map((name) => ['audit_log', name] as const),
      ...(await columnsOf('audit_links')).map((name) => ['audit_links', name] as const),
    ]
    for (const [table, column] of columns) {
      await fc.assert(
        fc.asyncProperty(fc.nat(ENTRIES - 1), async (nth) => {
          agency = await makeAgency(cell)
          await writeSome()
          await chain()
          expect(await problem()).toBeNull()
          await tamper(table, column, nth)
          expect([column, await problem()]).toEqual([column, expect.any(String)])
        }),
        { numRuns: 2 },
      )
    }
  }, 120_000)
  it('has any removed entries and links found, also where both are gone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(ENTRIES - 1),
        fc.nat(3),
        fc.subarray(['entry', 'link', 'head'], { minLength: 1 }),
        async (from, more, parts) => {
          if (parts.join() === 'head') return
          agency = await makeAgency(cell)
          await writeSome()
          await chain()
          const { head } = await verify()
          const [seq, mac] = head.split(':') as [string, string]
          const gone = await superuser<{ entry_id: string; seq: string }>(
            'select entry_id, seq from audit_links where account_id = $1 order by seq offset $2 limit $3',
            [agency.number, from, more + 1],
          )
          const seqs = gone.map((row) => row.seq)
          if (parts.includes('entry'))
            await superuser('delete from audit_log where account_id = $1 and id = any($2)', [
              agency.number,
              gone.map((row) => row.entry_id),
            ])
          if (parts.includes('link'))
            await superuser('delete from audit_links where account_id = $1 and seq = any($2)', [agency.number, seqs])
          if (parts.includes('head'))
            await superuser(
              `update audit_chains c set (last_seq, head) = (select coalesce(max(seq), 0), coalesce((array_agg(mac order by seq desc))[1], '')
               from audit_links l where l.account_id = c.account_id) where account_id = $1`,
              [agency.number],
            )
          const found = await verify(agency.number, { seq: BigInt(seq), mac })
          expect([parts, found.problem]).toEqual([parts, expect.any(String)])
        },
      ),
      { numRuns: 12 },
    )
  }, 60_000)
  it('has reordered entries found', async () => {
    await writeSome()
    await chain()
    await superuser('alter table audit_links drop constraint audit_links_account_id_entry_id_key')
    await superuser(
      `update audit_links l set entry_id = o.entry_id from audit_links o
       where l.account_id = $1 and o.account_id = $1 and l.seq in (3, 4) and o.seq = 7 - l.seq`,
      [agency.number],
    )
    await superuser('alter table audit_links add unique (account_id, entry_id)')
    expect(await problem()).toMatch(/link 3/)
  })
  it('has an entry found that was inserted past the queue, with or without a link', async () => {
    await writeSome()
    await chain()
    await superuser('alter table audit_log disable trigger queue_entries')
    const [{ id } = { id: '' }] = await superuser<{ id: string }>(
      `insert into audit_log (account_id, actor, source, action, subject_type, subject_id)
       values ($1, 'x', 'x', 'x', 'x', 'x') returning id`,
      [agency.number],
    )
    await superuser('alter table audit_log enable trigger queue_entries')
    expect(await problem()).toContain(id)
    await superuser(
      `with linked as (
         insert into audit_links (account_id, seq, entry_id, mac)
         select account_id, last_seq + 1, $2, head from audit_chains where account_id = $1 returning seq)
       update audit_chains set last_seq = linked.seq from linked where account_id = $1`,
      [agency.number, id],
    )
    expect(await problem()).toContain(id)
  })
  it('has an entry found that was removed before it was chained', async () => {
    await write(agency.number, 1)
    await superuser(`delete from audit_log where account_id = $1 and action = 'test.done'`, [agency.number])
    expect(await problem()).toMatch(/before it was chained/)
  })
  it.each(['backdesk_app', 'backdesk_system'])('cannot be changed or emptied by %s', async (role) => {
    const may = await superuser<{ held: string }>(
      `select t || ' ' || p as held from unnest('{audit_log,audit_links,audit_checkpoints}'::text[]) t,
         unnest('{update,delete,truncate}'::text[]) p where has_table_privilege($1, t, p)`,
      [role],
    )
    expect(may).toEqual([])
  })
  it('loses no entry of transactions that commit in another order than they began', async () => {
    await chain()
    const { db } = cell.deps
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const early = db.inAccount(agency.number, async (tx) => {
      auditOwn(tx, { action: 'test.early', subjectType: 'test', subjectId: '1' })
      await tx.now
      begun.resolve()
      await goOn.promise
    })
    await begun.promise
    await write(agency.number, 2) // neither another writer nor the worker waits for the first
    await chain()
    goOn.resolve()
    await early
    await chain()
    const order = await ask<{ action: string }>(
      cell,
      `select e.action from audit_links l join audit_log e on e.account_id = l.account_id and e.id = l.entry_id
       where l.account_id = $1 order by l.seq desc limit 2`,
      [agency.number],
    )
    expect(order).toEqual([{ action: 'test.early' }, { action: 'test.done' }])
    expect(await verify()).toMatchObject({ waiting: 0, problem: null })
  })
  it('of one account is chained while a worker holds the chain of another', async () => {
    const other = await makeAgency(cell)
    await chain()
    await write(other.number, 1)
    const held = await auditChainQueue(cell.deps).claim()
    expect(held).not.toBeNull()
    await write(other.number, 2)
    await write(agency.number, 1)
    await chain()
    expect(await verify()).toMatchObject({ waiting: 0, problem: null })
    expect(await verify(other.number)).toMatchObject({ waiting: 2, problem: null })
    await held?.(GO_ON)
    expect(await verify(other.number)).toMatchObject({ waiting: 0, problem: null })
  })
  it('is chained once by several workers at a time', async () => {
    await writeSome()
    await Promise.all([chain(), chain(), chain()])
    expect(await verify()).toMatchObject({ waiting: 0, problem: null })
  })
  it('has its heads logged', async () => {
    await writeSome()
    await chain()
    const lines: object[] = []
    await logChainHeads.run({ db: cell.deps.db, log: { info: (fields) => void lines.push(fields) } }, GO_ON)
    const { head } = await verify()
    expect(lines).toContainEqual({ account: agency.number, head })
  })
})

describe('old entries', () => {
  const drop = (before: string, now = Date.now()) =>
    cell.deps.db.asSystem('a test drops old entries', (tx) =>
      dropOldEntries(tx, cell.deps.accountSecrets, { account: agency.number, before, now }, OPERATOR),
    )
  /** As if all of it had been written years ago, and chained then. */
  async function age(): Promise<void> {
    await superuser(`update audit_log set created_at = '2020-03-15' where account_id = $1`, [agency.number])
    await chain()
  }
  it('are dropped behind a checkpoint, from which the chain goes on', async () => {
    await writeSome()
    await age()
    await write(agency.number, 100)
    await chain()
    expect(await drop('2020-04')).toBeGreaterThan(ENTRIES)
    await chain()
    expect(await verify()).toMatchObject({ chained: 2, waiting: 0, problem: null })
    await superuser(`update audit_checkpoints set signature = '\\x00' where account_id = $1`, [agency.number])
    expect(await problem()).toMatch(/checkpoint/)
  })
  it('are kept for a year, whatever asks for them', async () => {
    await writeSome()
    await chain()
    await expect(drop(new Date().toISOString().slice(0, 7))).rejects.toMatchObject({ code: 'not_allowed_now' })
    await expect(drop('2031-01', Date.parse('2035-01-01'))).rejects.toThrow(/kept for a year/)
    expect(await drop('2020-01')).toBe(0)
    expect(await problem()).toBeNull()
  })
})
