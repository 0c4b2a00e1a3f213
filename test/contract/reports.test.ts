import { beforeAll, describe, expect, it } from 'vitest'
import { BUILT_IN_ROLES } from '../../src/platform/access/policies.ts'
import { dayIn } from '../../src/platform/time.ts'
import { importables, reportSources } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { filtersOf, queryOf, runReport, walkReport } from '../harness/reports.ts'
import { undeclared } from '../harness/undeclared.ts'

type Filter = { key: string; type: string; default: unknown; options?: string[] }
type Preset = { key: string; plan_feature: string; filters: Filter[]; columns: { key: string; sensitive?: string }[] }

const YEARS = { from: '2026-01-01', to: '2027-12-31' }
const optionsOf = ({ filters }: Preset, name: string): string[] =>
  filters.find(({ key }) => key === name)?.options ?? []

describe('reports', () => {
  let cell: TestCell
  let agency: Agency
  let presets: Preset[]
  const ask = (path: string, key = agency.key) => cell.call('GET', `/reports${path}`, { key })
  const presetsOf = async (key: string) => ((await ask('', key)).body as { data: Preset[] }).data
  const codeOf = async (path: string, key = agency.key) => {
    const { status, body } = await ask(path, key)
    return [status, (body as { code?: string }).code]
  }
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    agency = await makeAgency(cell)
    for (const { entity } of importables) await importRows(cell, agency.key, entity.key, [...entity.sample.rows])
    presets = await presetsOf(agency.key)
  })

  it('run by every date and grouping, and for every role', async () => {
    for (const role of ['owner', 'admin', 'advisor', 'marketing', 'viewer']) {
      const { key } = await agency.makeKey({ role })
      const asked = presets.flatMap((preset) => {
        const [groups, dates] = [optionsOf(preset, 'group_by'), optionsOf(preset, 'date_basis')]
        const all = [{}, ...dates.map((date_basis) => ({ date_basis })), ...groups.map((group_by) => ({ group_by }))]
        return (role === 'owner' ? all : all.slice(-1)).map(
          (given) => [preset.key, queryOf({ ...filtersOf(preset, YEARS), ...given })] as const,
        )
      })
      await Promise.all(asked.map(([id, query]) => runReport(cell, key, id, query)))
    }
  })
  it('are saved as CSV and XLSX', async () => {
    for (const preset of presets) {
      const { key } = preset
      for (const kind of ['csv', 'xlsx']) {
        const { status, headers } = await ask(`/${key}.${kind}?${queryOf(filtersOf(preset, YEARS))}`)
        expect(status).toBe(200)
        expect(headers['content-disposition']).toMatch(new RegExp(`^attachment; filename="${key}[-_0-9]*\\.${kind}"$`))
      }
    }
  })

  it('are those that the plan includes', async () => {
    const other = await makeAgency(cell, 'growth')
    const included = await presetsOf(other.key)
    expect(new Set(included.map((preset) => preset.plan_feature))).toEqual(new Set(['api_access']))
    expect(await codeOf('/nothing')).toEqual([404, 'not_found'])
    for (const { key } of presets) {
      const isIncluded = included.some((preset) => preset.key === key)
      expect(await codeOf(`/${key}`, other.key)).toEqual(isIncluded ? [200, undefined] : [403, 'plan_gated'])
    }
  })

  it('take a window of at most 731 days, by default this month to date on the account’s clock', async () => {
    cell.clock.set(Date.parse('2026-11-30T22:30Z')) // the 1st of December in Istanbul
    const applied = async (given: object) => {
      const { filters } = await runReport(cell, agency.key, 'sales_by_customer', queryOf(given as never))
      return [filters.from, filters.to]
    }
    expect(await applied({})).toEqual(['2026-12-01', '2026-12-01'])
    expect(await applied({ to: '2026-02-10' })).toEqual(['2026-02-01', '2026-02-10'])
    expect(await applied({ from: '2026-10-05' })).toEqual(['2026-10-05', '2026-12-01'])
    expect(await applied({ from: '2027-02-05' })).toEqual(['2027-02-05', '2027-02-28'])
    expect(await applied({ from: '2016-01-01', to: '2026-01-01' })).toEqual(['2024-01-02', '2026-01-01'])
    expect(await applied({ from: '2024-01-02', to: '2026-01-01' })).toEqual(['2024-01-02', '2026-01-01'])
    expect(await applied({ from: 'month_start-1', to: 'today-1' })).toEqual(['2026-11-01', '2026-11-30'])
    expect(await applied({ from: 'year_end+1' })).toEqual(['2027-12-31', '2027-12-31'])
    cell.clock.set(Date.now())
  })
  it('take words for days wherever they take days', async () => {
    const today = dayIn('Europe/Istanbul', Date.now())
    const dated = presets.flatMap(({ key, filters }) =>
      filters.filter(({ type }) => type === 'date').map((filter) => [key, filter.key] as const),
    )
    expect(new Set(dated.map(([, name]) => name)).size).toBeGreaterThan(2)
    for (const [key, name] of dated) {
      const { filters } = await runReport(cell, agency.key, key, queryOf({ [name]: 'today' }))
      expect([key, filters[name]]).toEqual([key, today])
    }
  })

  it.each([
    ['from', '2026-02-30', {}],
    ['to', 'tomorrow', {}],
    ['from', 'today', { to: 'today-1' }],
    ['to', 'month_start-1000', {}],
    ['from', '2199-01-01', { to: '2026-01-01' }],
    ['customer_id', 'me', {}],
    ['currency', 'eur', {}],
    ['entity', 'yachts', {}],
  ])('refuse filters[%s]=%s, which would make the report another one', async (name, value, more) => {
    const answer = await ask(`/sales_by_customer?${queryOf({ ...more, [name]: value })}`)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      code: 'invalid_parameter',
      details: { [`filters[${name}]`]: [expect.any(String)] },
    })
  })
  it('go on without what narrows nothing: another date, an empty filter', async () => {
    const query = queryOf({ ...YEARS, date_basis: 'full_moon', advisor_id: '' })
    const report = await runReport(cell, agency.key, 'sales_by_customer', query)
    expect(report.filters).toMatchObject({ date_basis: 'transaction', group_by: null, advisor_id: null })
    expect(report.rows.length).toBeGreaterThan(0)
  })
  it('find nothing by the id of another account', async () => {
    const other = await makeAgency(cell)
    const ids = { company_id: other.company.id, branch_id: other.branch.id, advisor_id: other.advisor }
    for (const [name, id] of Object.entries(ids)) {
      const report = await runReport(cell, agency.key, 'sales_by_customer', queryOf({ ...YEARS, [name]: id }))
      expect([report.rows, report.groups, report.totals?.by_currency]).toEqual([[], null, []])
    }
  })

  it('have the same rows page by page, each once, under the totals of the whole', async () => {
    await importRows(
      cell,
      agency.key,
      'hotel_stays',
      Array.from({ length: 30 }, (_, at) => ({
        ...stay(`P${at}`),
        currency: ['EUR', 'TRY', 'USD'][at % 3],
        status: at % 5 === 0 ? 'option' : 'confirmed',
        option_date: '2026-05-05',
        supplier_external_id: at % 2 ? 'S-501' : null,
        customer_external_id: at % 7 ? 'C-1001' : null,
        sell_lines: [{ kind: 'other', amount: String(at % 4) }],
      })),
    )
    for (const preset of presets) {
      const { key } = preset
      for (const group_by of [null, ...optionsOf(preset, 'group_by').slice(0, 1)]) {
        const query = queryOf({ ...filtersOf(preset, YEARS), group_by })
        const whole = await walkReport(cell, agency.key, key, query)
        if (whole.pages[0]?.pagination === undefined) continue
        const { pages, rows } = await walkReport(cell, agency.key, key, query, 7)
        expect(rows).toEqual(whole.rows)
        expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length)
        expect(new Set(pages.map(({ totals, summary }) => JSON.stringify([totals, summary]))).size).toBe(1)
        for (const page of pages) {
          const shown = new Set(page.rows.map((row) => row.group_key))
          if (group_by !== null) expect(page.groups?.map((group) => group.key)).toEqual([...shown])
        }
        for (const { key, count } of whole.pages.flatMap(({ groups }) => groups ?? []))
          expect(rows.filter((row) => row.group_key === key)).toHaveLength(count)
      }
    }
  })
  it('have pagination where they page, and null there when the page is the whole report', async () => {
    for (const preset of presets) {
      const { key } = preset
      const pages = reportSources.presets.find((each) => each.key === key)?.pages
      const own = filtersOf(preset, YEARS)
      const whole = await runReport(cell, agency.key, key, queryOf(own, '&limit=100'))
      expect([key, whole.pagination]).toEqual([key, pages ? null : undefined])
      const first = await runReport(cell, agency.key, key, queryOf(own, '&limit=1'))
      if (!pages || whole.rows.length < 2) continue
      expect([key, first.pagination]).toMatchObject([key, { has_more: true, limit: 1 }])
      const next = `&limit=100&cursor=${first.pagination?.next_cursor}`
      const rest = await runReport(cell, agency.key, key, queryOf(own, next))
      expect([key, rest.pagination]).toEqual([key, { has_more: false, next_cursor: null, limit: 100 }])
    }
  })
  it('continue for the role alone that began', async () => {
    const query = queryOf(YEARS)
    const { pagination } = await runReport(cell, agency.key, 'sales_by_customer', `${query}&limit=1`)
    const path = `/sales_by_customer?${query}&limit=1&cursor=${pagination?.next_cursor}`
    expect(await codeOf(path)).toEqual([200, undefined])
    expect(await codeOf(path, (await agency.makeKey({ role: 'viewer' })).key)).toEqual([400, 'invalid_cursor'])
    expect(await codeOf(`/sales_by_supplier?${query}&cursor=${pagination?.next_cursor}`)).toEqual([
      400,
      'invalid_cursor',
    ])
  })

  it('need the policy', async () => {
    expect(Object.values(BUILT_IN_ROLES).every((policies) => policies.has('view_reports'))).toBe(true)
    await cell.deps.db.inAccount(agency.number, (tx) => tx.all(insertRole, {}))
    const { key } = await agency.makeKey({ role: 'blind' })
    for (const path of ['', '/sales_by_customer', '/sales_by_customer.csv', '/sales_by_customer.xlsx'])
      expect(await codeOf(path, key)).toEqual([403, 'forbidden'])
  })
})

const insertRole = undeclared<{ account: number }, never>(
  `insert into roles (account_id, name, policies) values ($account, 'blind', '{view_money}')`,
)

const stay = (external_id: string) => ({
  external_id,
  check_in_on: '2026-05-01',
  check_out_on: '2026-05-02',
  transaction_date: '2026-04-01',
})
