import { text } from 'node:stream/consumers'
import { nextDue } from '../../src/features/reports/saved/schedule.ts'
import { scheduledReports } from '../../src/features/reports/saved/scheduled-reports.job.ts'
import { reportSources } from '../../src/registry.ts'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { ask } from './sql.ts'
import { GO_ON, logTo } from './worker.ts'

export type Mail = { to: string; subject: string; plain: string; file: { id: string; name: string; type: string } }
type Run = { status: string; reason: string | null; due: string }
type MessageAnswer = { seat_id: string; title: string; body: string; priority: string }

export const DEFINITION = {
  entity: 'hotel_stays',
  columns: ['external_id', 'sell_total', 'cost_total'],
  sort: [{ field: 'external_id' }],
}
export const DAILY = { schedule_frequency: 'daily', schedule_hour: 7, recipients: ['a@x.example', 'b@x.example'] }

/** When a report of seven o’clock was due last, and the day of it. */
export const LAST_DUE = Temporal.Instant.fromEpochMilliseconds(
  nextDue({ frequency: 'daily', hour: 7, weekday: null, day: null }, 'Europe/Istanbul', Date.now() - 86_400_000),
)
export const DAY = LAST_DUE.toZonedDateTimeISO('Europe/Istanbul').toPlainDate()
/** Helpers for scheduled reports, with a cell and an agency that exist once the tests run. */
export function scheduledReportsOf(the: { readonly cell: TestCell; readonly agency: Agency }) {
  const sql = <R>(query: string, values: unknown[] = []) => ask<R>(the.cell, query, values)
  /** A report that is due by now. */
  async function due(more: object = {}, key = the.agency.key, at = LAST_DUE.toString()): Promise<string> {
    const body = { saved_report: { name: 'Own', definition: DEFINITION, ...DAILY, ...more } }
    const answer = await the.cell.call('POST', '/saved_reports', { key, body })
    if (answer.status !== 201) throw new Error(answer.text)
    const { id } = (answer.body as { data: { id: string } }).data
    await sql('update saved_reports set due_at = $2, next_attempt_at = now() where id = $1', [id, at])
    return id
  }
  const failures: object[] = []
  const queue = (deps = the.cell.deps) => scheduledReports({ ...deps, log: logTo(failures) }, reportSources)
  async function runAll(): Promise<void> {
    for (let job = await queue().claim(); job; job = await queue().claim()) await job(GO_ON)
  }
  const leaseRunsOut = () => sql('update saved_reports set next_attempt_at = now() where leased_by is not null')
  /** The mails of a report, by the name of its file. */
  const mailsOf = async (file: string) =>
    (
      await sql<{ mail: Mail }>(
        `select seat_mail as mail from message_sends where seat_mail -> 'file' ->> 'name' = $1 order by seat_mail ->> 'to'`,
        [file],
      )
    ).map(({ mail }) => mail)
  const runsOf = (id: string) =>
    sql<Run>(`select status, reason, due_at as due from saved_report_runs where saved_report_id = $1 order by due_at`, [
      id,
    ])
  const toldOf = (id: string) =>
    sql<MessageAnswer>(
      `select seat_id, title, body, priority from notifications where subject_id = $1 order by created_at, id`,
      [id],
    )
  const bytesOf = async ({ file }: Mail, of = the.agency) => {
    const bytes = await the.cell.deps.files.store.read({ account: of.number, id: file.id })
    return bytes && text(bytes)
  }
  return { sql, due, failures, queue, runAll, leaseRunsOut, mailsOf, runsOf, toldOf, bytesOf }
}
