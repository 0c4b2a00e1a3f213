import Type from 'typebox'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader, AccountTx } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, noSuch, versionedData } from '../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Input, patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { enumOf, Text, Uuid } from '../../platform/http/shapes.ts'
import { NO_BODY } from '../../platform/json-text.ts'
import { dayBounds } from '../../platform/time.ts'
import { takesAttributes, writeShape } from '../../records/attributes.ts'
import { completeTask, reopenTask } from './commands/complete-task.ts'
import { deleteTask } from './commands/delete-task.ts'
import { changeTask, createTask } from './commands/save-task.ts'
import { PRIORITIES, taskAttributes } from './task-attributes.ts'
import { listTasks, lockTask, readTask } from './tasks.store.ts'
import { taskDetail, taskItem } from './tasks.view.ts'

const TAG = { name: 'Tasks', description: 'Tasks and their reminders.' }
const FULL = ['full'] as const
const policy = 'manage_tasks'
const whole = {
  status: 200,
  body: Type.Object({ data: viewSchema(taskDetail, 'Task') }),
  description: 'The task.',
} as const
const Attributes = Type.Object(writeShape(taskAttributes), { title: 'Task attributes' })
const takesTask = takesAttributes('task', taskAttributes, Attributes)
const takesChanges = takesAttributes('task', taskAttributes, Type.Partial(Attributes, { title: 'Task changes' }))
const noTask = () => noSuch('task')

/** Reads the task back as the role sees it. */
const shown = async (reader: AccountReader, policies: Policies, id: string) =>
  versionedData(await reader.last(readTask(policies), { id }), 'task')
type OfTask = Pick<Input, 'actor'> & { readonly params: { readonly id: string } }
const versioned = {
  lock: (tx: AccountTx, { params: { id } }: OfTask) => tx.one(lockTask, { id }),
  show: (reader: AccountReader, { params, actor }: OfTask) => shown(reader, actor.policies, params.id),
}

export const taskRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/tasks',
    tag: TAG,
    summary: 'List tasks',
    description:
      'By due date ascending; tasks without a due date come last. Without `scope`, the list contains pending tasks. `scope` is `mine` (assigned to the principal of the key), `overdue`, `due_today` (any time today), `upcoming` (from tomorrow), or `completed`; all except `completed` contain only pending tasks. Days are in the time zone of the account. `q` searches subject and body.',
    scope: FULL,
    policy: null,
    takes: {
      query: Type.Object({
        ...paging,
        q: Type.Optional(Text(200)),
        scope: Type.Optional(enumOf(['mine', 'overdue', 'due_today', 'upcoming', 'completed'])),
        priority: Type.Optional(enumOf(PRIORITIES)),
        assigned_to_id: Type.Optional(Uuid),
      }),
    },
    answers: {
      status: 200,
      body: listOf(viewSchema(taskItem, 'Task in a list')),
      description: 'A page of tasks.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query, actor, page, now }) {
      const { scope = 'pending', q, priority, assigned_to_id } = query
      const given = { [scope]: true, q: q?.trim() || undefined, priority, assigned_to_id }
      const clock = dayBounds(actor.timeZone, now)
      return listText(page, await listTasks(reader, actor.policies, page, given, { seat: actor.seat, ...clock }))
    },
  }),
  route({
    method: 'POST',
    path: '/tasks',
    tag: TAG,
    summary: 'Create a task',
    description:
      'The owner is the principal of the key. Send `taskable_type` and `taskable_id` together or not at all. Reminders are sent only if the task has `due_at` and an assignee; the assignee is also notified of the assignment. A reminder whose time has already passed is not sent.',
    scope: FULL,
    policy,
    takes: takesTask,
    answers: { ...whole, status: 201 },
    versioned: true,
    errors: ['validation_failed'],
    handle: async (tx, { body, actor }) => shown(tx, actor.policies, await createTask(tx, actor, body.task)),
  }),
  route({
    method: 'GET',
    path: '/tasks/:id',
    tag: TAG,
    summary: 'Read a task',
    scope: FULL,
    policy: null,
    takes: byId('task'),
    answers: whole,
    versioned: true,
    errors: ['not_found'],
    handle: (reader, { params, actor }) => shown(reader, actor.policies, params.id),
  }),
  ...patchAndPut({
    path: '/tasks/:id',
    tag: TAG,
    summary: 'Update a task',
    description:
      'Omitted attributes keep their values; null clears them. To complete or reopen a task, use its own endpoints. A reminder that moves into the future is sent again; one that moves into the past is dropped.',
    scope: FULL,
    policy,
    takes: { ...byId('task'), ...takesChanges },
    answers: whole,
    versioned,
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params, body, actor }) {
      if (!(await changeTask(tx, actor, params.id, body.task))) throw noTask()
      return shown(tx, actor.policies, params.id)
    },
  }),
  route({
    method: 'PATCH',
    path: '/tasks/:id/complete',
    tag: TAG,
    summary: 'Complete a task',
    description: 'Drops the reminders of the task. Has no effect on a completed task.',
    scope: FULL,
    policy,
    takes: byId('task'),
    answers: whole,
    versioned,
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
    description: 'Clears who completed the task and when. Has no effect on a pending task.',
    scope: FULL,
    policy,
    takes: byId('task'),
    answers: whole,
    versioned,
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
    description: 'Also deletes its reminders and the notifications about it.',
    scope: FULL,
    policy,
    takes: byId('task'),
    answers: { status: 204, body: Type.Null(), description: 'The task was deleted.' },
    errors: ['not_found'],
    async handle(tx, { params }) {
      if (!(await deleteTask(tx, params.id))) throw noTask()
      return NO_BODY
    },
  }),
]
