import Type from 'typebox'
import { viewSchema } from '../../platform/db/view.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Day, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { type JsonText, jsonObject, jsonText } from '../../platform/json-text.ts'
import { dayIn } from '../../platform/time.ts'
import type { Preset } from '../reports/preset.ts'
import { reportFigures } from '../reports/reads/report-figures.ts'
import { AmountFigure, amountFigure, CountFigure, countFigure, reportQuery } from './figures.ts'
import { DAYS_AHEAD, readToday } from './today.store.ts'
import { travelItem } from './today.view.ts'

const TRAVELS = 20
const WEBHOOKS = 10_000
/** Options that expired lately and were not decided, and those of the next days. */
const OPTIONS = { back: 30, ahead: DAYS_AHEAD - 1 }

const Travel = (date: 'start_date' | 'end_date', title: string) =>
  maybe(
    Type.Object(
      {
        count: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
        items: Type.Array(viewSchema(travelItem(date), title), { maxItems: TRAVELS }),
      },
      { additionalProperties: false },
    ),
  )
const Today = Type.Object(
  {
    day: Day,
    time_zone: Text(60),
    sales: maybe(AmountFigure),
    margin: maybe(AmountFigure),
    owed: maybe(AmountFigure),
    due: maybe(AmountFigure),
    options: maybe(CountFigure),
    departures: Travel('start_date', 'Departure of a trip'),
    arrivals: Travel('end_date', 'Return of a trip'),
    trips: maybe(CountFigure),
    tasks: CountFigure,
    messages: CountFigure,
    notifications: CountFigure,
    failed_imports: maybe(CountFigure),
    failed_captures: maybe(CountFigure),
    failed_deliveries: maybe(
      Type.Array(Type.Object({ webhook_id: Uuid, ...CountFigure.properties }, { additionalProperties: false }), {
        maxItems: WEBHOOKS,
      }),
    ),
  },
  { additionalProperties: false, title: 'Today' },
)

type FailedDeliveries = { webhook_id: string; count: number }[]
const deliveryFigures = (printed: JsonText<never> | null) =>
  printed === null
    ? null
    : (JSON.parse(printed) as FailedDeliveries).map(({ webhook_id, count }) => ({
        webhook_id,
        ...countFigure(count, `webhooks/${webhook_id}/deliveries`, { status: 'failed' }),
      }))
const dayFrom = (today: string, days: number): string => Temporal.PlainDate.from(today).add({ days }).toString()
const presetOf = (presets: readonly Preset[], key: string): Preset =>
  presets.find((preset) => preset.key === key) as Preset

export function todayRoutes(presets: readonly Preset[]): readonly Route[] {
  const [sales, receivables, payables, options] = [
    presetOf(presets, 'sales_by_product'),
    presetOf(presets, 'receivables_aging'),
    presetOf(presets, 'payables_aging'),
    presetOf(presets, 'option_deadlines'),
  ]
  return [
    route({
      method: 'GET',
      path: '/today',
      tag: { name: 'Today', description: 'What a person begins the day with.' },
      summary: 'Read the figures of today',
      description: `Figures by the clock of the account, each with the list that it leads to: the path below /app/v1 and its query. A figure is null if the role or the plan does not have its list. Amounts in the currency of the company are in \`base\`, which is null if a rate is missing; amounts in different currencies are never added up. \`sales\` and \`margin\` are those of today, \`owed\` what customers owe, \`due\` what suppliers are owed, \`options\` those that expire from ${OPTIONS.back} days ago until the next ${OPTIONS.ahead} days. \`departures\` and \`arrivals\` are confirmed trips that begin or end within ${DAYS_AHEAD} days, at most ${TRAVELS} of each. \`tasks\` are the pending ones of the person.`,
      scope: null,
      policy: null,
      slow: true,
      takes: {},
      answers: { status: 200, body: Type.Object({ data: Today }), description: 'The figures.' },
      errors: ['report_timeout'],
      async handle(reader, { actor, principal: { plan }, now }) {
        const { policies, seat, timeZone, locale } = actor
        const day = dayIn(timeZone, now)
        const viewer = { timeZone, locale, policies, plan, now }
        const ofDay = { from: day, to: day }
        const ofOptions = { from: dayFrom(day, -OPTIONS.back), to: dayFrom(day, OPTIONS.ahead) }
        const [own, sold, owed, due, optional] = await Promise.all([
          reader.one(readToday(policies), { seat, today: day }),
          reportFigures(reader, viewer, sales, ofDay),
          reportFigures(reader, viewer, receivables, {}),
          policies.has('view_costs') ? reportFigures(reader, viewer, payables, {}) : null,
          reportFigures(reader, viewer, options, ofOptions),
        ])
        const counts = own as NonNullable<typeof own>
        const listOf = (preset: Preset, filters = {}) => ({ key: `reports/${preset.key}`, query: reportQuery(filters) })
        const seesMoney = policies.has('view_money')
        return jsonObject({
          data: jsonObject({
            day: jsonText(day),
            time_zone: jsonText(timeZone),
            sales: jsonText(seesMoney ? amountFigure(sold, 'sell', 'bookings', listOf(sales, ofDay)) : null),
            margin: jsonText(
              seesMoney && policies.has('view_costs')
                ? amountFigure(sold, 'margin', 'bookings', listOf(sales, ofDay))
                : null,
            ),
            owed: jsonText(amountFigure(owed, 'open', 'documents', listOf(receivables))),
            due: jsonText(amountFigure(due, 'open', 'documents', listOf(payables))),
            options: jsonText(
              optional && countFigure(optional.summary.rows ?? 0, `reports/${options.key}`, reportQuery(ofOptions)),
            ),
            departures: counts.departures,
            arrivals: counts.arrivals,
            trips: jsonText(countFigure(counts.trips, 'trips', { scope: 'needs_attention' })),
            tasks: jsonText(countFigure(counts.tasks, 'tasks', { scope: 'mine' })),
            messages: jsonText(countFigure(counts.messages, 'communications', { scope: 'unread' })),
            notifications: jsonText(countFigure(counts.notifications, 'notifications', { scope: 'unread' })),
            failed_imports: jsonText(countFigure(counts.imports, 'imports', { status: 'failed' })),
            failed_captures: jsonText(countFigure(counts.captures, 'ticket_imports/failures')),
            failed_deliveries: jsonText(deliveryFigures(counts.deliveries)),
          }),
        }) as never
      },
    }),
  ]
}
