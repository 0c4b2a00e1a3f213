import { beforeAll, describe, expect, it } from 'vitest'
import { type AuditEntry, auditOwn } from '../../src/platform/audit.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'

type Entry = { id: string; action: string; subject_id: string; details: Record<string, unknown>; created_at: string }
type Page = { data: Entry[]; page: { next_cursor: string | null } }

let cell: TestCell
let agency: Agency
let other: Agency
let session: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  other = await makeAgency(cell)
  session = await signInAs(cell, agency.number, agency.owner.id)
})

const write = (entry: Partial<AuditEntry>, { number } = agency, by = {}) =>
  cell.deps.db.inAccount(
    number,
    async (tx) => auditOwn(tx, { action: 'test.done', subjectType: 'test', subjectId: '1', ...entry }),
    { name: 'somebody', source: '10.0.0.1', ...by },
  )
const list = async (query = ''): Promise<Page> => {
  const { status, body } = await cell.call('GET', `/app/v1/audit_log${query}`, { session })
  expect(status).toBe(200)
  return body
}

describe('the audit log', () => {
  it('is listed by what, whom and when, and for one account alone', async () => {
    const key = (await agency.makeKey()).id
    await write({ action: 'filter.a', subjectId: 'x' }, agency, { seat: agency.advisor })
    await write({ action: 'filter.b', subjectId: 'y' }, agency, { key })
    await write({ action: 'filter.c', subjectId: 'x' }, other, { seat: agency.advisor, key })
    const actions = async (query: string) =>
      (await list(`?${query}`)).data.map(({ action }) => action).filter((action) => action.startsWith('filter.'))
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Istanbul' })
    expect(await actions('limit=100')).toEqual(['filter.b', 'filter.a'])
    expect(await actions('action=filter.a')).toEqual(['filter.a'])
    expect(await actions('subject_type=test&subject_id=x')).toEqual(['filter.a'])
    expect(await actions(`seat_id=${agency.advisor}`)).toEqual(['filter.a'])
    expect(await actions(`key_id=${key}`)).toEqual(['filter.b'])
    expect(await actions(`from=${today}&to=${today}`)).toEqual(['filter.b', 'filter.a'])
    expect(await actions('to=2020-01-01')).toEqual([])
    expect(await actions('from=2100-01-01')).toEqual([])
  })
  it('is walked without a gap', async () => {
    for (let nth = 0; nth < 5; nth++) await write({ action: 'walk.done', subjectId: String(nth) })
    const seen: string[] = []
    let query: string | null = '?action=walk.done&limit=2'
    while (query) {
      const { data, page } = await list(query)
      seen.push(...data.map(({ subject_id }) => subject_id))
      query = page.next_cursor && `?action=walk.done&limit=2&cursor=${page.next_cursor}`
    }
    expect(seen).toEqual(['4', '3', '2', '1', '0'])
  })
  it('has the attributes that a change changed, before and after, and no others', async () => {
    const before = { name: 'A', tags: ['x'], terms: 3, gone: true }
    await write({ action: 'changed', before, after: { name: 'B', tags: ['x'], terms: null, added: 1 } })
    await write({ action: 'unchanged', before, after: { ...before, tags: ['x'] }, details: { note: 1 } })
    expect((await list('?action=changed')).data[0]?.details).toEqual({
      before: { name: 'A', terms: 3, gone: true, added: null },
      after: { name: 'B', terms: null, gone: null, added: 1 },
    })
    expect((await list('?action=unchanged')).data[0]?.details).toEqual({ note: 1 })
  })
  it('is downloaded as CSV, in which no cell is a formula, and which leaves an entry', async () => {
    await write({ action: 'csv.done', subjectId: '=1+1' })
    const { status, text, headers } = await cell.call('GET', '/app/v1/audit_log.csv?action=csv.done', { session })
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const [head, row, end] = text.replace('\uFEFF', '').split('\n')
    expect([head, end]).toEqual(['created_at,actor,source,action,subject_type,subject_id,details', ''])
    expect(row).toContain(`,somebody,10.0.0.1,csv.done,test,'=1+1,`)
    expect((await list('?action=audit_log.exported')).data[0]?.details).toEqual({ action: 'csv.done' })
  })
})
