import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { payloadPurge } from '../../src/imports/batches/payload-purge.job.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { importables } from '../../src/registry.ts'
import { runsOf, settings } from '../fuzz/settings.ts'
import { type Agency, importRows, makeAgency, type Outcome, type Result } from '../harness/agency.ts'
import { rowOf } from '../harness/arbitrary-rows.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { ask } from '../harness/sql.ts'
import { undeclared } from '../harness/undeclared.ts'
import { GO_ON, startImports } from '../harness/worker.ts'

type Batch = Result & { mode: string; processed: number; error: string | null; created_at: string; finished_at: string }
type RowsPage = { data: Outcome[]; batch: Batch; page: { next_cursor: string | null; has_more: boolean } }
type Reverted = {
  batch: Batch
  reverted: number
  left: { index: number; external_id: string; id: string; reason: string }[]
}

const RUNS = runsOf(4)

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})

const people = (count: number, prefix = 'P') =>
  Array.from({ length: count }, (_, at) => ({ external_id: `${prefix}${at}`, name: `Person ${at}` }))
const post = (path: string, body?: object, key = agency.key, headers: Record<string, string> = {}) =>
  cell.call('POST', path, { key, headers, ...(body && { body }) })
const get = async <T>(path: string, key = agency.key) => (await cell.call('GET', path, { key })).body as T

async function enqueue(rows: object[], more: object = {}, entity = 'customers', key = agency.key): Promise<string> {
  const answer = await post(`/imports/${entity}`, { rows, mode: 'async', ...more }, key)
  expect(answer.status).toBe(202)
  return (answer.body as { data: Batch }).data.id as string
}
async function finished(id: string, key = agency.key): Promise<Batch> {
  for (;;) {
    const { data } = await get<{ data: Batch }>(`/imports/${id}`, key)
    if (data.finished_at) return data
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
async function outcomesOf(id: string, query = '', key = agency.key): Promise<Outcome[]> {
  const all: Outcome[] = []
  for (let cursor: string | null = null; ; ) {
    const next: string = cursor === null ? '' : `&cursor=${cursor}`
    const { data, page } = await get<RowsPage>(`/imports/${id}/rows?limit=100${query}${next}`, key)
    all.push(...data)
    cursor = page.next_cursor
    if (cursor === null) return all
  }
}
const revert = async (id: string) => (await post(`/imports/${id}/revert`)).body as { data: Reverted }
const query = <R>(sql: string, agencyOf = agency) =>
  cell.deps.db.reader(agencyOf.number).all(undeclared<{ account: number }, R>(sql), {})

describe('a batch that is accepted', () => {
  it('is answered with 202 and where to look, above the limit or when asked to; sync is kept to where asked', async () => {
    const accepted = await post('/imports/customers', { rows: people(101) })
    const { data } = accepted.body as { data: Batch }
    expect([accepted.status, accepted.headers.location]).toEqual([202, `/api/v1/imports/${data.id}`])
    expect(data).toMatchObject({ mode: 'async', status: 'queued', processed: 0, counts: { total: 101, created: 0 } })
    expect(data).not.toHaveProperty('rows')
    expect((await post('/imports/customers', { rows: people(1), mode: 'async' })).status).toBe(202)
    expect((await post('/imports/customers', { rows: people(100) })).status).toBe(200)
    expect((await post('/imports/customers', { rows: people(101), mode: 'sync' })).status).toBe(200)
    expect((await post('/imports/customers/validate', { rows: people(101), mode: 'async' })).status).toBe(200)
  })
  it('is accepted once for an Idempotency-Key, whose replay has the Location as well', async () => {
    const send = () =>
      post('/imports/customers', { rows: people(3), mode: 'async' }, agency.key, { 'idempotency-key': 'a' })
    const [first, again] = [await send(), await send()]
    expect([again.status, again.text, again.headers.location]).toEqual([202, first.text, first.headers.location])
    expect(again.headers['idempotent-replay']).toBe('true')
  })
  it('shows how far it has come, and what became of the rows that are done', async () => {
    const id = await enqueue(people(250, 'S'))
    await withClient(cell.connection, async (client) => {
      await client.query('begin')
      await client.query('select 1 from change_counters where account_id = $1 for update', [agency.number])
      const stop = startImports(cell)
      await client.query('rollback')
      const seen = new Set<number>()
      for (let batch: Batch | null = null; !batch?.finished_at; ) {
        batch = (await get<{ data: Batch }>(`/imports/${id}`)).data
        seen.add(batch.processed)
      }
      await stop()
      expect([...seen].every((processed) => [0, 100, 200, 250].includes(processed))).toBe(true)
    })
    const batch = await finished(id)
    expect(batch).toMatchObject({
      status: 'completed',
      processed: 250,
      counts: { total: 250, created: 250, failed: 0 },
    })
    expect((await outcomesOf(id)).map(({ index, external_id }) => [index, external_id])).toEqual(
      people(250, 'S').map(({ external_id }, index) => [index, external_id]),
    )
  })
  it('is imported without policies if a process of the former version accepted it', async () => {
    await importRows(cell, agency.key, 'customers', [
      { external_id: 'BY-MAIL', name: 'Ada', email: 'by-mail@x.example' },
    ])
    const lead = { external_id: 'BY-MAIL', name: 'Ada', customer_external_id: 'by-mail@x.example' }
    const id = await enqueue([lead], {}, 'leads')
    await ask(cell, `update import_batches set options = options - 'policies' where id = $1`, [id])
    const stop = startImports(cell)
    await finished(id)
    await stop()
    expect((await outcomesOf(id)).map(({ status, warnings }) => [status, warnings])).toEqual([['created', []]])
  })
  it('notifies the seat of its key when it is done', async () => {
    const id = await enqueue([...people(2, 'N'), { external_id: 'N9' }])
    const stop = startImports(cell)
    await finished(id)
    await stop()
    const notifications = await query<object>(
      `select seat_id, kind, title, body, priority, read_at from notifications where account_id = $account and subject_id = '${id}'`,
    )
    expect(notifications).toEqual([
      {
        seat_id: agency.owner.id,
        kind: 'import_finished',
        title: 'Import of 3 customers finished',
        body: '2 created, 1 failed.',
        priority: 'normal',
        read_at: null,
      },
    ])
  })
  it('reads its rows as it would have on arrival: company, zone, separator and day are those of then', async () => {
    const row = {
      external_id: 'Z',
      check_in_on: '2026-05-01',
      check_out_on: '2026-05-02',
      sell_lines: [{ kind: 'x', amount: '1.234,50' }],
    }
    const id = await enqueue(
      [row],
      { decimal_separator: ',', company_id: agency.otherCompany, source_system: 'old' },
      'hotel_stays',
    )
    const stop = startImports(cell)
    expect(await finished(id)).toMatchObject({
      status: 'completed',
      source_system: 'old',
      company_id: agency.otherCompany,
    })
    await stop()
    const record = await get<{ data: object }>('/imports/hotel_stays/records/Z?source_system=old')
    expect(record.data).toMatchObject({ currency: 'EUR', totals: { sell: '1234.50' }, company_id: agency.otherCompany })
  })
})

describe('asynchronous and synchronous', () => {
  const same = ({ id, ...outcome }: Outcome) => ({ ...outcome, id: id !== null })
  it.each(['customers', 'suppliers', 'hotel_stays'])(
    '%s come to the same, row by row, also where rows repeat each other across chunks',
    { timeout: 60_000 + 5_000 * RUNS },
    async (key) => {
      const { entity } = importables.find(({ entity }) => entity.key === key) as (typeof importables)[number]
      const stop = startImports(cell)
      const rows = fc.array(rowOf(entity), { minLength: 90, maxLength: 230, size: 'max' })
      const one = fc.asyncProperty(rows, fc.constantFrom('skip', 'update'), async (rows, on_conflict) => {
        const [here, there] = [await makeAgency(cell), await makeAgency(cell)]
        const { rows: expected, counts } = await importRows(cell, here.key, key, rows, { on_conflict })
        const id = await enqueue(rows, { on_conflict }, key, there.key)
        const batch = await finished(id, there.key)
        expect((await outcomesOf(id, '', there.key)).map(same)).toEqual(expected.map(same))
        expect([batch.counts, batch.processed]).toEqual([counts, rows.length])
      })
      await fc.assert(one, { numRuns: RUNS, seed: settings.seed })
      await stop()
    },
  )
  it('agree about numbers that no double can hold', async () => {
    const raw = (mode: string) => `{"mode":"${mode}","rows":[{"external_id":"INF","name":1e999,"code":-1e999}]}`
    const now = await cell.call('POST', '/imports/customers', { key: agency.key, raw: raw('sync') })
    const later = await cell.call('POST', '/imports/customers', { key: agency.key, raw: raw('async') })
    const { id } = (later.body as { data: Batch }).data
    const stop = startImports(cell)
    await finished(id as string)
    await stop()
    expect(await outcomesOf(id as string)).toEqual((now.body as { data: Result }).data.rows)
  })
})

describe('batches that are looked up', () => {
  it('list newest first, by entity and by status, page by page', async () => {
    const own = await makeAgency(cell)
    for (let at = 0; at < 7; at++) {
      const [entity, rows] =
        at % 3 === 0 ? ['suppliers', [{ external_id: `L${at}` }]] : ['customers', people(1, `L${at}`)]
      await importRows(cell, own.key, entity as string, rows as object[])
    }
    const queued = await enqueue(people(1), {}, 'customers', own.key)
    const walk = async (filter: string) => {
      const ids: Batch[] = []
      for (let next: string | null = ''; next !== null; ) {
        const path: string = `/imports?limit=2${filter}${next && `&cursor=${next}`}`
        const { data, page } = await get<{ data: Batch[]; page: RowsPage['page'] }>(path, own.key)
        ids.push(...data)
        next = page.next_cursor
      }
      return ids
    }
    const all = await walk('')
    expect([all.length, all[0]?.id, new Set(all.map(({ id }) => id)).size]).toEqual([8, queued, 8])
    expect(all.map(({ created_at }) => created_at)).toEqual(
      all
        .map(({ created_at }) => created_at)
        .sort()
        .reverse(),
    )
    const ids = (wanted: (batch: Batch & { entity: string }) => boolean) =>
      all.filter((batch) => wanted(batch as never)).map(({ id }) => id)
    expect((await walk('&entity=suppliers')).map(({ id }) => id)).toEqual(ids(({ entity }) => entity === 'suppliers'))
    for (const status of ['queued', 'running', 'completed', 'completed_with_errors', 'failed']) {
      expect((await walk(`&status=${status}`)).map(({ id }) => id)).toEqual(ids((batch) => batch.status === status))
    }
    expect(await walk('&entity=suppliers&status=completed')).toEqual([])
    expect(await cell.call('GET', '/imports?status=odd', { key: own.key })).toMatchObject({
      status: 422,
      body: { code: 'invalid_parameter' },
    })
    const { page } = await get<RowsPage>('/imports?limit=2', own.key)
    const foreign = await cell.call('GET', `/imports?limit=2&cursor=${page.next_cursor}`, { key: agency.key })
    expect([foreign.status, (foreign.body as { code: string }).code]).toEqual([400, 'invalid_cursor'])
  })
  it('have the very outcomes that a synchronous import answered, also by their status', async () => {
    const rows = [...people(130, 'V'), { external_id: 'V7' }, { external_id: 'V8', name: '' }, ...people(1, 'V')]
    const { id, rows: answered, counts } = await importRows(cell, agency.key, 'customers', rows)
    expect(await outcomesOf(id as string)).toEqual(answered)
    for (const status of ['created', 'updated', 'unchanged', 'skipped', 'failed']) {
      expect(await outcomesOf(id as string, `&status=${status}`)).toEqual(
        answered.filter((row) => row.status === status),
      )
    }
    expect((await get<{ data: Batch }>(`/imports/${id}`)).data).toMatchObject({ mode: 'sync', counts, processed: 133 })
  })
  it.each(['GET /imports/ID', 'GET /imports/ID/rows', 'POST /imports/ID/revert'])(
    '%s answers 404 for another account’s, an unknown, a malformed id and an entity’s key',
    async (route) => {
      const [method = '', path = ''] = route.split(' ')
      const { id } = await importRows(cell, agency.key, 'customers', people(1))
      const stranger = await makeAgency(cell)
      for (const wrong of [id, '0199aaaa-0000-7000-8000-000000000000', 'customers', 'x%00', '%F0%9F%92%A9', `${id}0`]) {
        const answer = await cell.call(method, path.replace('ID', wrong as string), { key: stranger.key })
        expect([wrong, answer.status]).toEqual([wrong, wrong === 'x%00' ? 400 : 404])
        expect(answer.text).not.toContain('Person')
      }
      expect(await outcomesOf(id as string)).toHaveLength(1)
    },
  )
  it('exclude dry runs', async () => {
    const own = await makeAgency(cell)
    await importRows(cell, own.key, 'customers', people(2), {}, true)
    expect((await get<{ data: Batch[] }>('/imports', own.key)).data).toEqual([])
  })
})

describe('a batch that is taken back', () => {
  const record = (id: string, entity = 'customers') =>
    cell.call('GET', `/imports/${entity}/records/${id}`, { key: agency.key })
  const stay = (id: string, more: object = {}) => ({
    external_id: id,
    check_in_on: '2026-05-01',
    check_out_on: '2026-05-03',
    ...more,
  })

  it('loses its created and unchanged records; the others stay, with a reason', async () => {
    await importRows(cell, agency.key, 'customers', [{ external_id: 'R-old', name: 'Old' }])
    const rows = ['R-old', 'R-plain', 'R-twice', 'R-twice', 'R-changed', 'R-booked', 'R-deleted'].map((id, at) => ({
      external_id: id,
      name: `${id} ${at}`,
    }))
    const { id } = await importRows(cell, agency.key, 'customers', rows)
    await importRows(cell, agency.key, 'customers', [{ external_id: 'R-changed', name: 'Touched' }])
    await importRows(cell, agency.key, 'hotel_stays', [stay('R-stay', { customer_external_id: 'R-booked' })])
    const remove = undeclared<{ account: number }, never>(
      `update customers set deleted_at = now() where account_id = $account and external_id = 'R-deleted'`,
    )
    await cell.deps.db.inAccount(agency.number, (tx) => tx.all(remove, {}))
    const { data } = await revert(id as string)
    expect(data).toMatchObject({ reverted: 2, batch: { id } })
    const left = [
      { index: 4, external_id: 'R-changed', reason: 'changed' },
      { index: 5, external_id: 'R-booked', reason: 'has_bookings' },
      { index: 6, external_id: 'R-deleted', reason: 'deleted' },
    ]
    expect(data.left).toMatchObject(left)
    const found = await Promise.all(['R-old', 'R-plain', 'R-twice', 'R-changed', 'R-booked'].map((id) => record(id)))
    expect(found.map(({ status }) => status)).toEqual([200, 404, 404, 200, 200])
    const again = await revert(id as string)
    expect([again.data.reverted, again.data.left.map(({ reason }) => reason)]).toEqual([
      0,
      ['deleted', 'deleted', 'changed', 'has_bookings', 'deleted'],
    ])
  })
  it('can be sent again: people come back as who they were, bookings are made anew', async () => {
    const guest = { external_id: 'RA', name: 'Guest' }
    const first = await importRows(cell, agency.key, 'customers', [guest])
    const booked = await importRows(cell, agency.key, 'hotel_stays', [stay('RA-1'), stay('RA-2')])
    expect((await revert(first.id as string)).data.reverted).toBe(1)
    expect((await revert(booked.id as string)).data).toMatchObject({ reverted: 2, left: [] })
    expect((await record('RA-1', 'hotel_stays')).status).toBe(404)
    const [restored] = (await importRows(cell, agency.key, 'customers', [guest])).rows
    expect([restored?.status, restored?.id]).toEqual(['updated', first.rows[0]?.id])
    for (let round = 0; round < 2; round++) {
      const again = await importRows(cell, agency.key, 'hotel_stays', [stay('RA-1'), stay('RA-1')])
      expect(again.rows.map(({ status }) => status)).toEqual(['created', 'skipped'])
      expect(again.rows[0]?.id).not.toBe(booked.rows[0]?.id)
      expect((await revert(again.id as string)).data.reverted).toBe(1)
    }
    const feed = await get<{ data: { status: string }[] }>('/imports/hotel_stays/records?external_id=RA-1')
    expect(feed.data.map(({ status }) => status)).toEqual(['deleted', 'deleted', 'deleted'])
  })
  it('keeps its invoiced bookings', async () => {
    await importRows(cell, agency.key, 'customers', [{ external_id: 'RI', name: 'Payer' }])
    const price = { status: 'confirmed', customer_external_id: 'RI', sell_lines: [{ kind: 'x', amount: '10' }] }
    const rows = [stay('RI-open', price), stay('RI-invoiced', { ...price, invoice_date: '2026-05-01' })]
    const { id, rows: made } = await importRows(cell, agency.key, 'hotel_stays', rows)
    expect(made.map(({ status }) => status)).toEqual(['created', 'created'])
    expect((await revert(id as string)).data).toMatchObject({
      reverted: 1,
      left: [{ external_id: 'RI-invoiced', reason: 'invoiced' }],
    })
  })
  it('gives back the seats and ticket numbers that its bookings held', async () => {
    await importRows(cell, agency.key, 'tour_departures', [{ external_id: 'RD', title: 'Tour', max_capacity: 2 }])
    const seats = [{ external_id: 'RB', tour_departure_external_id: 'RD', guest_count: 2, status: 'confirmed' }]
    const booked = await importRows(cell, agency.key, 'tour_bookings', seats)
    const departure = async () =>
      (await get<{ data: { status: string; seats_held: number } }>('/imports/tour_departures/records/RD')).data
    expect(await departure()).toMatchObject({ status: 'sold_out', seats_held: 2 })
    expect((await revert(booked.id as string)).data).toMatchObject({ reverted: 1, left: [] })
    expect(await departure()).toMatchObject({ status: 'open', seats_held: 0 })

    const passengers = [{ first_name: 'A', last_name: 'B', ticket_number: '2352400000001' }]
    const sold = await importRows(cell, agency.key, 'tickets', [{ external_id: 'RT1', passengers }])
    const other = [{ external_id: 'RT2', passengers }]
    expect((await importRows(cell, agency.key, 'tickets', other)).counts.failed).toBe(1)
    expect((await revert(sold.id as string)).data).toMatchObject({ reverted: 1, left: [] })
    expect((await importRows(cell, agency.key, 'tickets', other)).counts.created).toBe(1)
  })
  it('is finished; one that waits is refused', async () => {
    const own = await makeAgency(cell)
    const id = await enqueue(people(150), {}, 'customers', own.key)
    expect(await post(`/imports/${id}/revert`, undefined, own.key)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', details: { status: [expect.any(String)] } },
    })
    const stop = startImports(cell)
    await finished(id, own.key)
    await stop()
    expect(((await post(`/imports/${id}/revert`, undefined, own.key)).body as { data: Reverted }).data).toMatchObject({
      reverted: 150,
      left: [],
    })
  })
})

describe('rows of a batch', () => {
  it('are forgotten thirty days after it finished, outcomes and counts are not', async () => {
    const own = await makeAgency(cell)
    const done = await enqueue(people(150, 'K'), {}, 'customers', own.key)
    const stop = startImports(cell)
    await finished(done, own.key)
    await stop()
    const kept = () =>
      query<{ kept: string }>('select count(rows)::text as kept from import_chunks where account_id = $account', own)
    const age = (interval: string) =>
      cell.deps.db.inAccount(own.number, (tx) =>
        tx.all(
          undeclared<{ account: number }, never>(
            `update import_batches set purge_at = purge_at - interval '${interval}' where account_id = $account`,
          ),
          {},
        ),
      )
    await age('29 days 23 hours')
    await payloadPurge.run(cell.deps, GO_ON)
    expect(await kept()).toEqual([{ kept: '2' }])
    await age('2 hours')
    await payloadPurge.run(cell.deps, GO_ON)
    expect(await kept()).toEqual([{ kept: '0' }])
    expect(await outcomesOf(done, '', own.key)).toHaveLength(150)
  })
})
