import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { pausedSchedules } from '../../src/features/reports/saved/paused-schedules.job.ts'
import { lockScheduleRights } from '../../src/features/reports/saved/schedule-rights.store.ts'
import { BUILT_IN_ROLES, POLICIES, policiesOf } from '../../src/platform/access/policies.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { fillAlike } from '../harness/look-alikes.ts'
import { withRecords } from '../harness/records.ts'
import { DAILY, DEFINITION, scheduledReportsOf } from '../harness/scheduled-reports.ts'
import { revokeKeyOf, saveRoleOf } from '../harness/settings.ts'
import { askPastWalls } from '../harness/sql.ts'
import { GO_ON, logTo } from '../harness/worker.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const { the } = withRecords()
beforeAll(() => fillAlike(the.cell, the.agency))
const { sql, due, queue, runAll, mailsOf, runsOf, toldOf } = scheduledReportsOf(the)

/** A schedule in the API and in the audit log. */
async function stateOf(id: string, key: string) {
  const { body } = await the.cell.call('GET', `/saved_reports/${id}/definition`, { key })
  const { schedule_state, paused_reason, next_run_at } = (body as { data: Record<string, string | null> }).data
  return { state: schedule_state, reason: paused_reason, next: next_run_at }
}
const auditOf = (id: string) =>
  sql<{ action: string; details: Record<string, unknown>; key_id: string | null; seat_id: string | null }>(
    'select action, details, key_id, seat_id from audit_log where subject_id = $1 order by created_at, id',
    [id],
  )
const saveDesk = (own: Agency, policies: readonly string[]) => saveRoleOf(the.cell, own.number, 'desk', policies)
const pauseNotAllowed = () => pausedSchedules.run(the.cell.deps, GO_ON)

describe('a schedule belongs to the seat and the key that saved it', () => {
  const DESK = ['view_reports', 'view_money', 'view_costs', 'manage_settings', 'manage_tasks']
  const without = (...lost: string[]) => DESK.filter((policy) => !lost.includes(policy))
  type Owned = { own: Agency; keyId: string }
  const CHANGES: [string, (owned: Owned) => Promise<unknown>, RegExp][] = [
    [
      'whose key was revoked',
      ({ own, keyId }) => revokeKeyOf(the.cell, own.number, keyId),
      /key “Desk” that saved the report was revoked/,
    ],
    [
      'whose key has expired',
      ({ keyId }) => sql('update api_keys set expires_at = now() where id = $1', [keyId]),
      /key “Desk” .* has expired/,
    ],
    [
      'whose seat was deactivated',
      ({ own }) => sql('update seats set active = false where id = $1', [own.owner.id]),
      /seat .* no longer active/,
    ],
    ['whose role may see no reports', ({ own }) => saveDesk(own, without('view_reports')), /needs view_reports/],
    ['whose role may not see what it shows', ({ own }) => saveDesk(own, without('view_costs')), /needs view_costs/],
    [
      'whose role may not send outside',
      ({ own }) => saveDesk(own, without('manage_settings')),
      /needs manage_settings/,
    ],
    [
      'whose recipient left the account',
      async ({ own }) => {
        await sql(`update saved_reports set recipients = '{advisor@agency.example}' where account_id = $1`, [
          own.number,
        ])
        await saveDesk(own, without('manage_settings'))
        await pauseNotAllowed()
        expect(await sql('select from saved_reports where account_id = $1 and schedule_paused', [own.number])).toEqual(
          [],
        )
        await sql('update seats set active = false where id = $1', [own.advisor])
      },
      /needs manage_settings/,
    ],
    [
      'whose key nobody knows',
      ({ own }) => sql('update saved_reports set saved_by_key_id = null where account_id = $1', [own.number]),
      /API key .* is unknown/,
    ],
  ]
  const owned = async () => {
    const own = await makeAgency(the.cell)
    await saveDesk(own, DESK)
    const { id: keyId, key } = await own.makeKey({ role: 'desk', name: 'Desk' })
    const name = `Desk ${own.number}`
    return { own, keyId, name, id: await due({ name }, key) }
  }
  const expectPaused = async ({ own, id, name }: Awaited<ReturnType<typeof owned>>, reason: RegExp) => {
    expect(await mailsOf(`${name.replace(' ', '_')}.csv`)).toEqual([])
    expect(await stateOf(id, own.key)).toEqual({ state: 'paused', reason: expect.stringMatching(reason), next: null })
    expect(await toldOf(id)).toEqual([
      {
        seat_id: own.owner.id,
        title: `Schedule paused: ${name}`,
        body: expect.stringMatching(reason),
        priority: 'high',
      },
    ])
    const [, paused, ...more] = await auditOf(id)
    expect(paused).toMatchObject({ action: 'saved_report.paused', details: { reason: expect.stringMatching(reason) } })
    expect(more).toEqual([])
  }
  it.each(CHANGES)('and pauses when it comes due, %s', async (_, change, reason) => {
    const mine = await owned()
    await change(mine)
    await runAll()
    await expectPaused(mine, reason)
    expect(await runsOf(mine.id)).toMatchObject([{ status: 'skipped', reason: expect.stringMatching(reason) }])
  })
  it.each(CHANGES)('and pauses before it comes due, %s, once', async (_, change, reason) => {
    const mine = await owned()
    await sql(
      `update saved_reports set due_at = now() + interval '1 day', next_attempt_at = now() + interval '1 day' where id = $1`,
      [mine.id],
    )
    await change(mine)
    await pauseNotAllowed()
    await pauseNotAllowed()
    await expectPaused(mine, reason)
    expect(await runsOf(mine.id)).toEqual([])
  })
  it('and pauses where the key is revoked while the report runs', async () => {
    const mine = await owned()
    const held = Promise.withResolvers<void>()
    const { store } = the.cell.deps.files
    const put: typeof store.put = (...given) => held.promise.then(() => store.put(...given))
    const slow = { ...the.cell.deps, files: { ...the.cell.deps.files, store: { ...store, put } } }
    const running = (await queue(slow).claim())?.(GO_ON)
    await vi.waitFor(() =>
      expect(
        sql(`select from files where filename like 'Desk%' and account_id = $1`, [mine.own.number]),
      ).resolves.toHaveLength(1),
    )
    await revokeKeyOf(the.cell, mine.own.number, mine.keyId)
    held.resolve()
    await running
    await expectPaused(mine, /was revoked/)
  })
  it('and continues if the lost policy is not needed', async () => {
    const mine = await owned()
    await saveDesk(mine.own, without('manage_tasks'))
    await runAll()
    expect(await mailsOf(`${mine.name.replace(' ', '_')}.csv`)).toHaveLength(2)
  })
  it('and is resumed explicitly, which changes its owner, without catching up', async () => {
    const { own, keyId, id, name } = await owned()
    await revokeKeyOf(the.cell, own.number, keyId)
    await runAll()
    const patch = (saved_report: object, key = own.key) =>
      the.cell.call('PATCH', `/saved_reports/${id}`, { key, body: { saved_report } })
    const { key: advisors } = await own.makeKey({ role: 'advisor' })
    expect((await patch({ schedule_paused: false }, advisors)).status).toBe(403) // an external recipient
    expect((await patch({ name: 'Renamed' })).status).toBe(200)
    expect((await stateOf(id, own.key)).state).toBe('paused')
    expect((await patch({ name })).status).toBe(200)
    const [{ body: text } = { body: '' }] = await toldOf(id)
    const [, method, path, body] = /send (PATCH) \/api\/v1(\/\S+) with (\{.*\}\})/.exec(text) ?? []
    const replayOptions = { key: own.key, body: JSON.parse(String(body)) }
    expect((await the.cell.call(String(method), String(path), replayOptions)).status).toBe(200)
    const { state, reason, next } = await stateOf(id, own.key)
    expect([state, reason]).toEqual(['active', null])
    expect(Date.parse(String(next))).toBeGreaterThan(Date.now())
    await runAll()
    await pauseNotAllowed()
    expect(await mailsOf(`${name.replace(' ', '_')}.csv`)).toEqual([])
    await sql('update saved_reports set due_at = now(), next_attempt_at = now() where id = $1', [id])
    await runAll()
    expect(await mailsOf(`${name.replace(' ', '_')}.csv`)).toHaveLength(2)
  })
  it('and, from before schedules had keys, belongs to the only possible key, or else to its seat or none', async () => {
    const own = await makeAgency(the.cell)
    const madeBy = async (given: Parameters<Agency['makeKey']>[0]) => {
      const { id: key, key: token } = await own.makeKey(given)
      return { key, report: await due({ name: `Before ${own.number}`, recipients: ['owner@agency.example'] }, token) }
    }
    const [admins, owners] = [await madeBy({ role: 'admin' }), await madeBy({})]
    await own.makeKey({ scopes: ['import'], role: 'admin' }) // which saves no reports
    const shells = await due({ name: 'Shell', recipients: ['owner@agency.example'] }, own.key)
    await sql('update saved_reports set saved_as = null where id = $1', [shells])
    await sql('update saved_reports set saved_by_key_id = null where account_id = $1', [own.number])
    const [file] = globSync('*_paused_schedules.sql', { cwd: MIGRATIONS })
    const [, assign] = /^(update saved_reports[^;]*);/m.exec(readFileSync(join(MIGRATIONS, String(file)), 'utf8')) ?? []
    await sql(String(assign))
    const rows = 'select id, saved_by_key_id as key from saved_reports where account_id = $1 order by id'
    expect(await sql(rows, [own.number])).toEqual([
      { id: admins.report, key: admins.key },
      { id: owners.report, key: null }, // the agency has two of its role
      { id: shells, key: null },
    ])
    await pauseNotAllowed()
    const states = [admins.report, owners.report, shells].map(async (id) => (await stateOf(id, own.key)).state)
    expect(await Promise.all(states)).toEqual(['active', 'paused', 'active'])
    await sql('delete from saved_reports where account_id = $1', [own.number])
  })
  it('and, saved by a process of the former version, belongs to the only key that can have saved it, with what it needs now', async () => {
    const own = await makeAgency(the.cell)
    const recipients = ['owner@agency.example']
    const id = await due({ name: `Former ${own.number}`, recipients }, own.key)
    const { id: accountants } = await own.makeKey({ role: 'accountant' })
    const saveAs = (role: string | null) =>
      sql(`update saved_reports set name = 'Renamed', saved_as = $2, updated_at = now() where id = $1`, [id, role])
    const ownerOf = () => sql('select saved_by_key_id as key, needs from saved_reports where id = $1', [id])
    const needs = ['view_reports']
    await saveAs('accountant')
    expect(await ownerOf()).toEqual([{ key: accountants, needs }])
    await sql('update saved_reports set leased_by = null where id = $1', [id])
    expect(await ownerOf()).toEqual([{ key: accountants, needs }])
    await saveAs(null)
    expect(await ownerOf()).toEqual([{ key: null, needs }])
    await pauseNotAllowed()
    expect((await stateOf(id, own.key)).state).toBe('active')
    await own.makeKey({ role: 'accountant' })
    await saveAs('accountant')
    await pauseNotAllowed()
    expect(await stateOf(id, own.key)).toMatchObject({ state: 'paused', reason: expect.stringMatching(/is unknown/) })
  })
  it('and stays paused and unsent where a process of the former version changes it', async () => {
    const own = await makeAgency(the.cell)
    const id = await due({ name: `Paused ${own.number}` }, own.key)
    await the.cell.call('PATCH', `/saved_reports/${id}`, {
      key: own.key,
      body: { saved_report: { schedule_paused: true } },
    })
    await sql(
      `update saved_reports set schedule_hour = 8, due_at = now(), next_attempt_at = now(), leased_by = null, attempts = 0,
         updated_at = now() where id = $1`,
      [id],
    )
    await runAll()
    expect(await runsOf(id)).toEqual([])
    expect(await mailsOf(`Paused_${own.number}.csv`)).toEqual([])
    expect(await stateOf(id, own.key)).toMatchObject({ state: 'paused', next: null })
  })
  it('and pauses where that fails in another account, which is logged', async () => {
    const [broken, sound] = [await owned(), await owned()]
    for (const { own } of [broken, sound]) await saveDesk(own, without('view_costs'))
    await askPastWalls(
      the.cell,
      `alter table saved_reports add constraint broken check (account_id <> ${broken.own.number} or not schedule_paused)`,
    )
    const failed: object[] = []
    try {
      await pausedSchedules.run({ ...the.cell.deps, log: logTo(failed) }, GO_ON)
    } finally {
      await askPastWalls(the.cell, 'alter table saved_reports drop constraint broken')
    }
    expect(failed).toMatchObject([{ account: broken.own.number }])
    expect((await stateOf(sound.id, sound.own.key)).state).toBe('paused')
    await pauseNotAllowed()
    expect((await stateOf(broken.id, broken.own.key)).state).toBe('paused')
  })
  it('and lacks what policiesOf does not give to its seat and to the role of its key', async () => {
    const own = await makeAgency(the.cell)
    const id = await due({ recipients: ['owner@agency.example'] }, own.key)
    await saveDesk(own, DESK)
    await sql(`insert into roles (account_id, name, policies) values ($1, 'viewer', '{view_costs}')`, [own.number])
    await sql('update saved_reports set needs = $2 where id = $1', [id, POLICIES])
    const lackingOf = async (seat: string, role: string, key: string) => {
      await sql('update seats set role = $2 where id = $1', [seat, role])
      await sql('update saved_reports set saved_by_id = $2, saved_as = $3 where id = $1', [id, seat, key])
      const rights = await the.cell.deps.db.inAccount(own.number, (tx) => tx.one(lockScheduleRights, { id }))
      return rights?.lacking
    }
    for (const [role, policies] of [...Object.keys(BUILT_IN_ROLES), 'desk', 'gone', 'constructor'].map(
      (name) => [name, policiesOf(name, name === 'desk' ? DESK : null)] as const,
    )) {
      const lacking = POLICIES.filter((policy) => !policies.has(policy))
      expect([role, await lackingOf(own.advisor, role, 'owner')]).toEqual([role, lacking])
      expect([role, await lackingOf(own.owner.id, 'viewer', role)]).toEqual([role, lacking]) // the owner's seat is never less
    }
    await sql('delete from saved_reports where account_id = $1', [own.number])
  })
  it('and sends to external addresses only with manage_settings', async () => {
    const own = await makeAgency(the.cell)
    const { key } = await own.makeKey({ role: 'manager' })
    const send = (method: string, path: string, more: object) =>
      the.cell.call(method, path, {
        key,
        body: { saved_report: { name: 'Own', definition: DEFINITION, ...DAILY, ...more } },
      })
    expect((await send('POST', '/saved_reports', {})).status).toBe(403)
    const made = await send('POST', '/saved_reports', { recipients: ['Advisor@Agency.example'] })
    expect(made.status).toBe(201)
    const { id } = (made.body as { data: { id: string } }).data
    expect((await send('PATCH', `/saved_reports/${id}`, {})).status).toBe(403)
    await sql('update seats set active = false where id = $1', [own.advisor])
    expect((await send('PATCH', `/saved_reports/${id}`, { name: 'Theirs' })).status).toBe(403)
  })
  it('and records in the audit log the creation, changes, deletion and recipients', async () => {
    const own = await makeAgency(the.cell)
    const { id: key_id, key } = await own.makeKey()
    const recipients = ['a@x.example', 'advisor@agency.example']
    const id = await due({ name: 'Audited', recipients }, key)
    await runAll()
    await the.cell.call('PATCH', `/saved_reports/${id}`, {
      key,
      body: { saved_report: { recipients: ['b@x.example'] } },
    })
    await the.cell.call('DELETE', `/saved_reports/${id}`, { key })
    const by = { key_id, seat_id: own.owner.id }
    expect(await auditOf(id)).toMatchObject([
      { action: 'saved_report.created', ...by, details: { recipients, outside: ['a@x.example'] } },
      {
        action: 'saved_report.sent',
        key_id: null,
        details: { key: key_id, seat: own.owner.id, recipients, outside: ['a@x.example'], rows: 0 },
      },
      { action: 'saved_report.changed', ...by, details: { outside: ['b@x.example'] } },
      { action: 'saved_report.deleted', ...by },
    ])
  })
})
