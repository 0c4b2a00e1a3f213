// How many files, functions and return statements five requests enter, once everything is loaded: node scripts/walks.ts [--files]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildApp } from '../src/app.ts'
import { openCell } from '../src/cell.ts'
import { readConfig } from '../src/config.ts'
import { createAccount } from '../src/features/accounts/commands/create-account.ts'
import { SERVER_OPERATOR } from '../src/features/accounts/commands/seat-rules.ts'
import { createKey } from '../src/features/api-keys/commands/edit-key.ts'
import { openLog } from '../src/platform/open-log.ts'
import type { Operator } from '../src/platform/operator.ts'

const ROOT = join(import.meta.dirname, '..')
const SOURCE = join(ROOT, 'src/')
const OPERATOR: Operator = { name: 'walks', source: 'scripts/walks.ts' }
const AIR = join(ROOT, 'test/ticket-printer/fixtures/air')
const KEY = { name: 'Walks', scopes: ['full'], role: null, expiresAt: null, allowedCidrs: [] }
const OWNER = { ownerName: null, ownerEmail: 'owner@agency.example' }
const AGENCY = {
  name: 'Walks',
  plan: 'enterprise',
  timeZone: 'Europe/Istanbul',
  currency: 'TRY',
  country: 'TR',
  ...OWNER,
}

type Walk = { readonly method: 'GET' | 'POST'; readonly url: string; readonly payload?: object }

const folder = mkdtempSync(join(tmpdir(), 'backdesk-walks-'))
const cell = await openCell(readConfig({ DATA_DIR: folder }), openLog('silent'))
const app = buildApp(cell.deps)
try {
  const { db, config } = cell.deps
  const { account } = await db.asSystem('walks need an account', (tx) =>
    createAccount(tx, config.accountNumbers, AGENCY, OPERATOR),
  )
  const key = await db.inAccount(account.id, (tx) => createKey(tx, SERVER_OPERATOR, KEY, OPERATOR.name), OPERATOR)
  const send = async ({ method, url, payload }: Walk) => {
    const headers = { authorization: `Bearer ${key.key}` }
    const { statusCode, body } = await app.inject({
      method,
      url: `/api/v1${url}`,
      headers,
      ...(payload && { payload }),
    })
    if (statusCode >= 300) throw new Error(`${method} ${url} answered ${statusCode} ${body}`)
    return JSON.parse(body)
  }
  const customer = (name: string): Walk => ({ method: 'POST', url: '/customers', payload: { customer: { name } } })
  const { data } = await send(customer('Ada'))
  const stay = (id: string): Walk => {
    const row = {
      external_id: id,
      check_in_on: '2026-07-10',
      check_out_on: '2026-07-14',
      currency: 'TRY',
      sell_amount: 100,
    }
    return { method: 'POST', url: '/imports/hotel_stays', payload: { row } }
  }
  const ticket = (file: string): Walk => {
    const content = readFileSync(join(AIR, file)).toString('base64')
    return { method: 'POST', url: '/ticket_imports', payload: { content } }
  }
  const walks: Readonly<Record<string, readonly [Walk, Walk]>> = {
    'GET one record': [read(data.id), read(data.id)],
    'GET a list': [
      { method: 'GET', url: '/customers' },
      { method: 'GET', url: '/customers' },
    ],
    'POST a customer': [customer('Bo'), customer('Cy')],
    'import a stay': [stay('A'), stay('B')],
    'capture a ticket file': [ticket('issue-two-rates.air'), ticket('issue-one-passenger.air')],
  }
  const rows: Record<string, object> = {}
  for (const [name, [first, second]] of Object.entries(walks)) {
    await send(first) // created once
    rows[name] = await entered(() => send(second))
  }
  console.table(rows)
} finally {
  await app.close()
  await cell.close()
  rmSync(folder, { recursive: true, force: true })
}

function read(id: string): Walk {
  return { method: 'GET', url: `/customers/${id}` }
}

/** What of `src` runs while `work` does. */
async function entered(work: () => Promise<unknown>) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  let [functions, returns] = [0, 0]
  const files: string[] = []
  for (const { url, functions: all } of result) {
    if (!url.startsWith('file:') || !fileURLToPath(url).startsWith(SOURCE)) continue
    const ran = all.filter(({ ranges: [range], isBlockCoverage }) => !isBlockCoverage && (range?.count ?? 0) > 0)
    const names = ran.filter(({ functionName }) => functionName !== '')
    if (ran.length === 0) continue
    const source = readFileSync(fileURLToPath(url), 'utf8')
    files.push(fileURLToPath(url).slice(ROOT.length + 1))
    functions += names.length
    for (const { ranges } of ran)
      returns += source.slice(ranges[0]?.startOffset, ranges[0]?.endOffset).match(/\breturn\b/g)?.length ?? 0
  }
  if (process.argv.includes('--files')) console.log(files.sort().join('\n'), '\n')
  return { files: files.length, functions, returns }
}
