import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildOperations } from '../../src/operations.ts'
import { instruments } from '../../src/platform/metrics/instruments.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { GO_ON } from '../harness/worker.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'docs/monitoring')
type Target = { expr: string; datasource: { uid: string } }
type Panel = { id: number; type: string; title: string; targets?: Target[] }
const dashboard = JSON.parse(readFileSync(join(FOLDER, 'dashboard.json'), 'utf8')) as {
  panels: Panel[]
  templating: { list: { name: string }[] }
}
const rules = readFileSync(join(FOLDER, 'alerts.yml'), 'utf8')
const alerts = [...rules.matchAll(/- alert: (\w+)\n +expr: (.+)\n/g)].map(([, name = '', expr = '']) => ({
  name,
  expr,
}))
const EXPRESSIONS = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [`the panel ${title}`, expr] as const),
  ),
  ...alerts.map(({ name, expr }) => [`the alert ${name}`, expr] as const),
]

/** Told better by others, or of the scrape itself. */
const NOT_SHOWN = new Set([
  'backdesk_import_batches_total',
  'backdesk_incomplete_scrapes_total',
  'backdesk_streams_open',
  'process_start_time_seconds',
])
/** Labels that Prometheus adds, and `up`, which it makes itself. */
const SCRAPED = ['job', 'instance']
const OF_PROMETHEUS = { name: 'up', kind: 'gauge' as const, labels: [] as readonly string[] }
const SUFFIXES = { histogram: /_(bucket|sum|count)$/, counter: /$^/, gauge: /$^/ }
/** The metrics of an expression, with the labels that each is chosen by. */
const selectorsOf = (expr: string) =>
  [...expr.matchAll(/\b((?:backdesk|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g)].map(([, name = '', labels = '']) => ({
    name,
    labels: [...labels.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }))
const groupedBy = (expr: string) =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/, */))

describe('what monitoring ships with the program', () => {
  let cell: TestCell
  let agency: Agency
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    agency = await makeAgency(cell)
  })

  it.each(EXPRESSIONS)('%s uses only existing metrics and labels', (_, expr) => {
    const selectors = selectorsOf(expr)
    expect(selectors).not.toEqual([])
    const found = selectors.map(({ name, labels }) => {
      const metric = [...instruments(), OF_PROMETHEUS].find(
        (one) => one.name === name || one.name === name.replace(SUFFIXES[one.kind], ''),
      )
      expect(metric, name).toBeDefined()
      const own = [...(metric?.labels ?? []), ...SCRAPED, ...(metric?.kind === 'histogram' ? ['le'] : [])]
      expect([name, labels.filter((label) => !own.includes(label))]).toEqual([name, []])
      return own
    })
    expect(groupedBy(expr).filter((label) => !found.some((own) => own.includes(label)))).toEqual([])
  })
  it('shows every metric of the program on the dashboard, but for those of the scrape itself', () => {
    const shown = new Set(
      dashboard.panels
        .flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => selectorsOf(expr)))
        .map(({ name }) => name),
    )
    const isShown = (name: string) => shown.has(name) || shown.has(`${name}_bucket`)
    const left = instruments().filter(({ name }) => !isShown(name) && !NOT_SHOWN.has(name))
    expect(left).toEqual([])
  })
  it('has a dashboard for any Grafana: a selectable data source, and unique panels', () => {
    const ids = dashboard.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const chosen = dashboard.templating.list.map(({ name }) => name)
    expect(chosen).toEqual(['datasource', 'job'])
    for (const { expr, datasource } of dashboard.panels.flatMap(({ targets = [] }) => targets)) {
      expect(datasource.uid).toBe(`$\{${chosen[0]}}`)
      for (const [, name = ''] of expr.matchAll(/\$(\w+)/g)) expect(chosen).toContain(name)
    }
  })
  it('has alert rules that Prometheus itself takes, and that fire when they should', ({ skip }) => {
    expect(alerts.length).toBe([...rules.matchAll(/^ +- alert:/gm)].length)
    const run = (...args: string[]) => spawnSync('promtool', args, { cwd: ROOT, encoding: 'utf8' })
    if (run('--version').error) {
      console.warn('promtool was not found (Debian has it in the package prometheus): the alert rules were not run.')
      return skip('promtool was not found')
    }
    for (const args of [
      ['check', 'rules', join(FOLDER, 'alerts.yml')],
      ['test', 'rules', join(ROOT, 'test/monitoring/alerts.test.yml')],
    ]) {
      const { status, stdout, stderr } = run(...args)
      expect([args[0], status, stdout + stderr]).toEqual([args[0], 0, expect.stringContaining('SUCCESS')])
    }
  })
  it('serves metrics that Prometheus can read, by account and key', async ({ skip }) => {
    const operations = buildOperations(cell.deps, GO_ON)
    const id = await cell.deps.keys.resolve(agency.key)
    for (const [times, path] of [
      [3, '/customers'],
      [2, '/nowhere'],
    ] as const)
      for (let nth = 0; nth < times; nth++) await cell.call('GET', path, { key: agency.key })
    const { body } = await operations.inject('/metrics')
    await operations.close()
    expect(body).toContain(`backdesk_key_requests_total{account="${agency.number}",key="${id?.id}"} 5\n`)
    expect(body).not.toContain(agency.key)
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: body, encoding: 'utf8' })
    if (checked.error) return skip('promtool was not found')
    expect([checked.status === 1, checked.stderr]).toEqual([false, expect.anything()]) // 3: it would name some otherwise
  })
})
