import { expect, it } from 'vitest'
import { relativeDay } from './relative-days.ts'

it.each([
  ['today', '2026-05-31'],
  ['today-7', '2026-05-24'],
  ['today+1', '2026-06-01'],
  ['week_start', '2026-05-25'], // a Monday
  ['week_end', '2026-05-31'],
  ['week_start+1', '2026-06-01'],
  ['month_start', '2026-05-01'],
  ['month_end', '2026-05-31'],
  ['month_start-1', '2026-04-01'],
  ['month_end-1', '2026-04-30'],
  ['month_end-3', '2026-02-28'],
  ['quarter_start', '2026-04-01'],
  ['quarter_end-1', '2026-03-31'],
  ['year_start', '2026-01-01'],
  ['year_end-1', '2025-12-31'],
  ['2026-05-01', null],
  ['month', null],
  ['today-1000', null],
  ['Today', null],
  ['', null],
])('“%s” is, on 31 May 2026, %s', (word, day) => {
  expect(relativeDay(word, '2026-05-31')).toBe(day)
})
