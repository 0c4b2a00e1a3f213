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
  description: 'Survey results and retention; calculated for each request.',
}
const FULL = ['full'] as const
const policy = 'view_dashboards'

/** Zeros would look like the figures of an advisor without data, and a null advisor like all advisors. */
const noSuchAdvisor = (): ApiError =>
  new ApiError('invalid_parameter', 'The advisor_id is invalid. See details.', {
    details: { advisor_id: ['No seat with this id exists in this account. Take one from GET /users.'] },
  })

export const dashboardRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/performance',
    tag: TAG,
    summary: 'Read the performance dashboard',
    description:
      'Covers the surveys whose invitations were sent in the last `window_days` days, in the time zone of the account, for one advisor or for all. An unknown `advisor_id` is refused. Ratings are from completed surveys. `per_advisor`: most invitations first; `advisor` is null for trips without an advisor. `top_suppliers`: the best 10 suppliers with at least 3 ratings. `detractors`: the newest 20 customers who answered 0 to 6. `complimentary`: gestures recorded for these surveys; the amount is null if it is unknown or in several currencies.',
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
    summary: 'Read the retention dashboard',
    description:
      '`upcoming`: completed trips whose anniversary is within the next `window_days` days, in the time zone of the account; the next 50. `overdue_rebooks`: completed trips that ended 150 to 210 days ago and whose customer has neither a later trip nor an open lead; the oldest 50. `recent_touches`: the newest 20 messages due after trips and on birthdays. `top_referrals`: the 10 active referral codes with the most conversions, then visits.',
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
