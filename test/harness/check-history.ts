import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { fanOutEvents } from './fan-out.ts'
import type { Sent } from './history.ts'
import { ask } from './sql.ts'

type Stay = { readonly account: number; readonly name: string; readonly id: string }
type Kept = Stay & { readonly version: number; readonly events: number; readonly deliveries: number }
type Rows = { readonly data: readonly { readonly id: string; readonly external_id: string }[] }
type Feed = Rows & { readonly page: { readonly next_cursor: string | null } }

const ANSWERED = new Set([200, 202, 409, 422, 503])
const keyOf = ({ account, name }: Pick<Stay, 'account' | 'name'>): string => `${account} ${name}`

/**
 * Whether the responses to clients agree with the cell's tables, outbox and feed: the effect of each accepted import
 * exists once, that of a refused one not at all, and that of an unknown one completely or not at all.
 */
export async function checkHistory(cell: TestCell, agencies: readonly Agency[], history: readonly Sent[]) {
  await finished(cell)
  const kept = await staysOf(cell)
  const byName = new Map(kept.map((stay) => [keyOf(stay), stay]))
  const present = ({ agency, rows }: Sent) =>
    rows.filter(({ external_id }) => byName.has(keyOf({ account: agency.number, name: external_id }))).length
  const isDone = (sent: Sent) => present(sent) > 0

  const statuses = history.flatMap(({ answers }) => answers.map(({ status }) => status))
  expect([...new Set(statuses)].filter((status) => !ANSWERED.has(status))).toEqual([])
  expect(history.filter((sent) => isDone(sent) && present(sent) < sent.rows.length)).toEqual([])
  expect(history.filter((sent) => sent.verdict === 'accepted' && !isDone(sent))).toEqual([])
  expect(history.filter((sent) => sent.verdict === 'refused' && isDone(sent))).toEqual([])
  const done = history.filter(isDone)
  expect(kept).toHaveLength(done.reduce((sum, { rows }) => sum + rows.length, 0))
  const once = [1, 1, 1].join()
  expect(kept.filter(({ version, events, deliveries }) => [version, events, deliveries].join() !== once)).toEqual([])
  await checkBatches(cell, done.length)
  checkReplays(history, byName)
  for (const agency of agencies) await checkFeed(cell, agency, kept)
  return {
    imports: history.length,
    accepted: history.filter(({ verdict }) => verdict === 'accepted').length,
    refused: history.filter(({ verdict }) => verdict === 'refused').length,
    unknown: history.filter(({ verdict }) => verdict === 'unknown').length,
    answers: statuses.length,
    unavailable: statuses.filter((status) => status === 503).length,
    stays: kept.length,
  }
}

/** Waits for the batches that were accepted to be imported, and gives the subscriptions what waits for them. */
async function finished(cell: TestCell): Promise<void> {
  while ((await ask(cell, 'select from import_batches where finished_at is null limit 1')).length > 0) await sleep(100)
  // A process may have claimed some of them, and still be at it.
  do await fanOutEvents(cell)
  while ((await ask(cell, 'select from webhook_outbox limit 1')).length > 0)
}

const staysOf = (cell: TestCell): Promise<Kept[]> =>
  ask(
    cell,
    `with delivered as materialized (
       select account_id, event_id, count(*) as deliveries from webhook_deliveries group by 1, 2
     ),
     heard as materialized (
       select e.account_id, e.record_id, count(*) as events, sum(d.deliveries) as deliveries
       from webhook_events e left join delivered d on d.account_id = e.account_id and d.event_id = e.id group by 1, 2
     )
     select b.account_id as account, b.external_id as name, b.id, b.version, coalesce(h.events, 0)::integer as events,
       coalesce(h.deliveries, 0)::integer as deliveries
     from bookings b left join heard h on h.account_id = b.account_id and h.record_id = b.id
     where b.external_id like 'H%'`,
  )

/** There is a batch, and a remembered answer, for each import that was done; every row of a batch was created by it. */
async function checkBatches(cell: TestCell, done: number): Promise<void> {
  const [found] = await ask<object>(
    cell,
    `select (select count(*) from idempotency_keys)::integer as keys, count(*)::integer as batches,
       count(*) filter (where status = 'completed' and (counts ->> 'created')::integer = (counts ->> 'total')::integer)::integer as completed
     from import_batches where entity = 'hotel_stays'`,
  )
  expect(found).toEqual({ keys: done, batches: done, completed: done })
}

/** An import that was accepted more than once had the same response each time, and a synchronous one the stored ids. */
function checkReplays(history: readonly Sent[], byName: ReadonlyMap<string, Kept>): void {
  for (const { agency, answers } of history) {
    const accepted = answers.filter(({ status }) => status === 200 || status === 202)
    expect(new Set(accepted.map(({ text }) => text)).size).toBeLessThan(2)
    const [first] = accepted
    if (first?.status !== 200) continue
    for (const { external_id, id } of (JSON.parse(first.text) as { data: { rows: Rows['data'] } }).data.rows)
      expect(byName.get(keyOf({ account: agency.number, name: external_id }))?.id).toBe(id)
  }
}

/** A client that reads the feed from its beginning sees each of the agency's stays once, and nothing else. */
async function checkFeed(cell: TestCell, { number, key }: Agency, kept: readonly Kept[]): Promise<void> {
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/imports/hotel_stays/records?limit=100${cursor && `&cursor=${cursor}`}`
    const { data, page } = (await cell.call('GET', path, { key })).body as Feed
    seen.push(...data.map(({ id, external_id }) => `${external_id} ${id}`))
    cursor = page.next_cursor
  }
  const own = kept.filter(({ account }) => account === number).map(({ name, id }) => `${name} ${id}`)
  expect(seen.sort()).toEqual(own.sort())
}
