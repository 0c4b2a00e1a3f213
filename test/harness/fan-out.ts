import { fanOutQueue } from '../../src/features/webhooks/fan-out.job.ts'
import { fanOut } from '../../src/registry.ts'
import type { TestCell } from './cell.ts'
import { GO_ON } from './worker.ts'

/** Gives the subscriptions of all accounts the events that wait for them, as the worker does. */
export async function fanOutEvents({ deps }: TestCell): Promise<void> {
  const queue = fanOutQueue(deps, fanOut)
  for (let job = await queue.claim(); job; job = await queue.claim()) await job(GO_ON)
}
