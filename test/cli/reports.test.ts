import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawReport } from '../../src/cli/reports/draw-report.ts'
import { environmentOf, outputOf } from '../harness/command-line.ts'
import { fillAlike } from '../harness/look-alikes.ts'
import { temporaryFolder } from '../harness/process.ts'
import { withRecords } from '../harness/records.ts'

const folder = temporaryFolder()
const { the } = withRecords()
beforeAll(() => fillAlike(the.cell, the.agency))

/** Runs `backdesk report …` in this process, and returns its output. */
const report = (...args: string[]): Promise<string> =>
  outputOf(['report', ...args, '--account', String(the.agency.number)], folder, environmentOf(the.cell))
const MARCH = ['--filter', 'from=2026-03-01', '--filter', 'to=2026-03-31']

describe('backdesk report', () => {
  it('draws a report with its groups and totals, or keeps it in a file', async () => {
    const drawn = await report('run', 'sales_by_product', ...MARCH, '--filter', 'group_by=currency')
    expect(drawn).toMatch(/^Product +│ .*Sold, gross/)
    expect(drawn).toMatch(/^Hotel stays .*│ +100\.50 │/m)
    expect(drawn).toMatch(/^= EUR .*│ +443\.90 │.*\n= EUR, in TRY .*│ +20918\.08 │.*\n─/m)
    expect(drawn).toMatch(/^= TRY .*\n─/m)
    expect(drawn).toMatch(/^= All /m)
    const file = join(folder, 'sales.csv')
    expect(await report('run', 'sales_by_product', ...MARCH, '--csv', file)).toMatch(/rows in .*sales\.csv/)
    expect(readFileSync(file, 'utf8')).toMatch(/^\ufeffProduct,/)
  })
  it('saves, lists, runs as a seat, schedules and removes a report', async () => {
    const definition = { entity: 'hotel_stays', columns: ['external_id', 'cost_total'] }
    const { id } = JSON.parse(await report('save', 'Stays', '--definition', JSON.stringify(definition), '--json'))
    const shown = JSON.parse(await report('run', id, '--as', 'advisor@agency.example', '--json'))
    expect(shown.report.rows).toHaveLength(5)
    expect(shown.report.rows.map((row: { cost_total: unknown }) => row.cost_total)).toEqual(Array(5).fill(null))
    await report('schedule', id, '--every', 'monthly', '--on', 'last', '--at', '6', '--to', 'a@x.example,b@x.example')
    expect(await report('list')).toMatch(new RegExp(`${id} +Stays +hotel_stays +monthly +\\S+ +2 `))
    await report('schedule', id, '--off')
    await report('remove', id)
    expect(await report('list')).not.toContain(id)
  })
  it.each<[string[], RegExp]>([
    [['run', 'nonesuch'], /No report with this key/],
    [['run', '01890000-0000-7000-8000-000000000000'], /No saved report/],
    [['run', 'sales_by_branch', '--filter', 'from=x'], /filters\[from\]: Send a date as/],
    [['run', 'sales_by_branch', '--filter', 'from'], /takes name=value/],
    [['run', 'sales_by_branch', '--filter', 'form=2026-03-01'], /Did you mean filters\[from\]\?/],
    [['run', 'sales_by_branch', '--as', 'nobody@x.example'], /No active seat/],
    [['save', 'X', '--definition', '{"entity": "moons"}'], /definition\.entity: Send one of/],
    [['save', 'X', '--definition', '{'], /takes JSON/],
    [['remove', 'x'], /not the id of a saved report/],
    [['remove', '01890000-0000-7000-8000-000000000000'], /No such saved report/],
  ])('refuses %j', async (args, reason) => {
    await expect(report(...args)).rejects.toThrow(reason)
  })
})

it('a report is drawn with numbers to the right, and nothing that moves the cursor', () => {
  const columns = [
    { key: 'name', label: 'Name', type: 'string' },
    { key: 'sold', label: 'Sold', type: 'money' },
    { key: 'currency', label: 'Currency', type: 'string' },
  ]
  const rows = [
    { name: 'Ali\u001b[2J\r\nVeli', sold: '5.00', currency: 'EUR' },
    { name: null, sold: '1200.00', currency: 'TRY' },
  ]
  const by_currency = rows.map(({ sold, currency }) => ({ currency, sold }))
  const totals = { by_currency, base: { currency: 'TRY', sold: '1450.00' } }
  expect(drawReport({ columns, rows, groups: null, totals })).toBe(
    [
      'Name          │    Sold │ Currency',
      '──────────────┼─────────┼─────────',
      'Ali Veli      │    5.00 │ EUR',
      '              │ 1200.00 │ TRY',
      '──────────────┼─────────┼─────────',
      '= All         │    5.00 │ EUR',
      '= All         │ 1200.00 │ TRY',
      '= All, in TRY │ 1450.00 │ TRY',
    ].join('\n'),
  )
})

it('a report of more groups than a terminal shows is drawn with the groups of the rows that it shows', () => {
  const columns = [{ key: 'sold', label: 'Sold', type: 'money' }]
  const keys = Array.from({ length: 150_000 }, (_, at) => String(at))
  const rows = keys.map((key) => ({ group_key: key, sold: '1.00' }))
  const groups = keys.map((key) => ({
    key,
    label: null,
    totals: { by_currency: [{ currency: 'EUR', sold: '1.00' }], base: null },
  }))
  const drawn = drawReport({ columns, rows, groups, totals: null }).split('\n')
  expect(drawn.at(-1)).toBe('… and 149500 more rows. Use --csv FILE to save all rows.')
  expect(drawn.filter((line) => line.startsWith('='))).toHaveLength(500)
})
