import type { Values } from '../../catalogue/read-cells.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { type PageRow, pageSql } from '../../platform/db/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import { taskAttributes } from './task-attributes.ts'
import { taskableIdSql } from './taskables.ts'
import { taskDetail, taskItem } from './tasks.view.ts'

type ById = { account: number; id: string }

/** As the indexes have it: what has no due date comes last. */
const DUE = `coalesce(t.due_at, 'infinity')`
const PENDING = 't.completed_at is null'
/** Which tasks there are to choose from; the day is the account's, from one midnight to the next. */
const SCOPES = {
  pending: PENDING,
  mine: `${PENDING} and t.assigned_to_id = $seat::uuid`,
  overdue: `${PENDING} and ${DUE} < now()`,
  due_today: `${PENDING} and ${DUE} >= $today::timestamptz and ${DUE} < $tomorrow::timestamptz`,
  upcoming: `${PENDING} and ${DUE} >= $tomorrow::timestamptz and ${DUE} < 'infinity'`,
  completed: 't.completed_at is not null',
} as const
const FILTERS = {
  q: `t.search like '%' || like_text(fold($q)) || '%'`,
  priority: 't.priority = $priority',
  assigned_to_id: 't.assigned_to_id = $assigned_to_id::uuid',
} as const
export type TaskScope = keyof typeof SCOPES
export type TaskFilter = keyof typeof FILTERS
const CONDITIONS: Readonly<Record<string, string>> = { ...SCOPES, ...FILTERS }

export type TaskList = {
  account: number
  limit: number
  seat: string | null
  /** Instants at which the account's day and the next one begin. */
  today: string
  tomorrow: string
  after?: readonly string[]
} & Partial<Record<TaskFilter, string>>

/** Tasks, the soonest due first. `variant` names the scope and the filters, and `after` for a page that continues. */
export const listTasks = byPolicies<TaskList, PageRow>((policies, variant) => {
  const names = variant.split(' ')
  return pageSql(
    {
      item: viewSql(taskItem, policies),
      from: 'tasks t',
      where: ['t.account_id = $account', ...names.flatMap((name) => CONDITIONS[name] ?? [])],
      keys: [
        { sql: DUE, pg: 'timestamptz' },
        { sql: 't.id', pg: 'uuid' },
      ],
      descending: false,
    },
    names.includes('after'),
  )
})

export const readTask = byPolicies<ById, { item: string }>(
  (policies) =>
    `select ${viewSql(taskDetail, policies)}::text as item from tasks t where t.account_id = $account and t.id = $id`,
)

const columns = Object.entries(taskAttributes).map(([name, { pg, print }]) => ({ name, pg, print }))
const names = columns.map(({ name }) => name).join(', ')
const input = `json_to_record($values::json) as v(${columns.map(({ name, pg }) => `${name} ${pg}`).join(', ')})`
/** The attributes as they would have been read, locked for a change. */
export const lockTask = statement<ById, Values>(`
  select ${columns.map(({ name, print }) => `${print(`t.${name}`)} as ${name}`).join(', ')}
  from tasks t where t.account_id = $account and t.id = $id for no key update`)
export const insertTask = statement<ById & { owner: string | null; values: string }, never>(`
  insert into tasks (account_id, id, owner_id, ${names}) select $account::integer, $id::uuid, $owner::uuid, ${names} from ${input}`)
export const updateTask = statement<ById & { values: string }, never>(`
  update tasks t set ${columns.map(({ name }) => `${name} = v.${name}`).join(', ')}, updated_at = now()
  from ${input} where t.account_id = $account::integer and t.id = $id`)

/** Whether the record that a task is to be about is there. */
export const findTaskable = statement<ById & { type: string }, { found: string | null }>(
  `select ${taskableIdSql} as found`,
)
