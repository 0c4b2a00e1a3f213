import { constants, getPriority } from 'node:os'
import { DatabaseError } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { runInBackground } from '#embedded-postgres/in-background.ts'
import { presetsOf } from '../../src/features/reports/presets.ts'
import { runReport } from '../../src/features/reports/run-report.ts'
import { policySet } from '../../src/platform/access/policies.ts'
import type { AccountReader } from '../../src/platform/db/account-tx.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { undeclared } from '../harness/undeclared.ts'

type OfAccount = { account: number }
const sleep = undeclared<OfAccount, never>('select pg_sleep(0.3) where $account::integer > 0')
const remove = undeclared<OfAccount, never>('delete from customer_notes where account_id = $account')
const settings = undeclared<OfAccount, { role: string; timeout: string; seats: string }>(`
  select current_user as role, current_setting('statement_timeout') as timeout, count(distinct account_id) as seats
  from seats where $account::integer > 0`)

const backend = undeclared<OfAccount, { pid: number }>('select pg_backend_pid() as pid where $account::integer > 0')

describe('reports are read', () => {
  let cell: TestCell
  let agency: Agency
  let other: Agency
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    agency = await makeAgency(cell)
    other = await makeAgency(cell)
  })
  it('behind the wall, for 30 seconds at most, and nothing is changed', async () => {
    const reader = cell.deps.db.reports(agency.number)
    expect(await reader.one(settings, {})).toEqual({ role: 'backdesk_app', timeout: '30s', seats: '1' })
    await expect(reader.all(remove, {})).rejects.toMatchObject({ code: '25006' })
  })
  it('at a lower priority than those who write, on a server of the cell’s own', async () => {
    const db = openDatabase(cell.connection, 1, () => {}, undefined, { connection: cell.connection, runInBackground })
    try {
      const report = await db.reports(agency.number).one(backend, {})
      const writer = await db.reader(agency.number).one(backend, {})
      expect(getPriority(report?.pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL)
      expect(getPriority(writer?.pid)).toBe(constants.priority.PRIORITY_NORMAL)
    } finally {
      await db.close()
    }
  })
  it('two of an account at once, so that another account is not kept waiting', async () => {
    const done: string[] = []
    const long = ['one', 'two', 'three'].map(async (name) => {
      await cell.deps.db.reports(agency.number).all(sleep, {})
      done.push(name)
    })
    await cell.call('GET', '/reports/sales_by_customer', other)
    done.push('another account')
    await Promise.all(long)
    expect([done[0], done.at(-1)]).toEqual(['another account', 'three'])
  })
  it('or refused where it takes too long, with what to do about it', async () => {
    const slow = Object.assign(new DatabaseError('canceled', 0, 'error'), { code: '57014' })
    const reader = { account: agency.number, one: () => Promise.reject(slow) } as unknown as AccountReader
    const [preset] = presetsOf([])
    if (!preset) throw new Error('There is no preset')
    const viewer = { timeZone: 'UTC', locale: 'en', policies: policySet([]) }
    const running = runReport(reader, viewer, preset, {}, { limit: 1, after: null }, Date.now())
    await expect(running).rejects.toMatchObject({ code: 'report_timeout', status: 422 })
  })
})
