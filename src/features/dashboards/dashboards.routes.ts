import Type from 'typebox'
import { viewSchema } from '../../platform/db/view.ts'
import { dataOf } from '../../platform/http/by-id.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Uuid } from '../../platform/http/shapes.ts'
import { dayBegins, dayIn } from '../../platform/time.ts'
import { OF_ADVISOR, readPerformance } from './performance.store.ts'
import { performance } from './performance.view.ts'
import { readRetention } from './retention.store.ts'
import { retention } from './retention.view.ts'
import { performanceDays, retentionDays } from './window-days.ts'

const TAG = {
  name: 'Dashboards',
  description: 'How trips were liked, and who may travel again; made anew by each call.',
}
const FULL = ['full'] as const
const policy = 'view_dashboards'

/** Zeros would read as the answer for an advisor of whom nothing is known, and a null advisor as all of them. */
const noSuchAdvisor = (): ApiError =>
  new ApiError('invalid_parameter', 'The advisor_id is invalid. See details.', {
    details: { advisor_id: ['No seat with this id exists in this account. Take one from GET /users.'] },
  })

export const dashboardRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/performance',
    tag: TAG,
    summary: 'See how trips were liked',
    description:
      'Of the surveys to which customers were invited since the beginning of the day `window_days` ago, by the account’s clock; those of trips that one advisor looked after, or all; an `advisor_id` that no seat of the account has is refused. Ratings are those of completed surveys. `per_advisor`: most invitations first; `advisor` is null for trips that nobody looked after. `top_suppliers`: with 3 ratings or more, the best 10. `detractors`: who answered 0 to 6, the newest 20. `complimentary`: gestures made for these surveys; the amount is null where none is known, or they are of several currencies.',
    scope: FULL,
    policy,
    slow: true,
    takes: {
      query: Type.Object({ window_days: performanceDays.parameter, advisor_id: Type.Optional(Uuid) }),
    },
    answers: {
      status: 200,
      body: Type.Object({ data: viewSchema(performance, 'Performance') }),
      description: 'The dashboard.',
    },
    errors: ['invalid_parameter'],
    async handle(reader, { query, actor: { policies, timeZone }, now }) {
      const days = performanceDays.read(query.window_days)
      const since = dayBegins(timeZone, dayIn(timeZone, now), -days)
      const { advisor_id: advisor = null } = query
      const read = readPerformance(policies, advisor === null ? undefined : OF_ADVISOR)
      const found = await reader.one(read, { days, since, advisor })
      if (!found && advisor !== null) throw noSuchAdvisor()
      return dataOf(found, 'dashboard')
    },
  }),
  route({
    method: 'GET',
    path: '/retention',
    tag: TAG,
    summary: 'See who may travel again',
    description:
      '`upcoming`: completed trips that ended a year before one of the days from today to `window_days` ahead, by the account’s clock, the soonest 50. `overdue_rebooks`: completed trips that ended 150 to 210 days ago, and whose customer has neither a trip that starts later nor an open lead, the longest ago 50. `recent_touches`: what came due to be said after trips and on birthdays, the newest 20. `top_referrals`: the 10 active codes that led to the most conversions, then visits.',
    scope: FULL,
    policy,
    slow: true,
    takes: { query: Type.Object({ window_days: retentionDays.parameter }) },
    answers: {
      status: 200,
      body: Type.Object({ data: viewSchema(retention, 'Retention') }),
      description: 'The dashboard.',
    },
    errors: [],
    async handle(reader, { query, actor: { policies, timeZone }, now }) {
      const days = retentionDays.read(query.window_days)
      const today = dayIn(timeZone, now)
      const found = await reader.one(readRetention(policies), { days, today, now: new Date(now).toISOString() })
      return dataOf(found, 'dashboard')
    },
  }),
]
