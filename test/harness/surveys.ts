import { randomUUID } from 'node:crypto'
import { surveyUrl } from '../../src/features/surveys/survey-address.ts'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { shareTrip, type Written } from './shared-trip.ts'
import { ask } from './sql.ts'

/** The user agent of a browser, so that requests are not taken for a robot's. */
export const BROWSER = {
  'user-agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1',
}
export type Survey = { readonly id: string; readonly trip: string; readonly customer: string; readonly path: string }
export type KeptSurvey = {
  readonly started: boolean
  readonly completed: boolean
  readonly nps: number | null
  readonly comment: string | null
  readonly reminder: string
  readonly task: string | null
  readonly ratings: Record<string, number>
}
type Given = { readonly columns?: Record<string, unknown>; readonly customer?: Record<string, unknown> }
export type Form = Record<string, string> | [string, string][]

/** Helpers for surveys, in a cell that exists once the tests run. */
export function surveysOf(cell: () => TestCell) {
  const sql = <T>(text: string, values: unknown[] = []) => ask<T>(cell(), text, values)
  async function insert(table: string, row: Record<string, unknown>): Promise<void> {
    await sql(
      `insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map((_, at) => `$${at + 1}`)})`,
      Object.values(row),
    )
  }
  /** A customer who has been asked about a trip just now. */
  async function invite(
    agency: Agency,
    written: Written = {},
    { columns = {}, customer = {} }: Given = {},
  ): Promise<Survey> {
    const { trip } = await shareTrip(cell(), agency, written)
    const [id, buyer, account_id] = [randomUUID(), randomUUID(), agency.number]
    await insert('customers', {
      account_id,
      id: buyer,
      company_id: agency.company.id,
      name: 'Ayşe Yılmaz',
      email: 'ayse@example.com',
      changed: 1,
      ...customer,
    })
    await insert('trip_customers', { account_id, trip_id: trip, customer_id: buyer, is_primary: true })
    const due = new Date(Date.now() + 5 * 86_400_000)
    await insert('surveys', {
      account_id,
      id,
      trip_id: trip,
      customer_id: buyer,
      reminder_due_at: due,
      next_attempt_at: due,
      ...columns,
    })
    const { pathname } = new URL(surveyUrl(cell().deps, { account: agency.number, survey: id }))
    return { id, trip, customer: buyer, path: pathname }
  }
  return {
    sql,
    invite,
    open: (path: string, headers: Record<string, string> = BROWSER, method: 'GET' | 'HEAD' = 'GET') =>
      cell().app.inject({ method, url: path, headers }),
    send: (path: string, form: Form, headers: Record<string, string> = {}) =>
      cell().app.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...BROWSER, ...headers },
        payload: new URLSearchParams(form).toString(),
      }),
    /** Ids of the segments that the page of a survey asks about, by their titles in the order of the page. */
    segments: async ({ trip }: Survey) =>
      (
        await sql<{ id: string; title: string }>(
          `select s.id, s.title from trip_segments s join trip_days d using (account_id, trip_id)
         where s.trip_id = $1 and d.id = s.trip_day_id order by d.day_number, s.position`,
          [trip],
        )
      ).map(({ id }) => id),
    async kept({ id }: { id: string }): Promise<KeptSurvey> {
      const [kept] = await sql<KeptSurvey>(
        `select started_at is not null as started, completed_at is not null as completed, nps, comment, reminder_status as reminder,
           follow_up_task_id as task, (select coalesce(json_object_agg(r.segment_id, r.rating order by r.segment_id), '{}')
             from survey_ratings r where r.survey_id = s.id) as ratings
         from surveys s where s.id = $1`,
        [id],
      )
      return kept as KeptSurvey
    },
    /** As if the customer had answered that long ago. */
    letPass: ({ id }: { id: string }, interval: string) =>
      sql(
        'update surveys set completed_at = completed_at - $2::interval, started_at = started_at - $2::interval where id = $1',
        [id, interval],
      ),
  }
}
