import { byPolicies } from '../../../platform/db/by-policies.ts'
import { listing } from '../../../platform/db/listing.ts'
import { pageSql } from '../../../platform/db/page.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { instantSql, viewSql } from '../../../platform/db/view.ts'
import { attributeSql } from '../../../records/attribute-sql.ts'
import { type SavedReport, savedReportAttributes } from './saved-report-attributes.ts'
import { savedReportDetail, savedReportItem } from './saved-reports.view.ts'
/** A saved report, and its next run. */
export type StoredReport = SavedReport & { readonly id: string; readonly due_at: string | null }

/** Saved reports, the newest first. */
export const listSavedReports = listing({}, {}, ({ policies, where, continues }) =>
  pageSql(
    {
      item: viewSql(savedReportItem, policies),
      from: 'saved_reports t',
      where: ['t.account_id = $account', ...where],
      keys: [
        { sql: 't.created_at', pg: 'timestamptz' },
        { sql: 't.id', pg: 'uuid' },
      ],
      descending: true,
    },
    continues,
  ),
)
export const readSavedReport = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson, version: pg.integer },
  (policies) =>
    `select ${viewSql(savedReportDetail, policies)}::text as item, t.version from saved_reports t where t.account_id = $account and t.id = $id`,
)

const { names, given, set, stored } = attributeSql(savedReportAttributes)
const STORED = `select t.id, t.version, ${stored}, ${instantSql('t.due_at')} as due_at from saved_reports t where t.account_id = $account and t.id = $id`
export const findSavedReport = statement(
  { account: pg.integer, id: pg.uuid },
  {
    id: pg.uuid,
    version: pg.integer,
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
    due_at: pg.nullable(pg.text),
  },
  STORED,
)
export const lockSavedReport = statement(
  { account: pg.integer, id: pg.uuid },
  {
    id: pg.uuid,
    version: pg.integer,
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
    due_at: pg.nullable(pg.text),
  },
  `${STORED} for no key update`,
)
const BY_HAND = `'Paused on request.'`
export const insertSavedReport = statement(
  {
    account: pg.integer,
    id: pg.uuid,
    values: pg.jsonText,
    due: pg.nullable(pg.instant),
    seat: pg.uuid,
    role: pg.nullable(pg.text),
    key: pg.nullable(pg.uuid),
    needs: pg.list(pg.text),
    paused: pg.boolean,
  },
  {},
  `
  insert into saved_reports (account_id, id, saved_by_id, saved_as, saved_by_key_id, needs, owned_at, due_at, next_attempt_at, paused_at, paused_reason, ${names})
  select $account::integer, $id::uuid, $seat::uuid, $role::text, $key::uuid, $needs, now(), $due::timestamptz, $due::timestamptz,
    case when $paused::boolean then now() end, case when $paused::boolean then ${BY_HAND} end, ${names} from ${given}`,
)
/** A run in progress used the previous definition, so its result is not sent. */
export const updateSavedReport = statement(
  {
    account: pg.integer,
    id: pg.uuid,
    values: pg.jsonText,
    due: pg.nullable(pg.instant),
    seat: pg.uuid,
    role: pg.nullable(pg.text),
    key: pg.nullable(pg.uuid),
    needs: pg.list(pg.text),
    paused: pg.boolean,
  },
  {},
  `
  update saved_reports t set ${set}, saved_by_id = $seat, saved_as = $role, saved_by_key_id = $key::uuid, needs = $needs,
    paused_at = case when $paused::boolean then coalesce(t.paused_at, now()) end,
    paused_reason = case when $paused::boolean then coalesce(t.paused_reason, ${BY_HAND}) end, due_at = $due::timestamptz,
    next_attempt_at = $due::timestamptz, leased_by = null, attempts = 0, updated_at = now(), owned_at = now()
  from ${given} where t.account_id = $account::integer and t.id = $id`,
)
export const deleteStoredReport = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid },
  'delete from saved_reports where account_id = $account and id = $id returning id',
)

export const countSavedReports = statement(
  { account: pg.integer },
  { count: pg.integer },
  'select count(*)::integer as count from saved_reports where account_id = $account',
)
