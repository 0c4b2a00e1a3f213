import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { createRole } from '../../src/features/accounts/commands/edit-role.ts'
import { SERVER_OPERATOR } from '../../src/features/accounts/commands/seat-rules.ts'
import { BUILT_IN_ROLES, POLICIES, type Policy } from '../../src/platform/access/policies.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { ask } from '../harness/sql.ts'

/** What it takes to be let in to the routes that give something away. */
const EDITOR: readonly Policy[] = ['manage_people', 'manage_settings', 'manage_webhooks', 'view_reports']
const RUNS = 12

let cell: TestCell
let agency: Agency
let serial = 0
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})

async function makeRole(policies: readonly Policy[]): Promise<string> {
  const name = `role_${serial++}`
  await cell.deps.db.inAccount(agency.number, (tx) => createRole(tx, SERVER_OPERATOR, name, policies))
  return name
}
const makeSeat = (role: string) =>
  cell.deps.db.asSystem('a test makes a seat', (tx) =>
    insertSeat(tx, agency.number, { name: role, email: `${serial++}@agency.example`, role, branchId: null }),
  )
async function makeEditor(policies: readonly Policy[]) {
  const role = await makeRole(policies)
  const seat = await makeSeat(role)
  const session = await signInAs(cell, agency.number, seat)
  const call = (method: string, path: string, body?: object) => cell.call(method, `/app/v1${path}`, { session, body })
  return { role, seat, call }
}
type Editor = Awaited<ReturnType<typeof makeEditor>>
type Gift = { readonly role: string; readonly policies: readonly Policy[] }

/** Every way to give a role to somebody or something, or to change what has it. */
const WAYS: Readonly<Record<string, (editor: Editor, gift: Gift) => ReturnType<Editor['call']>>> = {
  'an invitation': ({ call }, { role }) => call('POST', '/people', { email: `${serial++}@agency.example`, role }),
  'another role of a colleague': async ({ call }, { role }) => {
    const colleague = await makeSeat(await makeRole([]))
    return call('PATCH', `/people/${colleague}`, { version: 1, role })
  },
  'a change of a colleague who has it': async ({ call }, { role }) =>
    call('PATCH', `/people/${await makeSeat(role)}`, { version: 1, name: 'Renamed' }),
  'a new invitation of a colleague who has it': async ({ call }, { role }) =>
    call('POST', `/people/${await makeSeat(role)}/invitation`),
  'a new role': ({ call }, { policies }) => call('POST', '/roles', { name: `role_${serial++}`, policies }),
  'a change of another role': async ({ call }, { policies }) =>
    call('PATCH', `/roles/${await makeRole([])}`, { version: 1, policies }),
  'a change of the own role': async ({ call, role }, { policies }) =>
    call('PATCH', `/roles/${role}`, { version: 1, policies }),
  'a change of the role that has it': ({ call }, { role }) =>
    call('PATCH', `/roles/${role}`, { version: 1, policies: [] }),
  'a key': ({ call }, { role }) => call('POST', '/api_keys', { name: 'Key', scopes: ['full'], role }),
  'another role of a key': async ({ call }, { role }) => {
    const { id } = await agency.makeKey({ role: await makeRole([]) })
    return call('PATCH', `/api_keys/${id}`, { version: 1, role })
  },
  'a rotation of a key that has it': async ({ call }, { role }) =>
    call('POST', `/api_keys/${(await agency.makeKey({ role })).id}/rotate`, { overlap_hours: 0 }),
}

describe('a role is given away, and what has it is changed, by those alone who hold all of its policies', () => {
  const others = POLICIES.filter((policy) => !EDITOR.includes(policy))
  it.each(Object.entries(WAYS))('by %s', async (_, way) => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(others), fc.subarray([...POLICIES]), async (more, policies) => {
        const own = [...EDITOR, ...more]
        const editor = await makeEditor(own)
        const { status, text } = await way(editor, { role: await makeRole(policies), policies })
        const isHeld = policies.every((policy) => own.includes(policy))
        expect([status < 300, isHeld || status === 403, text]).toEqual([isHeld, true, text])
      }),
      {
        numRuns: RUNS,
        examples: [
          [[], []],
          [[], [...EDITOR]],
          [[], ['close_periods']],
          [others, [...POLICIES]],
        ],
      },
    )
  })
})

describe('an editor', () => {
  it('changes neither the own seat’s role, whatever it is, nor removes themselves', async () => {
    const editor = await makeEditor(POLICIES)
    for (const role of ['owner', 'viewer', editor.role])
      expect([role, (await editor.call('PATCH', `/people/${editor.seat}`, { version: 1, role })).status]).toEqual([
        role,
        role === editor.role ? 200 : 403,
      ])
    const removal = { reassign_to_id: agency.advisor }
    expect((await editor.call('POST', `/people/${editor.seat}/deactivate`, removal)).status).toBe(403)
  })
  it('without all policies makes no key that acts as the owner, and turns none into one', async () => {
    const admin = await makeEditor([...(BUILT_IN_ROLES.admin ?? [])])
    const body = { name: 'Key', scopes: ['full'] }
    expect((await admin.call('POST', '/api_keys', body)).status).toBe(403)
    expect((await admin.call('POST', '/api_keys', { ...body, role: null })).status).toBe(403)
    const { id } = await agency.makeKey({ role: 'viewer' })
    expect((await admin.call('PATCH', `/api_keys/${id}`, { version: 1, role: null })).status).toBe(403)
  })
  it('gives no built-in role of the same name other policies, and makes none look like one', async () => {
    const owner = await makeEditor(POLICIES)
    for (const name of [...Object.keys(BUILT_IN_ROLES), 'Owner', 'owner ', 'ówner', '__proto__', 'constructor'])
      expect([name, (await owner.call('POST', '/roles', { name, policies: [] })).status >= 400]).toEqual([
        name,
        name !== 'constructor',
      ])
  })
  it('cannot take the role or the seat of the last owner', async () => {
    const editor = await makeEditor(POLICIES)
    const { id } = agency.owner
    const answers = [
      await editor.call('PATCH', `/people/${id}`, { version: 1, role: 'viewer' }),
      await editor.call('POST', `/people/${id}/deactivate`, { reassign_to_id: editor.seat }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([409, 409])
    const owners = await ask(cell, `select from seats where account_id = $1 and role = 'owner' and active`, [
      agency.number,
    ])
    expect(owners).toHaveLength(1)
  })
})

describe('a schedule', () => {
  it('sends outside the account for those alone who may, and what its last editor sees', async () => {
    const owner = await makeEditor(POLICIES)
    const saved_report = {
      name: 'Sales',
      preset_key: 'sales_by_customer',
      schedule_frequency: 'daily',
      schedule_hour: 8,
      recipients: ['owner@agency.example'],
    }
    const made = await owner.call('POST', '/saved_reports', { saved_report })
    expect([made.status, made.text]).toEqual([201, made.text])
    const { id } = (made.body as { data: { id: string } }).data
    const editor = await makeEditor(['view_reports', 'view_personal_data'])
    const outside = { saved_report: { recipients: ['thief@elsewhere.example'] } }
    expect((await editor.call('PATCH', `/saved_reports/${id}`, outside)).status).toBe(403)
    const blind = await makeEditor(['view_reports'])
    expect((await blind.call('PATCH', `/saved_reports/${id}`, { saved_report: { name: 'Mine' } })).status).toBe(403)
    const savedBy = async () =>
      (await ask<{ seat: string }>(cell, 'select saved_by_id as seat from saved_reports where id = $1', [id])).map(
        ({ seat }) => seat,
      )
    expect(await savedBy()).toEqual([owner.seat])
    await editor.call('PATCH', `/saved_reports/${id}`, { saved_report: { name: 'Sales of the day' } })
    expect(await savedBy()).toEqual([editor.seat])
  })
})
