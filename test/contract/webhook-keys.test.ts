import { expect, it } from 'vitest'
import { deliveryQueue } from '../../src/features/webhooks/deliveries.job.ts'
import { type Network, readNetwork } from '../../src/platform/access/source-address.ts'
import { deriveKey, sealWith } from '../../src/platform/seal.ts'
import { importRows, makeAgency } from '../harness/agency.ts'
import { startCell, uncounted } from '../harness/cell.ts'
import { fanOutEvents } from '../harness/fan-out.ts'
import { ask } from '../harness/sql.ts'
import { subscribe } from '../harness/subscriber.ts'
import { GO_ON } from '../harness/worker.ts'

it('an event is not sent while the secret is not the one its key was sealed with, and is once the key is rotated', async () => {
  const destinations = { allowed: [readNetwork('127.0.0.0/8') as Network] }
  const cell = await startCell({ deps: { count: uncounted, destinations } })
  const agency = await makeAgency(cell)
  const { id, requests } = await subscribe(cell, agency)
  const sealed = sealWith(deriveKey('another secret', 'webhook signing keys')).seal('key')
  await ask(cell, 'update webhooks set signing_key = $2 where id = $1', [id, sealed])
  await importRows(cell, agency.key, 'transfers', [
    { external_id: 'T', pickup_at: '2026-07-10T10:00', pickup_location: 'A', dropoff_location: 'B' },
  ])
  await fanOutEvents(cell)
  const deliver = async () => {
    await ask(cell, 'update webhook_deliveries set next_attempt_at = now() where webhook_id = $1', [id])
    const job = await deliveryQueue(cell.deps).claim()
    await job?.(GO_ON)
  }
  const state = () =>
    ask<object>(
      cell,
      `select d.status, d.attempts, array(select a.error from webhook_attempts a where a.delivery_id = d.id order by a.number) as errors
       from webhook_deliveries d where webhook_id = $1`,
      [id],
    )
  await deliver()
  expect(await state()).toEqual([{ status: 'pending', attempts: 1, errors: [expect.stringMatching(/^unsigned: /)] }])
  expect(requests()).toEqual([])
  await cell.call('POST', `/webhooks/${id}/rotate_secret`, { key: agency.key })
  await deliver()
  expect(await state()).toMatchObject([{ status: 'succeeded', attempts: 2 }])
  expect(requests()).toHaveLength(1)
})
