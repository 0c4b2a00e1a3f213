import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { creates, isRoute, least } from '../harness/writes.ts'

type Row = { id: string; due_at?: string | null }
type Page = { data: Row[]; page: { next_cursor: string | null; has_more: boolean } }
type Act = { readonly does: 'create' | 'change' | 'delete'; readonly nth: number }
type Kind = {
  readonly path: string
  readonly as: string
  /** Attributes of a new record, which lies anywhere in the order. */
  made(nth: number): object
  /** A change, of which some move the record within the order. */
  changed(nth: number, row: Row): object
  /** A record that changes comes once, too. */
  readonly once: boolean
}

const ROWS = 20
const DAY_MS = 86_400_000
const day = (nth: number) => new Date(Date.UTC(2031, 0, 1) + nth * DAY_MS).toISOString()
/** Where a change moves a record within the order. */
const MOVED: Readonly<Record<string, Pick<Kind, 'made' | 'changed' | 'once'>>> = {
  '/tasks': {
    made: (nth) => ({ subject: `New ${nth}`, due_at: nth % 3 === 0 ? null : day(nth % 7) }),
    changed: (nth, { due_at }) =>
      nth % 2 === 0 || !due_at
        ? { subject: `Changed ${nth}` }
        : { due_at: new Date(Date.parse(due_at) + nth * DAY_MS).toISOString() },
    once: false,
  },
}
/** Every list of records that the API makes, changes and deletes. */
const KINDS: readonly Kind[] = creates
  .filter(({ path }) => isRoute('GET', path) && ['PATCH', 'DELETE'].every((method) => isRoute(method, `${path}/:id`)))
  .map(({ path, as, fields }) => {
    const [text = ''] = Object.keys(fields).filter((name) => fields[name]?.type === 'string')
    const called = (word: string) => (nth: number) => ({ ...least(fields), [text]: `${word} ${nth}` })
    return { path, as, made: called('New'), changed: called('Changed'), once: true, ...MOVED[path] }
  })

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})

async function walk({ path }: Kind, key: string, limit: number, between: (page: number) => Promise<unknown>) {
  const seen: string[] = []
  for (let at = 0, cursor = ''; ; at++) {
    const { body } = await cell.call('GET', `${path}?limit=${limit}${cursor}`, { key })
    const { data, page } = body as Page
    seen.push(...data.map(({ id }) => id))
    if (page.next_cursor === null) return seen
    cursor = `&cursor=${page.next_cursor}`
    await between(at)
  }
}
const rowsOf = async ({ path }: Kind, key: string) =>
  ((await cell.call('GET', `${path}?limit=100`, { key })).body as Page).data

/** Applies an action to the rows that existed at the beginning, and returns the deleted ones. */
async function act({ path, as, made, changed }: Kind, { key }: Agency, rows: readonly Row[], acts: readonly Act[]) {
  const gone: string[] = []
  await Promise.all(
    acts.map(async ({ does, nth }) => {
      const row = rows[nth % rows.length] as Row
      if (does === 'create') return cell.call('POST', path, { key, body: { [as]: made(nth) } })
      const at = `${path}/${row.id}`
      if (does === 'change') return cell.call('PATCH', at, { key, body: { [as]: changed(nth, row) } })
      gone.push(row.id)
      return cell.call('DELETE', at, { key })
    }),
  )
  return gone
}

const acts = fc.array(
  fc.record({ does: fc.constantFrom('create', 'change', 'delete'), nth: fc.nat(99) }) satisfies fc.Arbitrary<Act>,
  { maxLength: 5 },
)

describe.each(KINDS.map((kind) => [kind.path, kind] as const))('a walk through %s', (_, kind) => {
  it('misses nothing that was there and stays, while rows are created, changed and deleted', async () => {
    const own = await makeAgency(cell)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.array(acts, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (limit, steps, waits) => {
          for (let made = (await rowsOf(kind, own.key)).length; made < ROWS; made++)
            await act(kind, own, [{ id: '' }], [{ does: 'create', nth: made }])
          const rows = await rowsOf(kind, own.key)
          const acting: Promise<string[]>[] = []
          const seen = await walk(kind, own.key, limit, async (at) => {
            acting.push(act(kind, own, rows, steps[at] ?? []))
            if (waits) await Promise.all(acting) // otherwise the next page is read while they continue
          })
          const gone = new Set((await Promise.all(acting)).flat())
          const found = new Set(seen)
          expect(rows.map(({ id }) => id).filter((id) => !found.has(id) && !gone.has(id))).toEqual([])
          if (kind.once) expect(found.size).toBe(seen.length)
        },
      ),
      { numRuns: 12 },
    )
  })
  it('sees many rows of one moment once each', async () => {
    const own = await makeAgency(cell)
    const many = Array.from({ length: 11 }, (_, at) => ({ external_id: `M${at}`, name: `M${at}` }))
    if (kind.as === 'customer') await importRows(cell, own.key, 'customers', many)
    else
      await act(
        kind,
        own,
        [{ id: '' }],
        many.map(() => ({ does: 'create', nth: 1 })),
      )
    for (const limit of [1, 2, 5, 10, 11, 12]) {
      const seen = await walk(kind, own.key, limit, () => Promise.resolve())
      expect([seen.length, new Set(seen).size]).toEqual([many.length, many.length])
    }
  })
})
