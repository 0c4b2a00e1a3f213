import type { Database } from '../db/database.ts'
import * as pg from '../db/pg-types.ts'
import { statement } from '../db/statement.ts'
import { gauge } from '../metrics/instruments.ts'
import type { Queue } from './workers.ts'

const due = gauge('backdesk_queue_due', 'Due rows that no worker has claimed, by queue.', ['queue'])
const oldest = gauge('backdesk_queue_oldest_due_seconds', 'Age of the oldest due row, by queue.', ['queue'])

/**
 * Returns a function that counts the waiting rows of these queues: one statement for all, each part by the index of its
 * queue.
 */
export function queueDepths(db: Pick<Database, 'watch'>, queues: readonly Pick<Queue, 'name' | 'due'>[]) {
  const parts = queues.map(({ name, due }) => `select '${name}' as queue, due_at from (${due}) d`)
  const ask = statement(
    {},
    { queue: pg.text, due: pg.integer, oldest: pg.nullable(pg.float) },
    `
    select queue, count(due_at)::integer as due, extract(epoch from now() - min(due_at))::float8 as oldest
    from (${parts.join(' union all ')}) due group by queue`,
  )
  const names = new Set(queues.map(({ name }) => name))
  return async (): Promise<void> => {
    due.clear()
    oldest.clear()
    const found = new Map((await db.watch(ask, {})).map((depth) => [depth.queue, depth]))
    for (const name of names) {
      due.set([name], found.get(name)?.due ?? 0)
      oldest.set([name], Math.max(0, found.get(name)?.oldest ?? 0))
    }
  }
}
