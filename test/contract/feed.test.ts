import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { importables } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency, type Result } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'

type Record_ = { external_id: string; version: number; name: string; status: string; branch_id: string | null }
type Page = {
  data: Record_[]
  page: { next_cursor: string | null; has_more: boolean; limit: number; resume_cursor: string }
}

let cell: TestCell
let agency: Agency
/** Where the cell listens, for clients that rewrite paths, or do not. */
let listening: Promise<string>
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  listening = cell.app.listen({ port: 0, host: '127.0.0.1' })
})
const feed = async (query = '', key = agency.key, entity = 'customers'): Promise<Page> => {
  const { status, body, text } = await cell.call('GET', `/imports/${entity}/records?${query}`, { key })
  if (status !== 200) throw new Error(text)
  return body as Page
}
const customers = (prefix: string, count: number, name = 'Someone') =>
  Array.from({ length: count }, (_, at) => ({ external_id: `${prefix}-${at}`, name }))

describe('the records feed', () => {
  it('walks every record once, in pages, and ends with null and a cursor to resume from', async () => {
    const own = await makeAgency(cell)
    await importRows(cell, own.key, 'customers', customers('W', 53))
    const seen: string[] = []
    let page = await feed('limit=10', own.key)
    for (; ; page = await feed(`limit=10&cursor=${page.page.next_cursor}`, own.key)) {
      seen.push(...page.data.map(({ external_id }) => external_id))
      expect(page.page.has_more).toBe(page.page.next_cursor !== null)
      if (!page.page.has_more) break
    }
    expect([...seen].sort()).toEqual(
      customers('W', 53)
        .map(({ external_id }) => external_id)
        .sort(),
    )
    expect((await feed(`cursor=${page.page.resume_cursor}`, own.key)).data).toEqual([])
    await importRows(cell, own.key, 'customers', [{ external_id: 'W-7', name: 'Changed' }])
    const next = await feed(`cursor=${page.page.resume_cursor}`, own.key)
    expect(next.data.map(({ external_id, version }) => [external_id, version])).toEqual([['W-7', 2]])
  })

  it('misses no change of concurrent writers, in any commit order', { timeout: 60_000 }, async () => {
    const own = await makeAgency(cell)
    const last = new Map<string, number>()
    let cursor: string | null = null
    let done = false
    const poll = async () => {
      const page: Page = await feed(`limit=7${cursor ? `&cursor=${cursor}` : ''}`, own.key)
      for (const { external_id, version } of page.data) {
        expect(version).toBeGreaterThan(last.get(external_id) ?? 0)
        last.set(external_id, version)
      }
      cursor = page.page.resume_cursor
      return page.data.length
    }
    const reader = (async () => {
      while (!done) await poll()
    })()
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let round = 0; round < 15; round++) {
        const mine = customers(`P${writer}`, 1 + ((round * 7 + writer) % 9), `Round ${round}`)
        await importRows(cell, own.key, 'customers', [
          ...mine,
          ...customers('SHARED', 5, `Round ${round} of ${writer}`),
        ])
      }
    })
    await Promise.all(writers)
    done = true
    await reader
    while ((await poll()) > 0);
    const all: Record_[] = []
    for (
      let page = await feed('limit=100', own.key);
      ;
      page = await feed(`limit=100&cursor=${page.page.next_cursor}`, own.key)
    ) {
      all.push(...page.data)
      if (!page.page.has_more) break
    }
    expect(Object.fromEntries(last)).toEqual(
      Object.fromEntries(all.map(({ external_id, version }) => [external_id, version])),
    )
  })

  it('filters by source, ids, status, time, company and branch', async () => {
    const own = await makeAgency(cell)
    await importRows(cell, own.key, 'customers', customers('A', 3))
    await importRows(cell, own.key, 'customers', customers('A', 2), { source_system: 'legacy' })
    await importRows(cell, own.key, 'customers', customers('B', 1), { branch_id: own.otherBranch })
    await importRows(cell, own.key, 'customers', customers('D', 1), { company_id: own.otherCompany })
    const ids = async (query: string) => (await feed(query, own.key)).data.map(({ external_id }) => external_id).sort()
    expect(await ids('source_system=legacy')).toEqual(['A-0', 'A-1'])
    expect(await ids('external_id=A-2,B-0,none')).toEqual(['A-2', 'B-0'])
    expect(await ids('status=inactive')).toEqual([])
    expect(await ids(`branch_id=${own.otherBranch}`)).toEqual(['B-0'])
    expect(await ids(`branch_id=${own.branch.id}`)).toHaveLength(7) // the headquarters represent all
    expect(await ids('')).toHaveLength(7)
    expect(await ids(`company_id=${own.otherCompany}`)).toEqual(['D-0'])
    expect(await ids('updated_since=2020-01-01T00:00:00Z')).toHaveLength(7)
    expect(await ids('updated_since=2199-01-01T00:00')).toEqual([])
  })

  it('records without a branch appear under every branch', async () => {
    const own = await makeAgency(cell)
    await importRows(cell, own.key, 'suppliers', [{ external_id: 'S', name: 'S' }])
    expect((await feed(`branch_id=${own.otherBranch}`, own.key, 'suppliers')).data).toHaveLength(1)
  })

  it('a cursor of another account, entity or set of filters, or one that was changed, is invalid', async () => {
    const own = await makeAgency(cell)
    await importRows(cell, own.key, 'customers', customers('C', 3))
    const { next_cursor: cursor } = (await feed('limit=1&source_system=api', own.key)).page
    const status = async (query: string, key = own.key, entity = 'customers') =>
      (await cell.call('GET', `/imports/${entity}/records?${query}`, { key })).status
    expect(await status(`source_system=api&cursor=${cursor}`)).toBe(200)
    expect(await status(`limit=3&source_system=api&cursor=${cursor}`)).toBe(200)
    expect(await status(`cursor=${cursor}`)).toBe(400)
    expect(await status(`source_system=other&cursor=${cursor}`)).toBe(400)
    expect(await status(`source_system=api&cursor=${cursor}`, agency.key)).toBe(400)
    expect(await status(`source_system=api&cursor=${cursor}`, own.key, 'suppliers')).toBe(400)
    const flipped = `${cursor?.slice(0, -2)}${cursor?.at(-2) === 'A' ? 'B' : 'A'}${cursor?.at(-1)}`
    expect(await status(`source_system=api&cursor=${flipped}`)).toBe(400)
  })

  it('a re-send that changes nothing is not in the feed again', async () => {
    const own = await makeAgency(cell)
    await importRows(cell, own.key, 'customers', customers('N', 3))
    const { resume_cursor: cursor } = (await feed('', own.key)).page
    expect((await importRows(cell, own.key, 'customers', customers('N', 3))).counts.unchanged).toBe(3)
    expect((await feed(`cursor=${cursor}`, own.key)).data).toEqual([])
  })
})

describe('a deleted record', () => {
  const writable = importables.flatMap(({ entity }) => (entity.readOnly ? [] : [entity]))
  it('of any entity stays in the feed as a tombstone with its external id', async () => {
    const own = await makeAgency(cell)
    const batches: [entity: string, made: Result][] = []
    // The samples, and again under ids that no other sample names, so that some of each can be reverted.
    for (const suffix of ['', '-2'])
      for (const { key, sample } of writable) {
        const rows = sample.rows.map((row) => ({ ...row, external_id: `${row.external_id}${suffix}` }))
        batches.push([key, await importRows(cell, own.key, key, rows)])
      }
    const deleted = new Map<string, object[]>(writable.map(({ key }) => [key, []]))
    for (const [entity, { id: batch, rows }] of batches.toReversed()) {
      const answer = await cell.call('POST', `/imports/${batch}/revert`, { key: own.key })
      const left = new Set((answer.body as { data: { left: { id: string }[] } }).data.left.map(({ id }) => id))
      const merges = entity === 'customers' ? { merged_into_id: null } : {}
      for (const { id, external_id, status } of rows)
        if (status === 'created' && !left.has(id as string))
          deleted
            .get(entity)
            ?.push({ entity, external_id, id, status: 'deleted', version: expect.any(Number), ...merges })
    }
    for (const [entity, tombstones] of deleted) {
      const { data } = await feed('', own.key, entity)
      expect(tombstones.length).toBeGreaterThan(0)
      const found = data.filter(({ status }) => status === 'deleted')
      expect(found).toHaveLength(tombstones.length)
      expect(found).toEqual(expect.arrayContaining(tombstones))
    }
  })
  it('is distinguished from a merged one, whose external id leads to the survivor', async () => {
    const own = await makeAgency(cell)
    const { rows } = await importRows(cell, own.key, 'customers', customers('M', 3))
    const [into, loser, gone] = rows.map(({ id }) => id) as [string, string, string]
    const { resume_cursor: cursor } = (await feed('', own.key)).page
    await cell.call('POST', `/customers/${loser}/merge`, { key: own.key, body: { into_id: into } })
    await cell.call('DELETE', `/customers/${gone}`, { key: own.key })
    const { data } = await feed(`cursor=${cursor}`, own.key)
    const tombstones = (data as unknown as { id: string }[]).filter(({ id }) => id !== into)
    expect(tombstones).toMatchObject([
      { id: loser, external_id: 'M-1', status: 'deleted', merged_into_id: into },
      { id: gone, external_id: 'M-2', status: 'deleted', merged_into_id: null },
    ])
    const led = await cell.call('GET', '/imports/customers/records/M-1', { key: own.key })
    expect(led.body).toMatchObject({ data: { id: into } })
    await importRows(cell, own.key, 'customers', customers('M', 3))
    const restored = (await feed(`cursor=${cursor}&`, own.key)).data.find(({ external_id }) => external_id === 'M-2')
    expect(restored).toMatchObject({ status: 'active', name: 'Someone' })
  })
})

describe('the external ids that clients take for parts of a path', () => {
  const ids = ['.', '..', '...', '.hidden', 'a/../b', '%2E%2E']
  beforeAll(async () => {
    await importRows(
      cell,
      agency.key,
      'customers',
      ids.map((external_id) => ({ external_id, name: `Called ${external_id}` })),
    )
  })
  it.each(ids)('%s is read back by a query, by any client', async (id) => {
    const base = await listening
    const query = new URLSearchParams({ external_id: id, source_system: 'api' })
    const answer = await fetch(`${base}/api/v1/imports/customers/records?${query}`, {
      headers: { authorization: `Bearer ${agency.key}` },
    })
    expect(((await answer.json()) as Page).data).toMatchObject([{ external_id: id, name: `Called ${id}` }])
  })
  it.each(ids.flatMap((id) => [encodeURIComponent(id), encodeURIComponent(id).replaceAll('.', '%2E')]))(
    '%s is read back by its path where the client sends it as it is',
    async (segment) => {
      const { port } = new URL(await listening)
      const headers = { authorization: `Bearer ${agency.key}` }
      const path = `/api/v1/imports/customers/records/${segment}`
      const [answer] = (await once(request({ port, path, headers }).end(), 'response')) as [IncomingMessage]
      const { data } = (await json(answer)) as { data: Record_ }
      expect(data.external_id).toBe(decodeURIComponent(segment))
    },
  )
})
