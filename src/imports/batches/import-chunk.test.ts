import { describe, expect, it } from 'vitest'
import { fakeTx } from '../../../test/harness/fake-tx.ts'
import { hotelStays } from '../../features/bookings/verticals/hotel-stays.entity.ts'
import { customers } from '../../features/customers/customers.entity.ts'
import { notifyOfImport } from '../../features/notifications/commands/notify-of-import.ts'
import { metricsText } from '../../platform/metrics/instruments.ts'
import { SHOWN_NAMES } from '../engine/read-rows.ts'
import { noCounts } from '../engine/run.ts'
import { chunksLeft, lockLeasedBatch, nextChunk } from './import-chunk.store.ts'
import { failBatch, importChunk } from './import-chunk.ts'

const CLAIM = { id: 'batch', lease: 'lease' }
const IMPORTABLES = new Map([
  ['customers', customers],
  ['hotel_stays', hotelStays],
])
const WORK = { importables: IMPORTABLES, leaseMs: 60_000, onEnd: notifyOfImport }
const ROWS = [{ external_id: 'A-1' }, { external_id: 'A-2' }]
type Row = Record<string, unknown>

/** A batch of two chunks of stays, the first of which is done, that were all imported before: nothing is written. */
const HELD = {
  entity: 'hotel_stays',
  source: 'sheet',
  company: 'company',
  branch: null,
  conflict: 'skip',
  counts: { ...noCounts(4), created: 1, failed: 1 },
  processed: 2,
  ignored: ['zebra'],
  options: {
    named: { company: false, branch: false },
    read: { decimalSeparator: null, country: 'TR', currency: 'TRY', timeZone: 'UTC' },
    context: { currency: 'TRY', today: '2026-05-01' },
  },
  principal: 'seat',
}
function batch(held: object | null, rows: readonly Row[] | null = ROWS, present: readonly string[] = ['A-1', 'A-2']) {
  const { tx, sent, sentTo } = fakeTx((text) => {
    if (text === lockLeasedBatch.text) return held ? [held] : []
    if (text === nextChunk.text || text === chunksLeft.text) return rows ? [{ nth: 1, first_index: 2, rows }] : []
    if (text.includes('key.external_id'))
      return present.map((external_id) => ({
        id: `id of ${external_id}`,
        external_id,
        status: 'draft',
        deleted: false,
        company_id: null,
        branch_id: null,
      }))
    return []
  })
  const saved = (): (Row & { chunks: { outcomes: Row[] }[] }) | null => {
    const [input] = sentTo('update import_chunks')
    if (!input) return null
    const { chunks, counts, ...rest } = input
    return { ...rest, chunks: JSON.parse(String(chunks)), counts: JSON.parse(String(counts)) }
  }
  const finished = () => sentTo('finished_at = clock_timestamp()')[0]
  const notifications = () => sentTo('insert into notifications').flatMap(({ given }) => JSON.parse(String(given)))
  return { tx, sent, saved, finished, notifications }
}
const importNext = (made: ReturnType<typeof batch>) => importChunk(made.tx, CLAIM, WORK)

describe('a chunk', () => {
  it('is imported, its outcomes at their places in the batch, and the last one finishes the batch', async () => {
    const made = batch(HELD)
    expect(await importNext(made)).toBe('finished')
    expect(made.saved()).toEqual({
      id: 'batch',
      processed: 4,
      ignored: ['zebra'],
      ms: 60_000,
      counts: { ...noCounts(4), created: 1, failed: 1, skipped: 2 },
      chunks: [
        {
          nth: 1,
          outcomes: [2, 3].map((index) =>
            expect.objectContaining({
              index,
              status: 'skipped',
              external_id: `A-${index - 1}`,
              id: `id of A-${index - 1}`,
            }),
          ),
        },
      ],
    })
    expect(made.finished()).toEqual({ id: 'batch', status: 'completed_with_errors', error: null })
    expect(made.notifications()).toEqual([
      {
        seat: 'seat',
        kind: 'import_finished',
        title: 'Import of 4 hotel stays finished',
        body: '1 created, 2 skipped, 1 failed.',
        priority: 'normal',
        subjectType: 'ImportBatch',
        subjectId: 'batch',
        subjectLabel: 'Hotel stays',
      },
    ])
  })
  it('finishes a batch without a failure as completed', async () => {
    const made = batch({ ...HELD, counts: { ...noCounts(4), created: 2 } })
    await importNext(made)
    expect(made.finished()).toMatchObject({ status: 'completed' })
  })
  it('is followed by another while rows are left, without a notification', async () => {
    const made = batch({ ...HELD, counts: noCounts(5) })
    expect(await importNext(made)).toBe('more')
    expect([made.saved()?.processed, made.finished(), made.notifications()]).toEqual([4, undefined, []])
  })
  it('adds the names that were ignored to those before, each once, in order', async () => {
    const made = batch(HELD, [{ external_id: 'B-1', zebra: 1, ant: 2 }], [])
    await importNext(made)
    expect(made.saved()?.ignored).toEqual(['ant', 'zebra'])
    expect(made.saved()?.chunks[0]?.outcomes[0]).toMatchObject({ status: 'failed', external_id: 'B-1' })
  })
  it('lists a limited number of them', async () => {
    const names = Array.from({ length: SHOWN_NAMES + 1 }, (_, nth) => `n${String(nth).padStart(4, '0')}`)
    const made = batch({ ...HELD, ignored: names.toReversed() })
    await importNext(made)
    expect(made.saved()?.ignored).toEqual(names.slice(0, SHOWN_NAMES))
  })
  it('of somebody else is left alone', async () => {
    const made = batch(null)
    expect(await importNext(made)).toBe('lost')
    expect([made.saved(), made.finished()]).toEqual([null, undefined])
  })
})

describe('the metrics', () => {
  const value = (line: string) =>
    Number(
      metricsText()
        .split('\n')
        .find((text) => text.startsWith(`${line} `))
        ?.split(' ')
        .at(-1) ?? 0,
    )
  const rows = (outcome: string) => value(`backdesk_import_rows_total{entity="hotel_stays",outcome="${outcome}"}`)
  const batches = (status: string) =>
    value(`backdesk_import_batches_total{entity="hotel_stays",mode="async",status="${status}"}`)
  const counts = () => [rows('skipped'), rows('failed'), batches('completed_with_errors'), batches('failed')]

  it('count each row once, with its outcome, and each batch once, with its final status', async () => {
    const before = counts()
    const more = () => counts().map((count, at) => count - (before[at] ?? 0))
    await importNext(batch(HELD))
    expect(more()).toEqual([2, 0, 1, 0])
    await failBatch(batch(HELD).tx, CLAIM, WORK)
    expect(more()).toEqual([2, 2, 1, 1])
  })
})

describe('a batch that cannot go on', () => {
  it.each<[string, (made: ReturnType<typeof batch>) => Promise<unknown>, object, readonly Row[] | null, RegExp]>([
    ['of an entity that is no more', importNext, { ...HELD, entity: 'yachts' }, ROWS, /entity yachts no longer exists/],
    ['of which a chunk is lost', importNext, HELD, null, /internal error.*Send them again/],
    ['that failed too often', ({ tx }) => failBatch(tx, CLAIM, WORK), HELD, ROWS, /internal error.*Send them again/],
  ])('%s has failed in all remaining rows, with the reason', async (_, end, held, rows, why) => {
    const made = batch(held, rows)
    await end(made)
    expect(made.finished()).toEqual({ id: 'batch', status: 'failed', error: expect.stringMatching(why) })
    expect(made.saved()).toMatchObject({ processed: 4, ms: 0, counts: { total: 4, created: 1, failed: 3 } })
    const outcomes = made.saved()?.chunks.flatMap(({ outcomes }) => outcomes)
    expect(outcomes).toEqual(
      (rows ?? []).map((row, at) => ({
        index: 2 + at,
        external_id: row.external_id,
        status: 'failed',
        id: null,
        record_status: null,
        reason: null,
        errors: [{ field: 'base', code: 'conflict', message: expect.stringContaining('again') }],
        warnings: [],
      })),
    )
    expect(made.notifications()).toMatchObject([
      { title: expect.stringMatching(/^Import of 4 .* failed$/), priority: 'high' },
    ])
  })
  it('names the rows that can be named', async () => {
    const names = ['A-1', ' A-2 ', '', 'x'.repeat(200), 'x'.repeat(201), 'a\u0007b', '\ud800', 17, null, undefined]
    const made = batch(
      { ...HELD, counts: noCounts(names.length), processed: 0 },
      names.map((external_id) => ({ external_id })),
    )
    await failBatch(made.tx, CLAIM, WORK)
    const shown = made.saved()?.chunks[0]?.outcomes.map(({ external_id }) => external_id)
    expect(shown).toEqual(['A-1', 'A-2', null, 'x'.repeat(200), null, null, null, null, null, null])
  })
  it('is left alone where it is held by somebody else', async () => {
    const made = batch(null)
    await failBatch(made.tx, CLAIM, WORK)
    expect([made.saved(), made.finished()]).toEqual([null, undefined])
  })
})
