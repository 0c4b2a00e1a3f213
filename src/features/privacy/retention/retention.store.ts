import { notMovedSql } from '../../../platform/db/not-moved.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'

const DAYS = {
  messages_days: pg.nullable(pg.integer),
  ticket_captures_days: pg.nullable(pg.integer),
  request_log_days: pg.nullable(pg.integer),
  leads_days: pg.nullable(pg.integer),
}
const STORED = { ...DAYS, version: pg.integer, swept_on: pg.nullable(pg.date) }
const names = Object.keys(DAYS)
const columns = [...names, 'version', 'swept_on'].map((name) => `r.${name}`).join(', ')

/** None as long as the account has not set any. */
export const readRules = statement(
  { account: pg.integer },
  STORED,
  `select ${columns} from retention_rules r where r.account_id = $account`,
)
/** So that there is a row to lock. */
export const beginRules = statement(
  { account: pg.integer },
  {},
  'insert into retention_rules (account_id) values ($account) on conflict do nothing',
)
export const lockRules = statement(
  { account: pg.integer },
  { ...STORED, time_zone: pg.text },
  `
  select ${columns}, a.time_zone from retention_rules r join accounts a using (account_id)
  where r.account_id = $account for update of r`,
)
export const writeRules = statement(
  { account: pg.integer, ...DAYS },
  {},
  `
  update retention_rules set ${names.map((name) => `${name} = $${name}`).join(', ')}, version = version + 1
  where account_id = $account::integer`,
)
export const noteSwept = statement(
  { account: pg.integer, day: pg.date },
  {},
  'update retention_rules set swept_on = $day where account_id = $account::integer',
)

/** Accounts that remove something at all. */
export const listSweepable = statement(
  {},
  { account: pg.integer, zone: pg.text, swept_on: pg.nullable(pg.date) },
  `
  select r.account_id as account, a.time_zone as zone, r.swept_on from retention_rules r join accounts a using (account_id)
  where coalesce(${names.map((name) => `r.${name}`).join(', ')}) is not null and a.status = 'active'
    and ${notMovedSql('r.account_id')}
  order by r.account_id`,
)
