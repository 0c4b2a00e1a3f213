import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { environmentOf, runHere } from '../harness/command-line.ts'
import { run, temporaryFolder } from '../harness/process.ts'

const folder = temporaryFolder()
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const json = async (...args: string[]) =>
  JSON.parse((await runHere([...args, '--json'], folder, environmentOf(cell))).stdout)

const newAccount = ({ plan = 'growth', zone = 'UTC' }) => [
  ...['account', 'create', '--name', 'A', '--plan', plan, '--time-zone', zone],
  ...['--currency', 'EUR', '--country', 'DE', '--owner-email', 'o@example.com'],
]
const newKey = (...more: string[]) => ['key', 'create', '--account', String(agency.number), '--name', 'x', ...more]

describe('the command line', () => {
  it('makes accounts, companies, branches, seats and roles, and answers JSON', async () => {
    const made = await json(...newAccount({ zone: 'Europe/Berlin' }))
    expect(made).toEqual({
      account: { id: expect.any(Number), uuid: expect.any(String) },
      company: { id: expect.any(String) },
      branch: { id: expect.any(String) },
      owner: { id: expect.any(String) },
    })
    const of = ['--account', String(made.account.id)]
    const company = await json('company', 'create', ...of, '--name', 'B', '--country', 'TR', '--currency', 'TRY')
    expect((await json('company', 'list', ...of)).companies.map(({ id }: { id: string }) => id)).toEqual([
      made.company.id,
      company.id,
    ])
    const branch = await json('branch', 'create', ...of, '--company', company.id, '--name', 'Izmir')
    await json('role', 'create', ...of, '--name', 'night_desk', '--policies', 'view_money,import_records')
    const asNightDesk = ['--email', 's@example.com', '--role', 'night_desk', '--branch', branch.id]
    const seat = await json('seat', 'create', ...of, ...asNightDesk)
    expect((await json('seat', 'list', ...of)).seats.map(({ id }: { id: string }) => id)).toContain(seat.id)
    expect((await json('role', 'list', ...of)).roles).toHaveLength(8)
    expect(await json('account', 'update', ...of, '--plan', 'business')).toEqual({ account: { id: made.account.id } })
    expect((await json('branch', 'list', ...of)).branches).toHaveLength(2)
    expect((await json('key', 'list', ...of)).keys).toEqual([])
  })
  it('gives keys the lifetime of the account, unless they have an expiry', async () => {
    const of = ['--account', String((await makeAgency(cell)).number)]
    const made = async (...more: string[]) =>
      (await json('key', 'create', ...of, '--name', 'x', '--scopes', 'full', ...more)).expires_at
    const inDays = (at: string) => Math.round((Date.parse(at) - Date.now()) / 86_400_000)
    expect(await made()).toBeNull()
    await json('account', 'update', ...of, '--key-life', '90')
    expect(inDays(await made())).toBe(90)
    expect(await made('--expires-at', '2126-01-01T00:00:00Z')).toMatch(/^2126-01-01T00:00:00/)
    expect(await made('--expires-at', 'never')).toBeNull()
    const { accounts } = await json('account', 'list')
    expect(accounts.find(({ id }: { id: number }) => String(id) === of[1]).key_life_days).toBe(90)
    expect(
      (await json('key', 'list', ...of)).keys.map(({ expires_at: at }: { expires_at: string }) => at && inDays(at)),
    ).toContain(90)
    await json('account', 'update', ...of, '--plan', 'growth')
    expect(inDays(await made())).toBe(90)
    await json('account', 'update', ...of, '--key-life', '0')
    expect(await made()).toBeNull()
    const { code, stderr } = await runHere(
      ['account', 'update', ...of, '--key-life', '1.5'],
      folder,
      environmentOf(cell),
    )
    expect([code, stderr]).toEqual([1, expect.stringContaining('whole number of days')])
  })
  it.each<[string, () => string[], RegExp]>([
    ['an unknown plan', () => newAccount({ plan: 'gold' }), /starter, growth/],
    ['an unknown zone', () => newAccount({ zone: 'Mars' }), /Europe\/Istanbul/],
    ['an unknown account', () => ['key', 'list', '--account', '29999999'], /account list/],
    ['an unknown scope', () => newKey('--scopes', 'all'), /full, import, ticket_import/],
    ['a network that is none', () => newKey('--scopes', 'full', '--allow-cidr', '10.0.0.0/99'), /203\.0\.113\.0\/24/],
    [
      'an unknown role',
      () => ['seat', 'create', '--account', String(agency.number), '--email', 'x@example.com', '--role', 'boss'],
      /owner, admin/,
    ],
  ])('says what to do about %s', async (_, args, expectedText) => {
    const { code, stdout } = await runHere([...args(), '--json'], folder, environmentOf(cell))
    expect(code).toBe(1)
    const { error, hint } = JSON.parse(stdout) as { error: string; hint: string }
    expect(`${error} ${hint}`).toMatch(expectedText)
  })
  it('refuses a configuration that does not hold, naming everything wrong with it', async () => {
    const { code, stderr } = await run(['serve'], folder, { PORT: 'x', CELL_REGION: 'mars', DATABASE_URL: 'mysql://x' })
    expect(code).toBe(1)
    for (const name of ['PORT', 'CELL_REGION', 'DATABASE_URL']) expect(stderr).toContain(name)
  })
  it('has a help that names every command, each of which is loaded by its name', async () => {
    const { code, stdout } = await runHere(['--help'], folder)
    expect(code).toBe(0)
    const names = [...stdout.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name = '']) => name)
    expect(names).toContain('serve')
    for (const name of names.filter((each) => each !== 'help')) {
      const help = await runHere([name, '--help'], folder)
      expect(help).toEqual({ code: 0, stdout: expect.stringMatching(`^Usage: npx backdesk ${name} `), stderr: '' })
    }
  })
})
