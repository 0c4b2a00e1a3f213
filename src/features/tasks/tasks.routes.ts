import Type, { type TSchema } from 'typebox'
import type { Fields } from '../../catalogue/read-cells.ts'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader } from '../../platform/db/database.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { MAXIMUM_LIMIT, type Route, route } from '../../platform/http/route.ts'
import { dayBounds } from '../../platform/time.ts'
import { oneOf, Text, Uuid } from '../shapes.ts'
import { byId, noSuch, PageShape, pageText, paging, wire } from '../wire.ts'
import { completeTask, reopenTask } from './commands/complete-task.ts'
import { deleteTask } from './commands/delete-task.ts'
import { changeTask, createTask } from './commands/save-task.ts'
import { PRIORITIES, taskAttributes } from './task-attributes.ts'
import { listTasks, readTask, type TaskFilter } from './tasks.store.ts'
import { taskDetail, taskItem } from './tasks.view.ts'

const TAG = 'Tasks'
const scope = ['full'] as const
const policy = 'manage_tasks'
const whole = {
  status: 200,
  body: Type.Object({ data: viewSchema(taskDetail, 'Task') }),
  description: 'The task.',
} as const
const takesTask = {
  body: Type.Object({ task: Type.Record(Type.String(), Type.Unknown()) }),
  bodyInDocument: Type.Object({
    task: Type.Object(wire(taskAttributes as Fields), { title: 'Task attributes' }) as TSchema,
  }),
}
const noTask = () => noSuch('task')

/** Reads the task back as the role sees it. */
async function shown(tx: AccountReader, policies: Policies, id: string): Promise<string> {
  const found = await tx.last(readTask(policies), { id })
  if (!found) throw noTask()
  return `{"data":${found.item}}`
}

export const taskRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/tasks',
    tag: TAG,
    summary: 'List tasks',
    description:
      'The soonest due first, those without a due date last. Without a scope it is what is pending, and so is every scope but `completed`: `mine` is assigned to the key’s principal; `overdue` was due before now; `due_today` is due at any time of today and `upcoming` from tomorrow on, by the account’s clock. `q` looks through subject and body.',
    scope,
    policy: null,
    takes: {
      query: Type.Object({
        ...paging,
        q: Type.Optional(Text(200)),
        scope: Type.Optional(oneOf(['mine', 'overdue', 'due_today', 'upcoming', 'completed'])),
        priority: Type.Optional(oneOf(PRIORITIES)),
        assigned_to_id: Type.Optional(Uuid),
      }),
    },
    answers: {
      status: 200,
      body: Type.Object({
        data: Type.Array(viewSchema(taskItem, 'Task in a list'), { maxItems: MAXIMUM_LIMIT }),
        page: PageShape,
      }),
      description: 'A page of tasks.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query, actor, page }) {
      const { scope = 'pending', q, priority, assigned_to_id } = query
      const given = { q: q?.trim() || undefined, priority, assigned_to_id }
      const filters = Object.entries(given).filter((filter): filter is [TaskFilter, string] => filter[1] !== undefined)
      const variant = [scope, ...filters.map(([name]) => name), ...(page.after ? ['after'] : [])].join(' ')
      const found = await reader.one(listTasks(actor.policies, variant), {
        ...Object.fromEntries(filters),
        ...dayBounds(actor.timeZone, Date.now()),
        seat: actor.seat,
        limit: page.limit,
        ...(page.after && { after: page.after }),
      })
      return `{"data":[${found?.items ?? ''}],${pageText(page, found)}}`
    },
  }),
  route({
    method: 'POST',
    path: '/tasks',
    tag: TAG,
    summary: 'Create a task',
    description:
      'Its owner is the key’s principal. `taskable_type` and `taskable_id` are sent together or not at all. Reminders fire where there are both `due_at` and an assignee, who is told of the assignment as well.',
    scope,
    policy,
    takes: takesTask,
    answers: { ...whole, status: 201 },
    errors: ['validation_failed'],
    handle: async (tx, { body, actor }) => shown(tx, actor.policies, await createTask(tx, actor, body.task)),
  }),
  route({
    method: 'GET',
    path: '/tasks/:id',
    tag: TAG,
    summary: 'Read a task',
    scope,
    policy: null,
    takes: byId('task'),
    answers: whole,
    errors: ['not_found'],
    handle: (reader, { params, actor }) => shown(reader, actor.policies, params.id),
  }),
  ...(['PATCH', 'PUT'] as const).map((method) =>
    route({
      method,
      path: '/tasks/:id',
      tag: TAG,
      summary: 'Change a task',
      description:
        'What is left out stays; null empties. Completion is not changed here. A reminder that moves to a time ahead fires again.',
      scope,
      policy,
      takes: { ...byId('task'), ...takesTask },
      answers: whole,
      errors: ['not_found', 'validation_failed'],
      async handle(tx, { params, body, actor }) {
        if (!(await changeTask(tx, actor, params.id, body.task))) throw noTask()
        return shown(tx, actor.policies, params.id)
      },
    }),
  ),
  route({
    method: 'PATCH',
    path: '/tasks/:id/complete',
    tag: TAG,
    summary: 'Complete a task',
    description: 'Its reminders are dropped. A completed task stays as it is.',
    scope,
    policy,
    takes: byId('task'),
    answers: whole,
    errors: ['not_found'],
    handle(tx, { params, actor }) {
      completeTask(tx, actor, params.id)
      return shown(tx, actor.policies, params.id)
    },
  }),
  route({
    method: 'PATCH',
    path: '/tasks/:id/reopen',
    tag: TAG,
    summary: 'Reopen a task',
    description: 'Clears who completed it and when. A pending task stays as it is.',
    scope,
    policy,
    takes: byId('task'),
    answers: whole,
    errors: ['not_found'],
    handle(tx, { params, actor }) {
      reopenTask(tx, params.id)
      return shown(tx, actor.policies, params.id)
    },
  }),
  route({
    method: 'DELETE',
    path: '/tasks/:id',
    tag: TAG,
    summary: 'Delete a task',
    scope,
    policy,
    takes: byId('task'),
    answers: { status: 204, body: Type.Null(), description: 'The task is gone.' },
    errors: ['not_found'],
    async handle(tx, { params }) {
      if (!(await deleteTask(tx, params.id))) throw noTask()
      return ''
    },
  }),
]
