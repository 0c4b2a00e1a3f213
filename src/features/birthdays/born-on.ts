/** The maximum age in years. */
const OLDEST = 150

/** People born on 29 February have their birthday on 28 February in other years. */
const celebratesIn = (born: Temporal.PlainDate, year: number): Temporal.PlainDate => born.with({ year })

/** The dates of birth with a birthday on this day. */
export function bornOn(day: Temporal.PlainDate): Temporal.PlainDate[] {
  const years = Array.from({ length: OLDEST + 1 }, (_, ago) => day.year - ago)
  return years
    .map((year) => day.with({ year }))
    .flatMap((born) => [born, born.add({ days: 1 })])
    .filter((born) => celebratesIn(born, day.year).equals(day))
}
