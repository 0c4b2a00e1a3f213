import { describe, expect, it } from 'vitest'
import { fakeTx } from '../../../../test/harness/fake-tx.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { completeTask, reopenTask } from './complete-task.ts'
import { deleteTask } from './delete-task.ts'

const TASK = { id: 'task' }
const ME = { seat: 'seat' } as Actor

describe('a task', () => {
  it('is completed by any seat, and its reminders are updated', () => {
    const { tx, sentTo } = fakeTx()
    completeTask(tx, ME, TASK.id)
    expect([sentTo('update tasks'), sentTo('task_reminders')]).toEqual([[{ ...TASK, seat: 'seat' }], [TASK]])
  })
  it('is pending again, and its reminders follow it', () => {
    const { tx, sentTo } = fakeTx()
    reopenTask(tx, TASK.id)
    expect([sentTo('update tasks'), sentTo('task_reminders')]).toEqual([[TASK], [TASK]])
  })
  it('is deleted with its notifications, and not found if it does not exist', async () => {
    const there = fakeTx((_, { id }) => (id === TASK.id ? [TASK] : []))
    expect(await deleteTask(there.tx, TASK.id)).toBe(true)
    expect(there.sentTo('delete from notifications')).toEqual([{ ...TASK, type: 'Task' }])
    const gone = fakeTx()
    expect([await deleteTask(gone.tx, TASK.id), gone.sentTo('notifications')]).toEqual([false, []])
  })
})
