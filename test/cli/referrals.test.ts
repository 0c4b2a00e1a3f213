import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { environmentOf, runHere } from '../harness/command-line.ts'
import { temporaryFolder } from '../harness/process.ts'
import { referralsOf } from '../harness/referrals.ts'
import { ask } from '../harness/sql.ts'
import { tripsOf } from '../harness/trips.ts'

const UNKNOWN = '01890000-0000-7000-8000-000000000000'
const folder = temporaryFolder()
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const trips = tripsOf(() => cell)
const { open, enquire } = referralsOf(() => cell)

const referral = (...args: string[]) =>
  runHere(['referral', ...args, '--account', String(agency.number)], folder, {
    ...environmentOf(cell),
    PUBLIC_URL: 'https://desk.example',
  })
const json = async (...args: string[]) => JSON.parse((await referral(...args, '--json')).stdout)

describe('backdesk referral', () => {
  it('creates a code, prints its address and results, and stops it', async () => {
    const customer = await trips.customer(agency, { company_id: agency.otherCompany })
    const trip = await trips.make(agency, {}, customer)
    const { reference_number } = await trips.read<{ reference_number: string }>(trip, agency)
    const { id, address } = await json(
      'create',
      '--label',
      ' Spring ',
      '--customer',
      customer,
      '--trip',
      reference_number,
    )
    expect(address).toMatch(/^https:\/\/desk\.example\/r\/[a-hjkmnp-z2-9]{10}$/)
    const token = address.slice(-10)
    await enquire(token)
    await enquire(token)
    const { data } = (await cell.call('GET', '/leads', { key: agency.key })).body as { data: { id: string }[] }
    await cell.call('POST', `/leads/${data[0]?.id}/convert`, { key: agency.key, body: {} })

    const other = await referral('create', '--customer', customer, '--assign-to', agency.advisor)
    expect(other).toMatchObject({ code: 0, stdout: expect.stringMatching(/^https:\/\/desk\.example\/r\/\S{10}\n$/) })
    const { referrals } = await json('list')
    const shared = { customer: 'Ayşe Yılmaz', active: true }
    expect(referrals).toMatchObject([
      { ...shared, address: other.stdout.trim(), label: null, trip: null, company: 'Test Reisen', visits: 0, leads: 0 },
      { ...shared, id, address, label: 'Spring', trip: reference_number, visits: 1, leads: 2, conversions: 1 },
    ])
    expect(referrals[0].assigned_to).toBe('advisor@agency.example')

    expect(await json('stop', token.toUpperCase())).toEqual({ id, changed: true })
    expect(await referral('stop', id)).toMatchObject({ code: 0, stdout: `${id} is already stopped.\n` })
    expect((await open(token)).statusCode).toBe(404)
    const audited = 'select action from audit_log where subject_id = $1 order by id'
    expect(await ask(cell, audited, [id])).toEqual([
      { action: 'referral_code.created' },
      { action: 'referral_code.stopped' },
    ])
  })
  it('refuses unknown ids, and those of other accounts', async () => {
    const other = await makeAgency(cell)
    const theirs = await trips.customer(other)
    const { id } = await referralsOf(() => cell).make(other)
    for (const [expectedText, ...args] of [
      ['customer_id: No customer with this id exists in this account.', 'create', '--customer', theirs],
      ['x is not the id of a customer', 'create', '--customer', 'x'],
      ['No trip x', 'create', '--trip', 'x'],
      ['No active company', 'create', '--company', other.company.id],
      ['assigned_to_id: No active seat', 'create', '--assign-to', other.advisor],
      ['label: Send at most 200 characters', 'create', '--label', 'x'.repeat(201)],
      ['No referral code', 'stop', id],
      ['No referral code', 'stop', UNKNOWN],
      ['No referral code', 'stop', 'x'],
    ] as [string, ...string[]][])
      expect(await referral(...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(expectedText),
      })
  })
})
