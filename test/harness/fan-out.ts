import { fanOutQueue } from '../../src/features/webhooks/fan-out.job.ts'
import { fanOut } from '../../src/registry.ts'
import type { TestCell } from './cell.ts'
import { ask } from './sql.ts'
import { GO_ON } from './worker.ts'

/** Gives the subscriptions of all accounts the events that wait for them, also those that a killed worker had claimed. */
export async function fanOutEvents(cell: TestCell): Promise<void> {
  await ask(cell, 'update webhook_outbox set next_attempt_at = now()')
  const queue = fanOutQueue(cell.deps, fanOut)
  for (let job = await queue.claim(); job; job = await queue.claim()) await job(GO_ON)
}
