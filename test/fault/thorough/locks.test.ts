import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { withClient } from '../../../src/platform/db/client.ts'
import { type Agency, makeAgency } from '../../harness/agency.ts'
import { type Answer, startCell, type TestCell, uncounted } from '../../harness/cell.ts'
import { ask, askPastWalls } from '../../harness/sql.ts'

const ROUNDS = 10
const ROWS = 10
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})

const send = (of: Agency, rows: readonly object[]): Promise<Answer> =>
  cell.call('POST', '/imports/customers', { key: of.key, body: { mode: 'sync', on_conflict: 'update', rows } })
const people = (word: string) =>
  Array.from({ length: ROWS }, (_, at) => ({ external_id: `L${at}`, name: `${word} ${at}` }))
const codeOf = ({ status, body }: Answer) => [status, status === 200 ? null : (body as { code: string }).code].join()

describe('a lock', () => {
  it('that somebody keeps is waited for for ten seconds, then 503 with Retry-After; reads go on', async () => {
    await send(agency, people('Before'))
    await withClient({ ...cell.connection, user: 'postgres' }, async (client) => {
      await client.query('begin')
      await client.query('select from change_counters where account_id = $1 for update', [agency.number])
      const begun = performance.now()
      const waiting = send(agency, people('After'))
      expect((await cell.call('GET', '/customers?limit=5', { key: agency.key })).status).toBe(200)
      const answer = await waiting
      const waited = performance.now() - begun
      expect([codeOf(answer), answer.headers['retry-after']]).toEqual(['503,unavailable', '2'])
      expect([waited > 9_500, waited < 12_000]).toEqual([true, true])
      await client.query('rollback')
    })
    expect((await send(agency, people('After'))).status).toBe(200)
    expect(await ask(cell, `select distinct version from customers where external_id like 'L%'`)).toEqual([
      { version: 2 },
    ])
  })
})

describe('opposite batches', () => {
  it('of one account follow each other: all are taken, and the rows are of one of them', async () => {
    const answers = await Promise.all(
      Array.from({ length: ROUNDS }, (_, nth) => send(agency, nth % 2 ? people('Up') : people('Down').reverse())),
    )
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['200,']))
    const names = await ask<{ name: string }>(
      cell,
      `select distinct split_part(name, ' ', 1) as name from customers where external_id like 'L%'`,
    )
    expect(names).toHaveLength(1)
  })

  it('that deadlock are run again, and refused with 409 or 503 at worst, whole; never with 500', async () => {
    // What two accounts have in common is nothing; here it is a lock for each name, in the order of the rows.
    await askPastWalls(
      cell,
      `create function meet() returns trigger language plpgsql as $$ begin
         perform pg_advisory_xact_lock(hashtext(new.name)); perform pg_sleep(0.05); return new; end $$;
       create trigger meet before insert on customers for each row execute function meet();
       alter database "${cell.connection.database}" set deadlock_timeout = '50ms'`,
    )
    const fresh = await startCell({ connection: cell.connection, deps: { count: uncounted } })
    const agencies = await Promise.all(Array.from({ length: 4 }, () => makeAgency(fresh)))
    const meeting = (nth: number) => {
      const rows = ['A', 'B', 'C', 'D'].map((name) => ({ external_id: `M-${name}`, name }))
      return nth % 2 ? rows : rows.reverse()
    }
    const answers = await Promise.all(
      agencies.map(({ key }, nth) =>
        fresh.call('POST', '/imports/customers', { key, body: { mode: 'sync', rows: meeting(nth) } }),
      ),
    )
    const [{ deadlocks } = { deadlocks: 0 }] = await countDeadlocks()
    expect(deadlocks).toBeGreaterThan(0)
    expect(answers.map(codeOf).filter((code) => !['200,', '409,conflict', '503,unavailable'].includes(code))).toEqual(
      [],
    )
    const kept = await ask<{ account: number; count: number }>(
      cell,
      `select account_id as account, count(*)::integer as count from customers where external_id like 'M-%' group by 1`,
    )
    const accepted = agencies.filter((_, at) => answers[at]?.status === 200)
    expect(kept.map(({ account, count }) => `${account} ${count}`).sort()).toEqual(
      accepted.map(({ number }) => `${number} 4`).sort(),
    )
    console.log({ deadlocks, accepted: accepted.length })
  })
})

/** The statistics follow some moments later. */
async function countDeadlocks(): Promise<{ deadlocks: number }[]> {
  for (; ; await sleep(50)) {
    const found = await ask<{ deadlocks: number }>(
      cell,
      'select deadlocks::integer from pg_stat_database where datname = current_database()',
    )
    if ((found[0]?.deadlocks ?? 0) > 0) return found
  }
}
