import { beforeEach, expect, it, vi } from 'vitest'
import { waits } from './waits.ts'

const EVERY_MS = 50

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))

/** Some who wait, and what gives the first of them a connection. */
function queueOf(count: number) {
  const queue = waits()
  const coming = Array.from({ length: count }, () => Promise.withResolvers<void>())
  const waiting = coming.map(({ promise }) => queue.until(promise))
  const next = async () => {
    vi.advanceTimersByTime(EVERY_MS)
    coming.shift()?.resolve()
    await waiting.shift()
  }
  return { queue, next }
}

it('the number of waiters returns to zero', () => {
  expect([waits().longestMs(), waits().expectedMs()]).toEqual([0, 0])
})

it('an expected wait is reported before the first has waited that long', async () => {
  const { queue, next } = queueOf(200)
  for (let n = 0; n < 100; n++) await next()
  expect(queue.expectedMs()).toBeCloseTo(100 * EVERY_MS, -2)
  for (let n = 0; n < 100; n++) await next()
  expect(queue.expectedMs()).toBe(0)
})

it('where no connection comes any more, it is as long as the first has waited', async () => {
  const { queue, next } = queueOf(3)
  await next()
  vi.advanceTimersByTime(10_000)
  expect(queue.expectedMs()).toBe(10_000 + EVERY_MS)
})

it('a pause without waiters does not count towards the pace', async () => {
  const { queue, next } = queueOf(20)
  for (let n = 0; n < 20; n++) await next()
  vi.advanceTimersByTime(3_600_000)
  await queue.until(Promise.resolve())
  void queue.until(new Promise(() => {}))
  expect(queue.expectedMs()).toBeLessThan(EVERY_MS)
})
