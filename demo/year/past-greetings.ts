import { randomUUIDv7 } from 'node:crypto'
import type { LetterOutcome, OldLetter } from './old-letters.ts'
import type { Subscriber } from './past-customers.ts'
import type { Timeline } from './timeline.ts'
import { intoTable } from './write-rows.ts'

/** Birthdays of the past year, since the customer's consent. */
export type Greeting = { readonly id: string; readonly customer: string; readonly day: string; readonly at: string }

const FROM_TIME = '09:02'

export const greetings = intoTable(
  'birthday_greetings',
  'id, customer_id, celebrated_on, status, skipped_reason, communication_id, sent_at, created_at',
)

export const greetingsOf = (subscribers: readonly Subscriber[], time: Timeline): Greeting[] =>
  subscribers.flatMap(({ customer, since, birthday }) => {
    if (birthday === null) return []
    const today = Temporal.PlainDate.from(time.ago(0))
    const thisYear = Temporal.PlainDate.from(birthday).with({ year: today.year })
    const past = Temporal.PlainDate.compare(thisYear, today) < 0
    const day = (past ? thisYear : thisYear.subtract({ years: 1 })).toString()
    const at = time.at(day, FROM_TIME)
    return Date.parse(at) > Date.parse(since) ? [{ id: randomUUIDv7(), customer, day, at }] : []
  })

export const greetingLetter = ({ id, customer, at }: Greeting): OldLetter => ({
  of: id,
  kind: 'birthday',
  customer,
  trip: null,
  at,
})

export const greetingRow = ({ id, customer, day, at }: Greeting, outcome: LetterOutcome | undefined) => ({
  id,
  customer_id: customer,
  celebrated_on: day,
  status: outcome?.status,
  skipped_reason: outcome?.reason,
  communication_id: outcome?.communication,
  sent_at: outcome?.status === 'sent' ? at : null,
  created_at: at,
})
