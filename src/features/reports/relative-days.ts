const WORD = /^(today|(week|month|quarter|year)_(start|end))([+-]\d{1,3})?$/
const LENGTHS = { week: { weeks: 1 }, month: { months: 1 }, quarter: { months: 3 }, year: { years: 1 } } as const
type Span = keyof typeof LENGTHS

/**
 * The date of a relative expression as of today, for scheduled reports: `today-7`, `month_start`, `month_end-1` (the
 * last day of the previous month), and the same for weeks (from Monday), quarters and years. Null for any other text.
 */
export function relativeDay(text: string, today: string): string | null {
  const [, word, span, side, moved = '0'] = WORD.exec(text) ?? []
  if (word === undefined) return null
  const day = Temporal.PlainDate.from(today)
  const by = Number(moved)
  if (span === undefined) return day.add({ days: by }).toString()
  const length = Temporal.Duration.from(LENGTHS[span as Span])
  const start = startOf(day, span as Span).add(times(length, by))
  return (side === 'start' ? start : start.add(length).subtract({ days: 1 })).toString()
}

const times = ({ weeks, months, years }: Temporal.Duration, by: number) => ({
  weeks: weeks * by,
  months: months * by,
  years: years * by,
})

function startOf(day: Temporal.PlainDate, span: Span): Temporal.PlainDate {
  switch (span) {
    case 'week':
      return day.subtract({ days: day.dayOfWeek - 1 })
    case 'month':
      return day.with({ day: 1 })
    case 'quarter':
      return day.with({ day: 1, month: day.month - ((day.month - 1) % 3) })
    case 'year':
      return day.with({ day: 1, month: 1 })
  }
}
