import fc from 'fast-check'
import { expect, it } from 'vitest'
import { duration, secondsLeft } from './time-left.ts'

const MINUTE_MS = 60_000

/** Plays the requests one by one: waits for the next minute whenever the budget is spent. */
function played(requests: number, secondsEach: number, limit: number, remaining: number, resetMs: number): number {
  let [clock, left, window] = [0, remaining, resetMs]
  for (let sent = 0; sent < requests; sent++) {
    if (left === 0) {
      clock = Math.max(clock, window)
      window += MINUTE_MS
      left = limit
    }
    clock += secondsEach * 1000
    left--
  }
  return clock / 1000
}

it('the time left is that of the requests within the rate limit', () => {
  const whole = (max: number) => fc.integer({ min: 0, max })
  // No request is so slow that a window ends before its budget is spent.
  fc.assert(
    fc.property(whole(500), whole(30), fc.integer({ min: 1, max: 60 }), whole(60), (requests, ms, limit, remaining) => {
      const budget = { limit, remaining, resetMs: 45_000 }
      const expected = played(requests, ms / 1000, limit, remaining, budget.resetMs)
      expect(secondsLeft(requests, { secondsEach: ms / 1000, budget })).toBeCloseTo(expected, 6)
    }),
  )
})

it('the time left follows the speed if there is no limit', () => {
  expect(secondsLeft(10, { secondsEach: 0.5, budget: null })).toBe(5)
  expect([0.2, 89.5, 100, 5340, 7800].map(duration)).toEqual(['1 s', '90 s', '2 min', '89 min', '2 h 10 min'])
})
