import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadProgram } from '../../src/cli/program.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { airFile } from '../harness/air.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { environmentOf, runHere } from '../harness/command-line.ts'
import { temporaryFolder } from '../harness/process.ts'
import { ask } from '../harness/sql.ts'
import { surveysOf } from '../harness/surveys.ts'
import { tripsOf } from '../harness/trips.ts'

const folder = temporaryFolder()
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ cellSecret: 's'.repeat(32), deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const trips = tripsOf(() => cell)
const surveys = surveysOf(() => cell)

/** Subcommands that read. */
const READS = new Set(['list', 'show', 'verify', 'watch', 'deliveries', 'link', 'failures'])
const BY_THE_API = 'it calls the API, whose routes leave the rows'
const OF_NO_ACCOUNT = 'it changes nothing of an account'
/** Commands that leave no row in the audit log, and why. */
const UNAUDITED: Readonly<Record<string, string>> = {
  serve: OF_NO_ACCOUNT,
  worker: OF_NO_ACCOUNT,
  migrate: OF_NO_ACCOUNT,
  import: BY_THE_API,
  agent: BY_THE_API,
  'batches revert': BY_THE_API,
  'mail fetch': 'a mail is filed as a message, which says where it came from',
  'rates import': OF_NO_ACCOUNT,
  'rates fetch': OF_NO_ACCOUNT,
  'webhooks redeliver': 'each delivery is a row of its own',
  'account import': 'test/fault/account-move.test.ts asks for its row',
  'secret rotate': 'test/cli/secret.test.ts asks for its rows; without another SECRET it changes nothing',
  restore: 'test/fault/backup.test.ts asks for its rows',
}

type Words = readonly string[]
const file = (name: string) => join(folder, name)
const json = async (...args: string[]) =>
  JSON.parse((await runHere([...args, ...of(), '--json'], folder, environmentOf(cell))).stdout)
const of = () => ['--account', String(agency.number)]
const idOf = async (...args: string[]): Promise<string> => (await json(...args)).id
const imported = async (entity: string, row: object) =>
  String((await importRows(cell, agency.key, entity, [row])).rows[0]?.id)

let nth = 0
const stay = (more: object = {}) =>
  imported('hotel_stays', {
    external_id: `H${++nth}`,
    check_in_on: '2031-05-10',
    check_out_on: '2031-05-11',
    status: 'confirmed',
    sell_lines: [{ kind: 'room_rate', amount: '100' }],
    ...more,
  })
async function captured() {
  const content = Buffer.from(airFile({ tickets: [String(2_500_000_000 + ++nth)] })).toString('base64')
  const { body } = await cell.call('POST', '/ticket_imports', { key: agency.key, body: { content } })
  return body as { id: string; ticket_sale_id: string }
}
/** A trip of one day. */
async function trip(): Promise<string> {
  const id = await trips.make(agency)
  await trips.day(agency, id)
  return id
}
const saved = () => idOf('report', 'save', 'Own', '--preset', 'sales_by_branch')
const DAY = ['--day', '1', '--set', 'segment_type=activity'] as const

/** The arguments of the other commands, besides the account. */
const EXAMPLES: Readonly<Record<string, () => Promise<Words> | Words>> = {
  backup: () => [file(`backup-${++nth}`)],
  demo: () => [],
  'account create': () => [
    ...['--name', 'A', '--plan', 'growth', '--time-zone', 'UTC', '--currency', 'EUR', '--country', 'DE'],
    ...['--owner-email', 'o@example.com'],
  ],
  'account update': () => ['--daily-messages', '100'],
  'account export': () => [file('account')],
  'account reopen': () => [],
  'company create': () => ['--name', 'B', '--country', 'TR', '--currency', 'TRY'],
  'company update': () => [agency.otherCompany, '--payment-terms', '30'],
  'branch create': () => ['--company', agency.company.id, '--name', 'Izmir'],
  'branch update': () => [agency.otherBranch, '--office', 'ISTTK2100'],
  'seat create': () => ['--email', 's@example.com', '--role', 'viewer'],
  'seat invite': () => ['--email', 'i@example.com', '--role', 'viewer'],
  'seat deactivate': async () => [
    await idOf('seat', 'create', '--email', 'd@example.com', '--role', 'viewer'),
    ...['--to', agency.advisor],
  ],
  'session revoke': () => [agency.advisor],
  'seat reset-second-factor': () => [agency.advisor],
  'seat update': () => [agency.advisor, '--locale', 'tr'],
  'role create': () => ['--name', 'desk', '--policies', 'view_reports'],
  'customer export': async () => [await trips.customer(agency), file(`person-${++nth}.zip`)],
  'tag restrict': () => ['secret'],
  'tag release': () => ['secret'],
  'key create': () => ['--name', 'x', '--scopes', 'full'],
  'audit drop': () => ['--before', '2020-01'],
  'key revoke': async () => ['--id', (await agency.makeKey()).id],
  'record create': () => ['events', '--set', 'title=Gala', '--set', 'starts_on=2031-05-10'],
  'record change': async () => {
    const id = await idOf('record', 'create', 'events', '--set', 'title=Gala', '--set', 'starts_on=2031-05-10')
    return ['events', id, '--set', 'title=Ball']
  },
  'record cancel': async () => ['hotel_stays', await stay()],
  'ticket issue': async () => [(await captured()).ticket_sale_id],
  'ticket assign-customer': async () => {
    await imported('customers', { external_id: 'C', name: 'Ayşe' })
    return [(await captured()).ticket_sale_id, '--customer', 'C']
  },
  'ticket set-invoice-date': async () => [(await captured()).ticket_sale_id, '--on', '2031-05-01'],
  'ticket reread': () => ['--since', '2026-01-01'],
  'ticket file': async () => [(await captured()).id, '--to', file('ticket')],
  'trip create': async () => ['--customer', await trips.customer(agency)],
  'trip update': async () => [await trip(), '--set', 'title=Roma'],
  'trip cancel': async () => [await trip()],
  'trip add-day': async () => [await trip()],
  'trip update-day': async () => [await trip(), '1', '--set', 'title=Roma'],
  'trip remove-day': async () => [await trip(), '1'],
  'trip add-segment': async () => [await trip(), ...DAY],
  'trip update-segment': async () => {
    const id = await trip()
    return [id, await idOf('trip', 'add-segment', id, ...DAY), '--set', 'title=Walk']
  },
  'trip remove-segment': async () => {
    const id = await trip()
    return [id, await idOf('trip', 'add-segment', id, ...DAY)]
  },
  'trip add-traveler': async () => [await trip(), '--name', 'Can Su'],
  'trip file-booking': async () => [await trip(), await stay()],
  'trip unfile-booking': async () => {
    const [id, booking] = [await trip(), await stay()]
    await json('trip', 'file-booking', id, booking)
    return [id, booking]
  },
  'referral create': () => [],
  'referral stop': async () => [await idOf('referral', 'create')],
  'gesture record': async () => ['--survey', (await surveys.invite(agency)).id, '--description', 'Dinner'],
  'template set': () => ['--kind', 'bon_voyage', '--locale', 'en', '--subject', 'Bye', '--body', 'Have fun.'],
  'template reset': () => ['--kind', 'bon_voyage', '--locale', 'en'],
  'invoice pay': async () => {
    await imported('customers', { external_id: 'I', name: 'Ayşe' })
    await stay({ customer_external_id: 'I', invoice_date: '2031-05-01' })
    const { invoices } = await json('invoice', 'list', '--open')
    return [invoices[0].number, '--amount', '1']
  },
  'report run': () => ['sales_by_branch', '--csv', file('report.csv')],
  'report save': () => ['Own', '--preset', 'sales_by_branch'],
  'report schedule': async () => [await saved(), '--every', 'daily', '--at', '7', '--to', 'owner@agency.example'],
  'report remove': async () => [await saved()],
  'bsp import': async () => [await billing()],
  'bsp remove': async () => [await idOf('bsp', 'import', await billing())],
}
async function billing(): Promise<string> {
  const path = file(`billing-${++nth}.csv`)
  await writeFile(path, `ticket_number,gross,currency,issued_on\n235240312${3000 + nth},100.00,TRY,2026-03-02\n`)
  return path
}

const leaves = (command: Command, path: Words = []): string[] =>
  command.commands.length > 0
    ? command.commands.flatMap((each) => leaves(each, [...path, each.name()]))
    : [path.join(' ')]
const commands = leaves(await loadProgram())
const isRead = (name: string) => READS.has(name.split(' ').at(-1) ?? '')
const takesAccount = (name: string) => !['backup', 'demo', 'account create'].includes(name)

describe('the audit log', () => {
  it('has no entries for unknown commands', () => {
    const known = new Set(commands)
    expect([...Object.keys(UNAUDITED), ...Object.keys(EXAMPLES)].filter((name) => !known.has(name))).toEqual([])
  })
  it.each(commands.filter((name) => !isRead(name) && UNAUDITED[name] === undefined))(
    'has a row that names who ran backdesk %s',
    async (name) => {
      const example = EXAMPLES[name]
      if (!example) throw new Error(`Give backdesk ${name} an example here, or a reason for no row.`)
      const words = await example()
      const rows = () =>
        ask<{ actor: string; source: string }>(cell, 'select actor, source from audit_log order by created_at, id')
      const { length } = await rows()
      const args = [...name.split(' '), ...words, ...(takesAccount(name) ? of() : [])]
      const { code, stderr } = await runHere(args, folder, {
        ...environmentOf(cell),
        EXPORT_PASSPHRASE: 'x'.repeat(20),
      })
      expect([code, stderr]).toEqual([0, ''])
      const left = (await rows()).slice(length)
      expect(left.length).toBeGreaterThan(0)
      for (const { source } of left) expect(source).toBe('command line')
    },
  )
})
