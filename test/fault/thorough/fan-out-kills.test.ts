import { expect, it, vi } from 'vitest'
import { withClient } from '../../../src/platform/db/client.ts'
import { importRows, makeAgency } from '../../harness/agency.ts'
import { startCell, uncounted } from '../../harness/cell.ts'
import { startMortalWorker } from '../../harness/mortal-worker.ts'
import { ask } from '../../harness/sql.ts'

const ROWS = 200
const SUBSCRIPTIONS = 3
const WAIT = { timeout: 30_000, interval: 20 }
/**
 * The steps of the fan-out at which the worker waits: reading the subscriptions, storing events, bodies and deliveries.
 */
const STEPS = ['webhooks', 'webhook_events', 'webhook_payloads', 'webhook_deliveries']

it.each(STEPS)(
  'a worker killed as it comes to %s leaves all events to the next one, which sends each once',
  async (table) => {
    const cell = await startCell({ deps: { count: uncounted } })
    const agency = await makeAgency(cell)
    for (let nth = 0; nth < SUBSCRIPTIONS; nth++)
      await cell.call('POST', '/webhooks', { key: agency.key, body: { url: 'https://8.8.8.8/' } })
    await ask(cell, `update webhooks set leased_until = now() + interval '1 day'`) // nothing is sent to the internet
    const worker = await startMortalWorker(cell)
    await withClient(
      { ...cell.connection, user: 'postgres' },
      async (client) => {
        await client.query('set idle_in_transaction_session_timeout = 0')
        await client.query('begin')
        await client.query(
          table === 'webhooks' ? 'select from webhooks for update' : `lock table ${table} in share row exclusive mode`, // reads continue, and so does the import
        )
        const rows = Array.from({ length: ROWS }, (_, at) => ({
          external_id: `K${at}`,
          check_in_on: '2026-07-10',
          check_out_on: '2026-07-14',
        }))
        await importRows(cell, agency.key, 'hotel_stays', rows)
        await vi.waitFor(
          async () => expect(await ask(cell, 'select from pg_locks where not granted')).not.toEqual([]),
          WAIT,
        )
        await worker.kill()
        await client.query('rollback')
      },
      'a test',
    )
    expect(await ask(cell, 'select from webhook_deliveries')).toEqual([])
    expect(await ask(cell, 'select from webhook_outbox')).toHaveLength(1)
    const next = await startMortalWorker(cell)
    await vi.waitFor(async () => expect(await ask(cell, 'select from webhook_outbox')).toEqual([]), WAIT)
    const [found] = await ask(
      cell,
      `select (select count(*) from webhook_events)::integer as events, count(*)::integer as deliveries,
       count(distinct (webhook_id, event_id))::integer as different from webhook_deliveries`,
    )
    const deliveries = SUBSCRIPTIONS * ROWS
    expect(found).toEqual({ events: ROWS, deliveries, different: deliveries })
    await next.kill()
  },
)
