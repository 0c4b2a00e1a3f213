import Type from 'typebox'
import { type Field, type Kind, Refusal, refuse } from '../../catalogue/kind.ts'
import { datetime, integer, oneOf, string, uuid } from '../../catalogue/kinds.ts'
import { TASKABLE_TYPES } from './taskables.ts'

const SUBJECT_MAXIMUM = 300
const BODY_MAXIMUM = 10_000
const REMINDERS = 10
/** Thirty days. */
const EARLIEST_REMINDER_MINUTES = 43_200
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const

const minutes = integer(0, EARLIEST_REMINDER_MINUTES)
/** Minutes before the due date, each once, the latest reminder first. */
const reminderOffsets: Kind<number[]> = {
  type: 'list',
  schema: Type.Array(minutes.schema, { maxItems: REMINDERS }),
  pg: 'integer[]',
  read(cell, context) {
    if (!Array.isArray(cell)) return refuse('invalid_type', 'Send a list of minutes.')
    if (cell.length > REMINDERS) return refuse('too_long', `Send at most ${REMINDERS} reminders.`)
    const read = cell.map((offset: unknown) => minutes.read(offset, context))
    return read.find((offset) => offset instanceof Refusal) ?? [...new Set(read as number[])].sort((a, b) => a - b)
  },
  print: (column) => column,
  example: [15, 1440],
  bad: ['x', 15, [-1], [EARLIEST_REMINDER_MINUTES + 1], ['soon'], [null]],
}

/** A name defined by the program, written unchanged. */
const taskableType: Kind<string> = {
  type: 'enum',
  schema: Type.Unsafe<string>({ type: 'string', enum: [...TASKABLE_TYPES] }),
  pg: 'text',
  enumValues: TASKABLE_TYPES,
  read: (cell) =>
    TASKABLE_TYPES.find((type) => type === cell) ?? refuse('not_allowed', `Send one of ${TASKABLE_TYPES.join(', ')}.`),
  print: (column) => column,
  example: 'Customer',
  bad: ['customer', 'User', 7, {}],
}

/** The attributes of a task write. Completion has its own routes. */
export const taskAttributes = {
  subject: { ...string(SUBJECT_MAXIMUM), required: true },
  body: string(BODY_MAXIMUM),
  priority: { ...oneOf(...PRIORITIES), default: 'normal' },
  due_at: datetime,
  reminder_offsets: { ...reminderOffsets, default: [] as number[] },
  assigned_to_id: uuid,
  taskable_type: taskableType,
  taskable_id: uuid,
} satisfies Record<string, Field>
