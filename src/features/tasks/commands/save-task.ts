import { randomUUIDv7 } from 'node:crypto'
import { complete, type Values } from '../../../catalogue/read-cells.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { homeCompany } from '../../../platform/access/places.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { notify } from '../../../platform/notify.ts'
import { readAttributes, refuseAttributes } from '../../attributes.ts'
import { refuseUnknownSeat } from '../../seats.ts'
import { taskAttributes } from '../task-attributes.ts'
import { taskNotification } from '../task-notification.ts'
import { findTaskable, insertTask, lockTask, updateTask } from '../tasks.store.ts'
import { keepReminders } from './keep-reminders.ts'

type Given = Record<string, unknown>

/** Makes a task, which is the actor's own. Answers the id. */
export async function createTask(tx: AccountTx, actor: Actor, given: Given): Promise<string> {
  const record = complete(taskAttributes, read(actor, given, true))
  await refuseStrangers(tx, record, {})
  const id = randomUUIDv7()
  tx.later(insertTask, { id, owner: actor.seat, values: JSON.stringify(record) })
  settle(tx, actor, id, record, null)
  return id
}

/** Changes the attributes that are given; false where there is no such task. */
export async function changeTask(tx: AccountTx, actor: Actor, id: string, given: Given): Promise<boolean> {
  const stored = await tx.one(lockTask, { id })
  if (!stored) return false
  const record = complete(taskAttributes, { ...stored, ...read(actor, given, false) })
  if (JSON.stringify(record) === JSON.stringify(complete(taskAttributes, stored))) return true
  await refuseStrangers(tx, record, stored)
  tx.later(updateTask, { id, values: JSON.stringify(record) })
  settle(tx, actor, id, record, stored.assigned_to_id)
  return true
}

/** Left out, emptied or given: what the task is about comes whole. */
function read(actor: Actor, given: Given, creates: boolean): Values {
  const company = homeCompany(actor)
  const values = readAttributes(taskAttributes, given, { company, timeZone: actor.timeZone, creates })
  const { taskable_type, taskable_id } = values
  if (typeof taskable_type !== typeof taskable_id)
    refuseAttributes(
      ['taskable_type', 'taskable_id'].map((half) => [half, 'has to be sent together with the other of the two']),
    )
  return values
}

/** What the task names anew has to be the account's. What it named before may be gone by now. */
async function refuseStrangers(tx: AccountTx, record: Values, stored: Values): Promise<void> {
  const { assigned_to_id: seat, taskable_type: type, taskable_id: id } = record
  if (seat !== stored.assigned_to_id) await refuseUnknownSeat(tx, 'assigned_to_id', seat)
  if (id === null || (type === stored.taskable_type && id === stored.taskable_id)) return
  takeChangeNumber(tx) // a customer that is being merged is found as what it becomes, or not
  const taskable = await tx.one(findTaskable, { type: String(type), id: String(id) })
  if (!taskable?.found) refuseAttributes([['taskable_id', `does not exist: the account has no such ${String(type)}`]])
}

function settle(tx: AccountTx, actor: Actor, id: string, record: Values, assignedBefore: unknown): void {
  keepReminders(tx, id)
  const { subject, priority, assigned_to_id: seat } = record as Record<string, string>
  if (!seat || seat === assignedBefore || seat === actor.seat) return
  const told = { id, seat, subject: String(subject), priority: String(priority) }
  notify(tx, taskNotification('task_assigned', 'Task assigned to you', told, actor.seat))
}
