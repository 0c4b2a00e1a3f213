import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { progress } from './progress.ts'

let written: string[]
beforeEach(() => {
  vi.useFakeTimers()
  written = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('without a terminal there is a line every ten seconds, also while nothing moves, until the end', () => {
  const shown = progress(1000, false)
  shown.at(250, 50, 30)
  vi.advanceTimersByTime(10_000)
  shown.at(500, 100, 20)
  vi.advanceTimersByTime(20_000)
  shown.stop()
  vi.advanceTimersByTime(60_000)
  expect(written).toEqual(['50 rows, 25 %, 30 s left\n', '100 rows, 50 %, 20 s left\n', '100 rows, 50 %, 20 s left\n'])
})

it('a wait is announced at once, and an answer for a program has no progress', () => {
  progress(1000, false).note('waiting 30 s for the rate limit')
  progress(1000, true).note('never shown')
  expect(written).toEqual(['waiting 30 s for the rate limit\n'])
})
