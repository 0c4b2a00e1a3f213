import Type from 'typebox'
import { instantSql, seatSql, type View } from '../../platform/db/view.ts'
import { enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { Seat } from '../accounts/reads/seats.ts'
import { PRIORITIES, taskAttributes } from './task-attributes.ts'
import { TASKABLE_TYPES, taskableLabelSql } from './taskables.ts'

const seat = (column: string) => ({ sql: seatSql(`t.${column}`, 't.account_id'), schema: maybe(Seat) })

/** A task `t` in a list. */
export const taskItem: View = {
  id: { sql: 't.id', schema: Uuid },
  subject: { sql: 't.subject', schema: taskAttributes.subject.schema },
  priority: { sql: 't.priority', schema: enumOf(PRIORITIES) },
  due_at: { sql: instantSql('t.due_at'), schema: maybe(Instant) },
  completed_at: { sql: instantSql('t.completed_at'), schema: maybe(Instant) },
  overdue: { sql: 't.completed_at is null and coalesce(t.due_at < now(), false)', schema: Type.Boolean() },
  taskable_type: { sql: 't.taskable_type', schema: maybe(enumOf(TASKABLE_TYPES)) },
  taskable_id: { sql: 't.taskable_id', schema: maybe(Uuid) },
  taskable_label: { sql: taskableLabelSql, schema: maybe(Text(1000)), needs: ['view_personal_data'] },
  assigned_to: seat('assigned_to_id'),
}

/** The whole task. */
export const taskDetail: View = {
  ...taskItem,
  body: { sql: 't.body', schema: maybe(taskAttributes.body.schema) },
  reminder_offsets: { sql: 't.reminder_offsets', schema: taskAttributes.reminder_offsets.schema },
  owner: seat('owner_id'),
  completed_by: seat('completed_by_id'),
  created_at: { sql: instantSql('t.created_at'), schema: Instant },
  updated_at: { sql: instantSql('t.updated_at'), schema: Instant },
}
