import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { SOME_FAILED } from '#client/command.ts'
import type { Demo } from '../../demo/make-demo.ts'
import { loadProgram } from '../../src/cli/program.ts'
import { VARIABLES } from '../../src/config.ts'
import { PLANS } from '../../src/platform/access/plans.ts'
import { reportSources } from '../../src/registry.ts'
import { writeHot } from '../bsp/writers/hot.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { environmentOf, runHere } from '../harness/command-line.ts'
import { cloneDemo, DEMO_SECRET } from '../harness/demo.ts'
import { commandsOf, PAGES, type PageCommand, pageText } from '../harness/page-commands.ts'
import { temporaryFolder } from '../harness/process.ts'
import { documentOf } from '../harness/routes.ts'
import { ask } from '../harness/sql.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Commands that this test does not run, and why. */
const NOT_RUN: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm (ci|start|test)$/, 'installs and starts: .ci/run and test/fault/start.test.ts do'],
  [/^docker /, 'needs Docker: test/contract/containers.test.ts reads the Dockerfile'],
  [/^(systemctl|journalctl|launchctl) /, 'changes services of the machine'],
  [/^psql /, 'does not come with the program'],
  [/^npm (pack|install) /, 'installs the client: test/contract/packages.test.ts does'],
  [/^backdesk-client agent /, 'runs until it is stopped: test/cli/agent.test.ts runs it'],
  [/^npx backdesk audit verify .*--head /, 'takes a line of the log: test/contract/audit-chain.test.ts has one'],
  [/^npx backdesk restore /, 'needs an empty cell: test/fault/backup.test.ts restores one'],
  [/^npx backdesk account import /, 'needs a second cell: test/cli/account-moves.test.ts has two'],
]

type Document = {
  readonly info: { readonly description: string }
  readonly paths: object
  readonly components: { readonly schemas: { readonly Error: { readonly properties: object } } }
}

const folder = temporaryFolder()
let cell: TestCell
let demo: Demo
let environment: Record<string, string>
beforeAll(async () => {
  const made = await cloneDemo()
  cell = await startCell({ connection: made.connection, cellSecret: DEMO_SECRET, deps: { count: uncounted } })
  demo = made.demo
  await cell.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = cell.app.server.address() as { port: number }
  environment = { ...environmentOf(made), BACKDESK_URL: `http://127.0.0.1:${port}` }
  const document = { code: 'TKTT', issuedOn: '2026-03-02', fare: 24_000, taxes: [7_840], commission: 720 } as const
  const office = { agent: '88123456', periodOn: '2026-03-15', unit: 'EUR2' }
  writeFileSync(
    join(folder, 'HOT235.txt'),
    writeHot({ offices: [{ ...office, documents: [{ ...document, number: '2352403123456' }] }] }),
  )
  writeFileSync(join(folder, 'march.csv'), 'Belege;Tag;Betrag\n235-2403123457;05.03.2026;1.234,50\n')
})

/** What a reader fills in: a key, and an account, except in the README, which creates the account. */
const filled = (page: string) => (text: string) => {
  const withKey = text.replaceAll('sek_…', demo.keys.full)
  return page === 'README.md' ? withKey : withKey.replaceAll(/\b200000\d\d\b/g, String(demo.account.id))
}
/** The id that replaces `0199…` of a page. */
async function idFor(argv: readonly string[], at: number): Promise<string> {
  const table = [
    [argv[at - 1] === '--survey' || argv[2] === 'survey', 'surveys'],
    [argv[at - 1] === '--customer', 'customers'],
    [argv[2] === 'referral', 'referral_codes'],
    [argv[2] === 'bsp', 'bsp_billings'],
  ].find(([is]) => is)?.[1]
  const [found] = await ask<{ id: string }>(cell, `select id::text from ${table} order by id desc limit 1`)
  return found?.id ?? ''
}
/** Files that the page’s reader has, and those that the command writes. */
const ownFile = (arg: string): string =>
  /^(\/backups\/)?[\w-]+\.(txt|csv|backup|account)$/.test(arg) ? join(folder, basename(arg)) : arg

async function runBackdesk({ argv, environment: given }: PageCommand): Promise<string> {
  const args = await Promise.all(
    argv.slice(2).map(async (arg, at) => (arg === '0199…' ? idFor(argv, at + 2) : ownFile(arg))),
  )
  const isSample = args[0] === 'import' // intentionally invalid rows, as stated in the README
  if (isSample) args.push('--failed', join(folder, 'failed.csv'))
  const { code, stdout, stderr } = await runHere(args, folder, { ...environment, ...given })
  return code === (isSample ? SOME_FAILED : 0) ? 'ok' : `${code}: ${stdout}${stderr}`
}

async function runCurl({ argv }: PageCommand): Promise<string> {
  const [method, headers, bodies, urls]: [string[], [string, string][], string[], string[]] = [[], [], [], []]
  for (let at = 1; at < argv.length; at++) {
    const arg = argv[at] as string
    if (arg === '-H') headers.push((argv[++at] as string).split(': ') as [string, string])
    else if (arg === '-d') bodies.push(argv[++at] as string)
    else if (arg === '-X') method.push(argv[++at] as string)
    else urls.push(arg)
  }
  const { pathname, search } = new URL(urls[0] as string)
  const { status, text } = await cell.call(method[0] ?? (bodies[0] ? 'POST' : 'GET'), pathname + search, {
    headers: Object.fromEntries(headers),
    ...(bodies[0] && { raw: bodies[0] }),
  })
  const failed = /"status":"failed"/.test(text)
  return status < 300 && !failed ? 'ok' : `${status}: ${text}`
}

describe('the commands of the pages', () => {
  it('all work on the demo agency, in their order, but for those that are listed with a reason', {
    timeout: 60_000,
  }, async () => {
    const unused = new Set(NOT_RUN)
    const outcomes: string[] = []
    for (const page of PAGES) {
      for (const command of commandsOf(page, folder, filled(page))) {
        const text = command.argv.join(' ')
        const skipped = NOT_RUN.find(([pattern]) => pattern.test(text))
        if (skipped) {
          unused.delete(skipped)
          continue
        }
        const known = command.argv[0] === 'curl' ? runCurl : command.argv[1] === 'backdesk' ? runBackdesk : null
        outcomes.push(`${page}: ${text.slice(0, 80)}: ${known ? await known(command) : 'nothing runs this'}`)
      }
    }
    expect(outcomes.filter((outcome) => !outcome.endsWith(': ok'))).toEqual([])
    expect(outcomes.length).toBeGreaterThan(15)
    expect([...unused].map(([pattern]) => String(pattern))).toEqual([])
  })

  const named = (program: Command): string[] =>
    program.commands.flatMap((command) => [
      command.name(),
      ...command.commands.map((sub) => `${command.name()} ${sub.name()}`),
    ])
  it('exist, and the README lists every one', async () => {
    const known = new Set(named(await loadProgram('')))
    const inText = PAGES.flatMap((page) =>
      [...pageText(page).matchAll(/npx backdesk ([a-z]+)(?: ([a-z-]+))?/g)].flatMap(
        ([text, command = '', sub = '']) => {
          const hasSubs = [...known].some((name) => name.startsWith(`${command} `))
          const isKnown =
            known.has(command) && (!hasSubs || sub === '' || sub.startsWith('-') || known.has(`${command} ${sub}`))
          return isKnown ? [] : [`${page}: ${text}`]
        },
      ),
    )
    expect(inText).toEqual([])
    // `account create`, `update` and `survey list`; `gesture record`, `list` in the first column.
    const rows = [...pageText('README.md').matchAll(/^\| (`[a-z][^|]*`) \|/gm)].map(([, cell = '']) => cell)
    const listed = rows.flatMap((row) =>
      row.split('; ').flatMap((part) => {
        const [first = '', ...more] = [...part.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
        const [parent] = first.split(' ')
        return [first, ...more.flatMap((name) => [name, `${parent} ${name}`])]
      }),
    )
    const leaves = [...known].filter((name) => ![...known].some((other) => other.startsWith(`${name} `)))
    expect(leaves.filter((name) => !listed.includes(name))).toEqual([])
  })
  it('are called as a newcomer can call them, on pages and in messages: npx backdesk', async () => {
    const names = (await loadProgram('')).commands.map((command) => command.name()).join('|')
    const bare = new RegExp(`(?<!npx )(?<![\\w/.-])backdesk (${names})\\b(?!')`)
    const sources = globSync('{src,demo,packages}/**/*.ts', { cwd: ROOT })
    const found = [...PAGES, 'samples/README.md', ...sources].flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line) => (bare.test(line) ? [`${file}: ${line.trim()}`] : [])),
    )
    expect(found).toEqual([])
  })
})

describe('the pages are correct about', () => {
  it('the samples of entities: posted in their order to the demo agency, all their rows go in', async () => {
    const key = demo.keys.full
    const { data } = (await cell.call('GET', '/imports/entities', { key })).body as { data: { key: string }[] }
    for (const { key: entity } of data) {
      const entry = (await cell.call('GET', `/imports/entities/${entity}`, { key })).body as {
        entity: { sample: object }
      }
      const { body } = await cell.call('POST', `/imports/${entity}`, { key, body: entry.entity.sample })
      expect([entity, (body as { data: { counts: { failed: number } } }).data.counts.failed]).toEqual([entity, 0])
    }
  })
  it('which plan has which report', () => {
    const rows = [...pageText('docs/saved-reports.md').matchAll(/^\| (`[^|]+) \| `(\w+)` \| ([\w, ]+) \|$/gm)]
    const listed = rows.flatMap(([, presets = '', feature, plans]) =>
      presets.split(', ').map((preset) => [preset.replaceAll('`', ''), feature, plans]),
    )
    const { presets } = reportSources
    const plansWith = (feature: string) =>
      Object.values(PLANS).flatMap(({ name, features }) => ([...features].includes(feature as never) ? [name] : []))
    const expected = presets.map(({ key, feature }) => [key, feature, plansWith(feature).join(', ')])
    expect(listed.sort()).toEqual(expected.sort())
    expect(plansWith('reports_builder')).toEqual(['Business', 'Enterprise'])
  })
  it('dry runs and errors', () => {
    const document = documentOf() as Document
    const dryRuns = Object.keys(document.paths).filter((path) => path.endsWith('/validate'))
    expect(dryRuns).toEqual(['/api/v1/imports/{entity}/validate'])
    expect(document.info.description).toContain('`POST /imports/{entity}/validate`')
    for (const key of Object.keys(document.components.schemas.Error.properties))
      expect(document.info.description).toContain(`\`${key}\``)
  })
  it('the file that receivers copy to verify webhooks, and the setting for private networks', () => {
    const page = pageText('docs/webhooks.md')
    const [, file = '', name = ''] = /\]\(\.\.\/(lib\/([\w-]+\.js))\)/.exec(page) ?? []
    expect(page).toContain(`import { verifyWebhook } from './${name}'`)
    expect(readFileSync(join(ROOT, file), 'utf8')).not.toMatch(/from '(?!node:)/) // it needs nothing else
    expect(page).toContain(VARIABLES.webhookAllowCidrs.name)
  })
  it('entities that only their records can be read of', async () => {
    const answer = (path: string, method = 'GET') =>
      cell.call(method, path, { key: demo.keys.full, ...(method === 'POST' && { body: { row: {} } }) })
    for (const { body } of [await answer('/imports/entities/charters'), await answer('/imports/charters', 'POST')])
      expect((body as { error: string }).error).toMatch(/^charters cannot be imported\b.*\/imports\/charters\/records/)
  })
})
