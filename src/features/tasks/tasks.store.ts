import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import { attributeSql } from '../../records/attribute-sql.ts'
import { SEARCHED } from '../../records/search.ts'
import { taskAttributes } from './task-attributes.ts'
import { taskableIdSql } from './taskables.ts'
import { taskDetail, taskItem } from './tasks.view.ts'

/** The order of the indexes: tasks without a due date come last. */
const DUE = `coalesce(t.due_at, 'infinity')`
const PENDING = 't.completed_at is null'
/** The filters of task lists. `today` and `tomorrow` are the instants at which these days begin for the account. */
const SCOPES = {
  pending: PENDING,
  mine: `${PENDING} and t.assigned_to_id = $seat::uuid`,
  overdue: `${PENDING} and ${DUE} < now()`,
  due_today: `${PENDING} and ${DUE} >= $today::timestamptz and ${DUE} < $tomorrow::timestamptz`,
  upcoming: `${PENDING} and ${DUE} >= $tomorrow::timestamptz and ${DUE} < 'infinity'`,
  completed: 't.completed_at is not null',
}
/** Tasks, the soonest due first. */
export const listTasks = listing(
  { q: pg.text, priority: pg.text, assigned_to_id: pg.uuid, seat: pg.uuid, today: pg.instant, tomorrow: pg.instant },
  {
    ...SCOPES,
    q: SEARCHED,
    priority: 't.priority = $priority',
    assigned_to_id: 't.assigned_to_id = $assigned_to_id::uuid',
  },
  ({ policies, where, continues }) =>
    pageSql(
      {
        item: viewSql(taskItem, policies),
        from: 'tasks t',
        where: ['t.account_id = $account', ...where],
        keys: [
          { sql: DUE, pg: 'timestamptz' },
          { sql: 't.id', pg: 'uuid' },
        ],
        descending: false,
      },
      continues,
    ),
)

export const readTask = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson, version: pg.integer },
  (policies) =>
    `select ${viewSql(taskDetail, policies)}::text as item, t.version from tasks t where t.account_id = $account and t.id = $id`,
)

const { names, given, set, stored, columns } = attributeSql(taskAttributes)
/** The attributes as they would have been read, locked for a change. */
export const lockTask = statement(
  { account: pg.integer, id: pg.uuid },
  { ...columns, version: pg.integer, assigned_to_id: pg.nullable(pg.uuid) },
  `
  select ${stored}, t.version
  from tasks t where t.account_id = $account and t.id = $id for no key update`,
)
export const insertTask = statement(
  { account: pg.integer, id: pg.uuid, owner: pg.nullable(pg.uuid), values: pg.jsonText },
  {},
  `
  insert into tasks (account_id, id, owner_id, ${names}) select $account::integer, $id::uuid, $owner::uuid, ${names} from ${given}`,
)
export const updateTask = statement(
  { account: pg.integer, id: pg.uuid, values: pg.jsonText },
  {},
  `
  update tasks t set ${set}, updated_at = now()
  from ${given} where t.account_id = $account::integer and t.id = $id`,
)

/** Whether the record of a task exists. */
export const findTaskable = statement(
  { account: pg.integer, id: pg.uuid, type: pg.text },
  { found: pg.nullable(pg.uuid) },
  `select ${taskableIdSql} as found`,
)
