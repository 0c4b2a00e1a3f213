import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { archivePerson } from '../../src/features/privacy/export/archive-person.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { environmentOf, runHere } from '../harness/command-line.ts'
import { temporaryFolder } from '../harness/process.ts'
import { askPastWalls } from '../harness/sql.ts'
import { multipart } from '../harness/upload.ts'
import { entriesOf } from '../harness/zip.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'
const folder = temporaryFolder()
let cell: TestCell
let agency: Agency
let other: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  other = await makeAgency(cell)
})
/** As a superuser, past the walls. */
const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(cell, text, values)
let nth = 0
async function exported(id: string, file = join(folder, `person-${++nth}.zip`), account = agency.number) {
  const args = ['customer', 'export', id, file, '--account', String(account), '--json']
  return { file, ...(await runHere(args, cell.deps.config.dataDir, environmentOf(cell))) }
}
const post = async (path: string, body: object, of = agency) => {
  const answer = await cell.call('POST', path, { key: of.key, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { data: { id: string } }).data.id
}
const imported = async (entity: string, row: object, of = agency) =>
  String((await importRows(cell, of.key, entity, [row])).rows[0]?.id)
async function uploaded(text: string): Promise<string> {
  const { raw, headers } = multipart([{ name: 'file', filename: '../visa: copy.txt', bytes: text }])
  const { body } = await cell.call('POST', '/uploads', { key: agency.key, raw, headers })
  return (body as { data: { signed_id: string } }).data.signed_id
}
const exports = (account: number) =>
  sql<{ subject_id: string; source: string; details: object }>(
    "select subject_id, source, details from audit_log where account_id = $1 and action = 'customer.exported' order by id",
    [account],
  )
type Person = Record<string, Record<string, unknown>[]>

describe('backdesk customer export', () => {
  it('writes everything of one person, and nothing of another', async () => {
    for (const [external_id, name] of [
      ['C', '=Ayşe "Yılmaz"'],
      ['D', 'Somebody Else'],
    ] as const) {
      const id = await imported('customers', { external_id, name })
      await imported('hotel_stays', {
        external_id: `H${external_id}`,
        check_in_on: '2031-05-10',
        check_out_on: '2031-05-11',
        customer_external_id: external_id,
        sell_lines: [{ kind: 'room_rate', amount: '100' }],
        cost_lines: [{ kind: 'room_rate', amount: '61.23' }],
        travelers: [{ first_name: name, last_name: 'Y', passport_number: `U123456${external_id}` }],
      })
      await post(`/customers/${id}/notes`, {
        note: { body: `Likes ${name}`, attachment_ids: [await uploaded(`Visa of ${name}`)] },
      })
      await post('/communications', {
        communication: { channel: 'phone', customer_id: id, body_plain: `Called ${name}` },
      })
      await post('/tasks', { task: { subject: `Call ${name}`, taskable_type: 'Customer', taskable_id: id } })
      await imported('leads', { external_id: `L${external_id}`, name, customer_external_id: external_id })
    }
    const [{ id } = { id: '' }] = await sql<{ id: string }>(
      "select id from customers where account_id = $1 and external_id = 'C'",
      [agency.number],
    )
    const { file, code, stderr } = await exported(id)
    expect([code, stderr]).toEqual([0, ''])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const entries = entriesOf(await readFile(file))
    const person = JSON.parse(entries.get('person.json') ?? '') as Person
    expect(Object.entries(person).map(([part, rows]) => [part, rows.length])).toEqual([
      ...['profile', 'consents', 'travelers', 'notes', 'leads', 'messages', 'bookings'].map((part) => [part, 1]),
      ...['trips', 'surveys', 'documents'].map((part) => [part, 0]),
      ['tasks', 1],
      ...['referral_codes', 'birthday_greetings'].map((part) => [part, 0]),
    ])
    expect(person.travelers?.[0]).toMatchObject({ passport_number: 'U123456C' })
    expect(person.bookings?.[0]).toMatchObject({
      lines: [{ side: 'sell', gross: 100 }],
      details: { check_in_on: '2031-05-10' },
    })
    const all = [...entries.values()].join('\n')
    expect(all).not.toMatch(/Somebody Else|U123456D|61\.23|~sealed~|account_id/)
    expect(entries.get('profile.csv')).toContain(`"'=Ayşe ""Yılmaz"""`)
    const [upload, ...others] = [...entries.keys()].filter((name) => name.startsWith('files/'))
    expect([others, upload?.includes('..'), upload?.split('/').length]).toEqual([[], false, 2])
    expect(entries.get(upload ?? '')).toBe('Visa of =Ayşe "Yılmaz"')
    expect(await exports(agency.number)).toEqual([{ subject_id: id, source: 'command line', details: {} }])
  })
  it('refuses persons of other accounts and files that exist, and leaves nothing behind', async () => {
    const id = await imported('customers', { external_id: 'E', name: 'Of another' }, other)
    const before = await exports(agency.number)
    for (const one of [id, NOBODY, 'x']) {
      const { code, file } = await exported(one)
      expect([one, code === 0, await stat(file).catch(() => null)]).toEqual([one, false, null])
    }
    const file = join(folder, 'known')
    await writeFile(file, 'kept')
    expect((await exported(id, file, other.number)).code).not.toBe(0)
    expect(await readFile(file, 'utf8')).toBe('kept')
    expect(await exports(agency.number)).toEqual(before)
    expect(await exports(other.number)).toEqual([])
  })
  it('reads the bookings of a person with 5,000 page by page, as fast as they are written', async () => {
    const id = await imported('customers', { external_id: 'F', name: 'Frequent' })
    await sql(
      `insert into bookings (account_id, entity, company_id, customer_id, currency, transaction_date, notes, changed)
       select $1, 'hotel_stays', $2, $3, 'TRY', '2026-01-01', repeat(md5(n::text), 100), 1 from generate_series(1, 5000) n`,
      [agency.number, agency.company.id, id],
    )
    const reader = cell.deps.db.reader(agency.number)
    let rows = 0
    const counting = {
      ...reader,
      async all(...args: Parameters<typeof reader.all>) {
        const found = await reader.all(...args)
        expect(found.length).toBeLessThanOrEqual(500)
        rows += found.length
        return found
      },
    } as typeof reader
    const archive = await archivePerson({ reader: counting, customer: id }, cell.deps.files.store)
    const parts: Buffer[] = []
    const read = archive[Symbol.asyncIterator]()
    parts.push((await read.next()).value)
    const { promise, resolve } = Promise.withResolvers<void>()
    setImmediate(resolve)
    await promise
    expect(rows).toBeLessThan(4_000)
    for (let next = await read.next(); !next.done; next = await read.next()) parts.push(next.value)
    const entries = entriesOf(Buffer.concat(parts))
    const person = JSON.parse(entries.get('person.json') ?? '') as Person
    expect(new Set(person.bookings?.map((booking) => booking.id)).size).toBe(5_000)
    expect(entries.get('bookings.csv')?.trimEnd().split('\r\n')).toHaveLength(5_001)
  })
})
