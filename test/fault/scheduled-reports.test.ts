import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { scheduledReports } from '../../src/features/reports/saved/scheduled-reports.job.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import { reportSources } from '../../src/registry.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { fillAlike } from '../harness/look-alikes.ts'
import { end, temporaryFolder, work } from '../harness/process.ts'
import { withRecords } from '../harness/records.ts'
import { DAY, LAST_DUE, type Mail, scheduledReportsOf } from '../harness/scheduled-reports.ts'
import { GO_ON, logTo } from '../harness/worker.ts'

const { the } = withRecords()
beforeAll(() => fillAlike(the.cell, the.agency))
const { sql, due, failures, queue, runAll, leaseRunsOut, mailsOf, runsOf, toldOf, bytesOf } = scheduledReportsOf(the)

describe('a scheduled report', () => {
  it('is sent to each recipient, for the day on which it was due, and is due again', async () => {
    const id = await due({ name: 'Sent', preset_key: 'sales_by_branch', definition: null, filters: { to: 'today' } })
    await runAll()
    const mails = await mailsOf(`Sent_${DAY.with({ day: 1 })}_${DAY}.csv`)
    expect(mails.map(({ to, subject, file }) => [to, subject, file.type])).toEqual([
      ['a@x.example', `Sent, ${DAY}`, 'text/csv'],
      ['b@x.example', `Sent, ${DAY}`, 'text/csv'],
    ])
    expect(await bytesOf(mails[0] as Mail)).toContain('Branch')
    expect(await runsOf(id)).toEqual([{ status: 'sent', reason: null, due: expect.anything() }])
    expect(await toldOf(id)).toEqual([
      { seat_id: the.agency.owner.id, title: 'Report sent: Sent', body: 'To 2 addresses.', priority: 'normal' },
    ])
    const shown = await the.cell.call('GET', `/saved_reports/${id}/definition`, { key: the.agency.key })
    const { last_run_at, next_run_at } = (shown.body as { data: Record<string, string> }).data
    expect(Date.parse(String(last_run_at))).toBeGreaterThan(Date.now() - 60_000)
    expect(next_run_at).toMatch(/T04:00:00/)
  })
  it('catches up on the missed runs of a week, each once', async () => {
    const id = await due({ name: 'Late' }, the.agency.key, LAST_DUE.subtract({ hours: 240 }).toString())
    await runAll()
    const days = (await runsOf(id)).map((run) => String(run.due))
    expect(days).toHaveLength(8)
    expect(new Set(days).size).toBe(8)
    await sql('delete from saved_reports where id = $1', [id])
  })
  it('of one account does not wait for all of another', async () => {
    const other = await makeAgency(the.cell)
    for (let nth = 0; nth < 12; nth++) await due({ name: `Crowd ${nth}` })
    const one = await due({ name: 'One' }, other.key)
    for (let claims = 0; claims < 10; claims++) await (await queue().claim())?.(GO_ON)
    expect(await runsOf(one)).toMatchObject([{ status: 'sent' }]) // or not, once in a thousand times
    await runAll()
  })
  it('sees what the seat sees that saved it, and no more than the role of its key', async () => {
    const { key } = await the.agency.makeKey({ role: 'advisor' })
    const recipients = ['advisor@agency.example']
    await due({ name: 'Bound', recipients }, key)
    const taken = await due({ name: 'Taken' })
    await the.cell.call('PATCH', `/saved_reports/${taken}`, {
      key,
      body: { saved_report: { recipients } },
    })
    await sql('update saved_reports set next_attempt_at = now() where id = $1', [taken])
    await due({ name: 'Whole' })
    await runAll()
    const costs = async (name: string) =>
      (await bytesOf((await mailsOf(`${name}.csv`))[0] as Mail))?.split('\r\n')[1]?.split(',')[2]
    expect([await costs('Bound'), await costs('Taken'), await costs('Whole')]).toEqual(['', '', '60.00'])
  })
  it.each<[string, (own: Agency) => Promise<unknown>, string, RegExp]>([
    [
      'of an account that was closed',
      (own) => sql(`update accounts set status = 'closed' where account_id = $1`, [own.number]),
      'skipped',
      /closed/,
    ],
    [
      'of a plan without the builder',
      (own) => sql(`update accounts set plan = 'growth' where account_id = $1`, [own.number]),
      'skipped',
      /plan/,
    ],
    [
      'whose fields are gone',
      (own) => sql(`update saved_reports set definition = '{"entity": "moons"}' where account_id = $1`, [own.number]),
      'failed',
      /definition.entity/,
    ],
    [
      'whose window ends before it begins today',
      (own) =>
        sql(
          `update saved_reports set definition = null, preset_key = 'sales_by_branch', filters = '{"from": "today", "to": "today-1"}'
           where account_id = $1`,
          [own.number],
        ),
      'failed',
      /filters\[from\]: Must not be after to/,
    ],
    [
      'that no process has come to the end of',
      (own) => sql('update saved_reports set attempts = 10 where account_id = $1', [own.number]),
      'failed',
      /10 times/,
    ],
  ])('%s is not sent, and the seat is notified', async (_, change, status, reason) => {
    const own = await makeAgency(the.cell)
    const id = await due({ name: `Own ${own.number}` }, own.key)
    await change(own)
    await runAll()
    expect(await mailsOf(`Own_${own.number}.csv`)).toEqual([])
    expect(await runsOf(id)).toEqual([{ status, reason: expect.stringMatching(reason), due: expect.anything() }])
    expect(await toldOf(id)).toEqual([
      {
        seat_id: own.owner.id,
        title: expect.stringContaining('not sent'),
        body: expect.stringMatching(reason),
        priority: 'high',
      },
    ])
    await sql('delete from saved_reports where id = $1', [id])
  })
  it('is run once by however many ask at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, (_, at) => due({ name: `Many ${at}` })))
    const other = openDatabase(the.cell.connection, 2, () => {})
    const log = logTo(failures)
    const stops = [the.cell.deps.db, other].map((db) =>
      startWorkers({ db, log }, scheduledReports({ ...the.cell.deps, db, log }, reportSources)),
    )
    await vi.waitFor(async () => expect((await Promise.all(ids.map(runsOf))).flat()).toHaveLength(6), 5_000)
    await Promise.all(stops.map((stop) => stop()))
    await other.close()
    for (const at of ids.keys()) expect(await mailsOf(`Many_${at}.csv`)).toHaveLength(2)
  })
  it('of a worker that is thought dead is sent by another, and once', async () => {
    const id = await due({ name: 'Slow' })
    const held = Promise.withResolvers<void>()
    const { store } = the.cell.deps.files
    const slow = {
      ...store,
      put: (...given: Parameters<typeof store.put>) => held.promise.then(() => store.put(...given)),
    }
    const first = (await queue({ ...the.cell.deps, files: { ...the.cell.deps.files, store: slow } }).claim())?.(GO_ON)
    await leaseRunsOut()
    await runAll()
    held.resolve()
    await first
    expect(await mailsOf('Slow.csv')).toHaveLength(2)
    expect(await runsOf(id)).toHaveLength(1)
  })
  it('that is changed while it runs is sent as it is then', async () => {
    const id = await due({ name: 'Old' })
    const job = await queue().claim()
    await the.cell.call('PATCH', `/saved_reports/${id}`, {
      key: the.agency.key,
      body: { saved_report: { name: 'New' } },
    })
    await job?.(GO_ON)
    await runAll()
    expect([(await mailsOf('Old.csv')).length, (await mailsOf('New.csv')).length]).toEqual([0, 2])
    expect(failures).toEqual([])
  })
  it('is sent once also when the process is killed', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, (_, at) => due({ name: `Killed ${at}` })))
    const done = async () => (await Promise.all(ids.map(runsOf))).flat().length
    const { host, port, database, user } = the.cell.connection
    const DATABASE_URL = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`
    const worker = await work(temporaryFolder(), { DATABASE_URL, SECRET: 's'.repeat(32) })
    while ((await done()) === 0) await sleep(2)
    await end(worker, 'SIGKILL')
    expect(await done()).toBeLessThan(ids.length) // or the kill had proved nothing
    await leaseRunsOut()
    await runAll()
    expect(await done()).toBe(ids.length)
    for (const at of ids.keys()) expect(await mailsOf(`Killed_${at}.csv`)).toHaveLength(2)
  })
})
