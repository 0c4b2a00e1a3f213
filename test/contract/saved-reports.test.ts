import { beforeAll, describe, expect, it } from 'vitest'
import { SAVED_REPORTS } from '../../src/features/reports/saved/commands/save-report.ts'
import { dayIn } from '../../src/platform/time.ts'
import { makeAgency } from '../harness/agency.ts'
import { fillAlike } from '../harness/look-alikes.ts'
import { withRecords } from '../harness/records.ts'
import type { Report } from '../harness/reports.ts'
import { saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'

type Saved = Record<string, unknown> & { id: string }
type Answer = { status: number; code?: string; details: Record<string, string[]>; data: Saved }

const { the } = withRecords()
beforeAll(() => fillAlike(the.cell, the.agency))
const call = async (method: string, path: string, saved_report?: object, key = the.agency.key) => {
  const { status, body } = await the.cell.call(method, path, { key, ...(saved_report && { body: { saved_report } }) })
  return { status, ...(body as object | undefined) } as Answer
}
const STAYS = { entity: 'hotel_stays', columns: ['external_id', 'status', 'sell_total'] }
const save = async (more: object, key = the.agency.key): Promise<Saved> => {
  const { status, data, details } = await call('POST', '/saved_reports', { name: 'Own', ...more }, key)
  expect([status, details]).toEqual([201, undefined])
  return data
}
const run = async (id: string, key = the.agency.key, query = '') =>
  (await the.cell.call('GET', `/saved_reports/${id}${query}`, { key })) as { status: number; body: never; text: string }
const rowsOf = async (id: string, key?: string) => ((await run(id, key)).body as Report).rows
const definitionOf = async (id: string) => (await call('GET', `/saved_reports/${id}/definition`)).data
const WEEKLY = {
  schedule_frequency: 'weekly',
  schedule_hour: 7,
  schedule_weekday: 'monday',
  recipients: ['finance@agency.example', 'Finance@Agency.example', 'boss@agency.example'],
}

describe('a saved report', () => {
  it('is listed, read, changed and deleted', async () => {
    const own = await makeAgency(the.cell)
    const preset = await save(
      { preset_key: 'sales_by_customer', filters: { from: 'month_start-1', to: 'month_end-1' } },
      own.key,
    )
    const stays = await save({ name: 'Stays', definition: STAYS, ...WEEKLY }, own.key)
    expect(stays).toMatchObject({ recipients: ['Finance@Agency.example', 'boss@agency.example'], file_format: 'csv' })
    const { body } = await the.cell.call('GET', '/saved_reports', { key: own.key })
    expect((body as { data: unknown }).data).toEqual([
      {
        id: stays.id,
        name: 'Stays',
        entity: 'hotel_stays',
        schedule_frequency: 'weekly',
        schedule_state: 'active',
        recipient_count: 2,
        last_run_at: null,
      },
      {
        id: preset.id,
        name: 'Own',
        entity: null,
        schedule_frequency: null,
        schedule_state: null,
        recipient_count: 0,
        last_run_at: null,
      },
    ])
    const changed = await call('PATCH', `/saved_reports/${stays.id}`, { schedule_frequency: null }, own.key)
    expect(changed.data).toMatchObject({
      schedule_hour: null,
      schedule_weekday: null,
      next_run_at: null,
      recipients: stays.recipients,
    })
    expect((await call('DELETE', `/saved_reports/${stays.id}`, undefined, own.key)).status).toBe(204)
    expect((await call('DELETE', `/saved_reports/${stays.id}`, undefined, own.key)).status).toBe(404)
    expect((await run(stays.id, own.key)).status).toBe(404)
    expect((await run(preset.id, the.agency.key)).status).toBe(404)
  })
  it('shows its addresses only to roles that may see personal data', async () => {
    const { id } = await save({ definition: STAYS, ...WEEKLY })
    await saveRoleOf(the.cell, the.agency.number, 'settings', ['view_reports', 'manage_settings'])
    const { key } = await the.agency.makeKey({ role: 'settings' })
    const { data } = await call('GET', `/saved_reports/${id}/definition`, undefined, key)
    expect([data.recipients, data.recipient_count]).toEqual([[], 2])
    await call('PATCH', `/saved_reports/${id}`, { name: 'Renamed' }, key)
    expect(await definitionOf(id)).toMatchObject({ name: 'Renamed', recipient_count: 2 })
  })
  it.each([
    ['viewer', null, 403],
    ['blind_settings', ['view_reports', 'manage_settings'], 200],
  ] as const)('tells %s nothing of its recipients by the answer to a change', async (role, policies, expected) => {
    const own = await makeAgency(the.cell)
    if (policies) await saveRoleOf(the.cell, own.number, role, [...policies])
    const { key } = await own.makeKey({ role })
    const twins: Saved[] = []
    for (const recipients of [['advisor@agency.example'], ['a@x.example']])
      twins.push(await save({ preset_key: 'departures_load', ...WEEKLY, recipients }, own.key))
    for (const [change, status] of [
      [{}, 200],
      [{ name: 'x' }, expected],
      [{ schedule_paused: true }, expected],
      [{ schedule_paused: false, recipients: [] }, 200],
      [{ schedule_frequency: null }, expected],
      [{ recipients: ['advisor@agency.example'] }, 422],
      [{ recipients: ['a@x.example'] }, 422],
      [{ schedule_hour: 24 }, 422],
    ] as const) {
      const answers: object[] = []
      for (const { id } of twins) {
        const { data, ...answer } = await call('PATCH', `/saved_reports/${id}`, change, key)
        const { id: _, created_at, updated_at, paused_at, ...shown } = data ?? {}
        answers.push({ ...answer, shown, request_id: null })
      }
      expect(answers[0]).toMatchObject({ status })
      expect(answers[1]).toEqual(answers[0])
    }
  })
  it('stays as it is where a change changes nothing', async () => {
    const { id, ...saved } = await save({ definition: { ...STAYS, filters: [], group_by: null, sort: [] }, ...WEEKLY })
    const again = await call('PATCH', `/saved_reports/${id}`, { ...WEEKLY, definition: STAYS })
    expect(again.data).toEqual({ id, ...saved })
  })
  it('becomes one of a preset, or of a definition, by being given the other', async () => {
    const { id } = await save({ preset_key: 'sales_by_customer', filters: { currency: 'EUR' } })
    const own = await call('PATCH', `/saved_reports/${id}`, { definition: STAYS })
    expect(own.data).toMatchObject({ preset_key: null, filters: null, entity: 'hotel_stays' })
    const back = await call('PATCH', `/saved_reports/${id}`, { preset_key: 'sales_by_branch' })
    expect(back.data).toMatchObject({ preset_key: 'sales_by_branch', filters: {}, definition: null })
  })
  it.each<[string, object, string[]]>([
    ['neither a preset nor a definition', {}, ['preset_key']],
    ['both', { preset_key: 'sales_by_customer', definition: STAYS }, ['preset_key']],
    ['an unknown preset', { preset_key: 'sales' }, ['preset_key']],
    ['a filter that is none', { preset_key: 'sales_by_customer', filters: { from: '2026-02-30' } }, ['filters[from]']],
    [
      'a window that ends before it begins',
      { preset_key: 'sales_by_customer', filters: { from: 'today', to: 'today-1' } },
      ['filters[from]'],
    ],
    ['no entity', { definition: { columns: ['id'] } }, ['definition.entity']],
    ['no columns', { definition: { entity: 'leads' } }, ['definition.columns']],
    [
      'columns that are none',
      { definition: { entity: 'leads', columns: ['name', 'x', 'account_id'] } },
      ['definition.columns[1]', 'definition.columns[2]'],
    ],
    [
      'a list as a column',
      { definition: { entity: 'hotel_stays', columns: ['sell_lines'] } },
      ['definition.columns[0]'],
    ],
    ['too many columns', { definition: { entity: 'leads', columns: Array(41).fill('name') } }, ['definition.columns']],
    [
      'an operator that the field has not',
      { definition: { ...STAYS, filters: [{ field: 'status', operator: 'lt', value: 'x' }] } },
      ['definition.filters[0].operator'],
    ],
    [
      'a value that the field has not',
      { definition: { ...STAYS, filters: [{ field: 'status', operator: 'in', value: ['draft', 'x'] }] } },
      ['definition.filters[0].value'],
    ],
    [
      'a filter twice',
      { definition: { ...STAYS, filters: Array(2).fill({ field: 'id', operator: 'empty', value: true }) } },
      ['definition.filters'],
    ],
    ['a group for each amount', { definition: { ...STAYS, group_by: 'sell_total' } }, ['definition.group_by']],
    [
      'an order by what is not shown',
      { definition: { ...STAYS, sort: [{ field: 'notes' }] } },
      ['definition.sort[0].field'],
    ],
    [
      'a schedule without an hour, a weekday and recipients',
      { definition: STAYS, schedule_frequency: 'weekly' },
      ['schedule_hour', 'schedule_weekday', 'recipients'],
    ],
    [
      'a day that not every month has',
      { definition: STAYS, ...WEEKLY, schedule_frequency: 'monthly', schedule_day: 31 },
      ['schedule_day'],
    ],
    ['an address that is none', { definition: STAYS, recipients: ['boss'] }, ['recipients']],
    [
      'too many recipients',
      { definition: STAYS, recipients: Array.from({ length: 21 }, (_, at) => `a${at}@x.example`) },
      ['recipients'],
    ],
    ['no name', { name: ' ', definition: STAYS }, ['name']],
    [
      'objects for filters',
      { preset_key: 'sales_by_product', filters: { company_id: { toString: 1 }, from: [{ toString: 1 }] } },
      ['filters[company_id]', 'filters[from]'],
    ],
  ])('is refused with %s', async (_, more, at) => {
    const { status, code, details } = await call('POST', '/saved_reports', { name: 'Own', ...more })
    expect([status, code, Object.keys(details)]).toEqual([422, 'validation_failed', at])
  })
  it('is refused above the limit of the account', async () => {
    const full = await makeAgency(the.cell)
    const { id } = await save({ definition: STAYS }, full.key)
    await ask(
      the.cell,
      `insert into saved_reports (account_id, name, preset_key, file_format, saved_by_id)
       select account_id, 'Another', 'sales_by_product', 'csv', saved_by_id from saved_reports, generate_series(2, ${SAVED_REPORTS}) where id = $1`,
      [id],
    )
    const { status, details } = await call('POST', '/saved_reports', { name: 'Own', definition: STAYS }, full.key)
    expect([status, Object.keys(details)]).toEqual([422, ['base']])
  })
  it('needs a plan with the builder', async () => {
    const business = await makeAgency(the.cell, 'business')
    const { id } = await save({ definition: STAYS }, business.key)
    const setPlan = (plan: string) =>
      ask(the.cell, 'update accounts set plan = $1 where account_id = $2', [plan, business.number])
    await setPlan('growth')
    const { key } = await business.makeKey()
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${id}`],
      ['GET', `/${id}.csv`],
      ['DELETE', `/${id}`],
    ])
      expect(await call(String(method), `/saved_reports${path}`, { name: 'X' }, key)).toMatchObject({
        status: 403,
        code: 'plan_gated',
      })
  })
})

describe('a saved report that is run', () => {
  it('has the filters that it was saved with, and no others', async () => {
    const { id } = await save({
      preset_key: 'sales_by_customer',
      filters: { from: '2026-03-01', to: '2026-03-31', currency: 'EUR' },
    })
    const others = await run(id, the.agency.key, '?filters[currency]=TRY&filters[from]=2020-01-01&currency=TRY')
    expect([others.status, Object.keys((others.body as { details: object }).details)]).toEqual([
      422,
      ['filters[currency]', 'filters[from]', 'currency'],
    ])
    const answer = await run(id, the.agency.key)
    expect(answer.body).toMatchObject({
      saved_report_id: id,
      name: 'Own',
      key: 'sales_by_customer',
      filters: { from: '2026-03-01', to: '2026-03-31', currency: 'EUR' },
    })
    expect(new Set((answer.body as Report).rows.map(({ currency }) => currency))).toEqual(new Set(['EUR']))
  })
  it('reads the words of its days by the account’s calendar', async () => {
    const { id } = await save({ preset_key: 'sales_by_branch', filters: { from: 'today-7', to: 'today' } })
    const today = dayIn('Europe/Istanbul', Date.now())
    const from = Temporal.PlainDate.from(today).subtract({ days: 7 }).toString()
    expect(((await run(id)).body as Report).filters).toMatchObject({ from, to: today })
  })
  it('is answered in pages, all of which have the totals of the whole', async () => {
    const { id } = await save({ definition: { ...STAYS, sort: [{ field: 'sell_total', direction: 'desc' }] } })
    const whole = (await run(id, the.agency.key, '?limit=100')).body as Report
    const seen: unknown[] = []
    for (let cursor = ''; ; ) {
      const page = (await run(id, the.agency.key, `?limit=2${cursor}`)).body as Report
      seen.push(...page.rows)
      expect(page.totals).toEqual(whole.totals)
      if (!page.pagination?.next_cursor) break
      cursor = `&cursor=${page.pagination.next_cursor}`
    }
    expect(seen).toEqual(whole.rows)
    expect(whole.rows).toHaveLength(5)
  })
  it('does not go on with a page whose order was turned round meanwhile', async () => {
    const { id } = await save({ definition: { ...STAYS, sort: [{ field: 'sell_total' }] } })
    const { pagination } = (await run(id, the.agency.key, '?limit=2')).body as Report
    const definition = { ...STAYS, sort: [{ field: 'sell_total', direction: 'desc' }] }
    await call('PATCH', `/saved_reports/${id}`, { definition })
    const next = await call('GET', `/saved_reports/${id}?limit=2&cursor=${pagination?.next_cursor}`)
    expect([next.status, next.code]).toEqual([400, 'invalid_cursor'])
  })
  it('shows null where the key’s role sees nothing, and refuses to filter by it', async () => {
    const { key } = await the.agency.makeKey({ role: 'marketing' })
    const shown = await save({ definition: STAYS })
    expect((await rowsOf(shown.id, key)).map(({ sell_total }) => sell_total)).toEqual(Array(5).fill(null))
    const filtered = { ...STAYS, columns: ['id'], filters: [{ field: 'cost_total', operator: 'gte', value: '1' }] }
    const { id } = await save({ definition: filtered })
    expect(await call('GET', `/saved_reports/${id}`, undefined, key)).toMatchObject({ status: 403, code: 'forbidden' })
    const own = await call('POST', '/saved_reports', { name: 'Own', definition: filtered }, key)
    expect([own.status, own.code]).toEqual([403, 'forbidden'])
  })
  it('names what it was saved of and is not there any more', async () => {
    const { id } = await save({ definition: STAYS })
    const { id: other } = await save({ preset_key: 'sales_by_customer' })
    const definition = { ...STAYS, columns: ['id', 'gone'], filters: [{ field: 'lost', operator: 'eq', value: 'x' }] }
    await ask(the.cell, 'update saved_reports set definition = $1 where id = $2', [JSON.stringify(definition), id])
    await ask(the.cell, `update saved_reports set preset_key = 'sales_by_moon' where id = $1`, [other])
    for (const path of ['', '.csv', '.xlsx']) {
      const { status, details } = await call('GET', `/saved_reports/${id}${path}`)
      expect([status, Object.keys(details)]).toEqual([422, ['definition.columns[1]', 'definition.filters[0].field']])
      expect(details['definition.columns[1]']?.[0]).toContain('hotel_stays has no field gone.')
    }
    expect(await call('GET', `/saved_reports/${other}`)).toMatchObject({
      status: 422,
      details: { preset_key: ['sales_by_moon is not a report'] },
    })
    expect((await definitionOf(id)).definition).toEqual(definition)
  })
  it('is saved as a file under its name, with formulas as text', async () => {
    await the.cell.call('POST', '/customers', { key: the.agency.key, body: { customer: { name: '=cmd|x' } } })
    const filters = [{ field: 'name', operator: 'contains', value: 'CMD' }]
    const { id } = await save({
      name: 'Müşteri /../ listesi',
      definition: { entity: 'customers', columns: ['name'], filters },
    })
    const csv = await the.cell.call('GET', `/saved_reports/${id}.csv`, { key: the.agency.key })
    expect(csv.headers['content-disposition']).toBe('attachment; filename="Musteri_listesi.csv"')
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      '\ufeffName,Id',
      expect.stringMatching(/^'=cmd\|x,[-0-9a-f]{36}$/),
    ])
    const xlsx = await the.cell.call('GET', `/saved_reports/${id}.xlsx`, { key: the.agency.key })
    expect([xlsx.status, xlsx.text.slice(0, 2)]).toEqual([200, 'PK'])
  })
})
