import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import { instantSql } from '../../../platform/db/view.ts'
import { leasedRows } from '../../../platform/jobs/leased-rows.ts'
import { attributeSql } from '../../../records/attribute-sql.ts'
import { type SavedReport, savedReportAttributes } from './saved-report-attributes.ts'

/** A report that is being run by itself. */
export type ReportClaim = RowFrom<typeof leasedReports.claim>
/** What a run depends on, as of now. */
export type DueReport = SavedReport & {
  readonly id: string
  readonly due_at: string
  /** The seat that saved it. */
  readonly seat: string
  /** The key that saved it; null for the command line. */
  readonly key: string | null
  readonly active: boolean
  readonly locale: string
  readonly role: string
  readonly role_policies: string[] | null
  readonly saved_as: string | null
  readonly saved_as_policies: string[] | null
  readonly agency: string
  readonly closed: boolean
  readonly plan: string
  readonly time_zone: string
  /** The account's; `locale` is the seat's. */
  readonly account_locale: string
  readonly owner: string | null
}

/**
 * Claims the report of some account that has been due longest, so that no account waits for all reports of another.
 * Each further attempt is later than the previous one.
 */
export const leasedReports = leasedRows({
  table: 'saved_reports',
  key: ['id'],
  waiting: 'true',
  from: `(select r.account_id, r.id from saved_reports r where r.next_attempt_at <= now() and not exists (
      select from saved_reports o where o.account_id = r.account_id and o.next_attempt_at <= now()
        and (o.next_attempt_at, o.id) < (r.next_attempt_at, r.id))) head
    join saved_reports q on q.account_id = head.account_id and q.id = head.id`,
  order: 'random()',
  countsAttempts: true,
  growing: true,
  gives: { id: pg.uuid, attempts: pg.integer },
  columns: { id: 'q.id', attempts: 'q.attempts' },
})

/**
 * A report whose lease is still held; a change in the meantime releases it. The owner's key has the owner's policies.
 */
export const readDue = statement(
  { account: pg.integer, id: pg.uuid, lease: pg.uuid },
  {
    id: pg.uuid,
    name: pg.text,
    preset_key: pg.nullable(pg.text),
    filters: pg.nullable(pg.json<Readonly<Record<string, unknown>>>()),
    definition: pg.nullable(pg.json<object>()),
    schedule_frequency: pg.nullable(pg.textOf<'daily' | 'weekly' | 'monthly'>()),
    schedule_hour: pg.nullable(pg.integer),
    schedule_weekday: pg.nullable(pg.text),
    schedule_day: pg.nullable(pg.text),
    schedule_paused: pg.boolean,
    file_format: pg.textOf<'csv' | 'xlsx'>(),
    recipients: pg.list(pg.text),
    due_at: pg.text,
    /** The seat that saved it. */
    seat: pg.uuid,
    /** The key that saved it; null for the command line. */
    key: pg.nullable(pg.uuid),
    active: pg.boolean,
    locale: pg.text,
    role: pg.text,
    role_policies: pg.nullable(pg.list(pg.text)),
    saved_as: pg.nullable(pg.text),
    saved_as_policies: pg.nullable(pg.list(pg.text)),
    agency: pg.text,
    closed: pg.boolean,
    plan: pg.text,
    time_zone: pg.text,
    /** The account's; `locale` is the seat's. */
    account_locale: pg.text,
    owner: pg.nullable(pg.uuid),
  },
  `
  select t.id, ${attributeSql(savedReportAttributes).stored}, ${instantSql('t.due_at')} as due_at, s.id as seat, t.saved_by_key_id as key, s.active, s.locale,
    case when s.id = a.owner_id then 'owner' else s.role end as role, r.policies as role_policies,
    t.saved_as, k.policies as saved_as_policies, a.name as agency, a.status <> 'active' as closed, a.plan, a.time_zone, a.locale as account_locale, a.owner_id as owner
  from saved_reports t join accounts a on a.account_id = t.account_id
    join seats s on s.account_id = t.account_id and s.id = t.saved_by_id
    left join roles r on r.account_id = t.account_id and r.name = s.role
    left join roles k on k.account_id = t.account_id and k.name = t.saved_as
  where t.account_id = $account and t.id = $id and t.leased_by = $lease`,
)
/** Records the outcome of a run and when the next one is due, unless another worker has claimed it meanwhile. */
export const endRun = statement(
  { account: pg.integer, id: pg.uuid, lease: pg.uuid, status: pg.text, reason: pg.nullable(pg.text), next: pg.instant },
  { id: pg.uuid },
  `
  with ended as (
    update saved_reports set due_at = $next::timestamptz, next_attempt_at = $next::timestamptz, leased_by = null, attempts = 0,
      last_run_at = case when $status::text = 'sent' then now() else last_run_at end
    where account_id = $account::integer and id = $id and leased_by = $lease returning id, old.due_at
  ),
  forgotten as (
    delete from saved_report_runs where account_id = $account::integer and saved_report_id = $id and due_at < now() - interval '1 year'
  )
  insert into saved_report_runs (account_id, saved_report_id, due_at, status, reason)
  select $account::integer, id, due_at, $status::text, $reason::text from ended returning saved_report_id as id`,
)
