import { randomUUIDv7 } from 'node:crypto'
import { complete, type Values } from '../../../catalogue/read-cells.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { homeCompany } from '../../../platform/access/places.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { type Reason, Reasons } from '../../../platform/http/reasons.ts'
import { readAttributes } from '../../../records/attributes.ts'
import { refuseUnknownSeat } from '../../accounts/reads/seats.ts'
import { notify } from '../../notifications/commands/notify.ts'
import { taskAttributes } from '../task-attributes.ts'
import { taskNotification } from '../task-notification.ts'
import { findTaskable, insertTask, lockTask, updateTask } from '../tasks.store.ts'
import { taskDetail } from '../tasks.view.ts'
import { keepReminders } from './keep-reminders.ts'

type Given = Record<string, unknown>

/** Makes a task, which is the actor's own. Answers the id. */
export async function createTask(tx: AccountTx, actor: Actor, given: Given): Promise<string> {
  const reasons = new Reasons()
  const record = complete(taskAttributes, read(actor, given, true, reasons))
  await refuseStrangers(tx, record, {}, reasons)
  reasons.refuse()
  const id = randomUUIDv7()
  tx.later(insertTask, { id, owner: actor.seat, values: JSON.stringify(record) })
  scheduleAndNotify(tx, actor, id, record, null)
  return id
}

/** Updates the given attributes; false if the task does not exist. */
export async function changeTask(tx: AccountTx, actor: Actor, id: string, given: Given): Promise<boolean> {
  const stored = await tx.one(lockTask, { id })
  if (!stored) return false
  const reasons = new Reasons()
  const record = complete(taskAttributes, { ...stored, ...read(actor, given, false, reasons) })
  await refuseStrangers(tx, record, stored, reasons)
  reasons.refuse()
  if (JSON.stringify(record) === JSON.stringify(complete(taskAttributes, stored))) return true
  tx.later(updateTask, { id, values: JSON.stringify(record) })
  scheduleAndNotify(tx, actor, id, record, stored.assigned_to_id)
  return true
}

/** Absent, emptied or given: type and id of the record are given together. */
function read(actor: Actor, given: Given, creates: boolean, reasons: Reasons): Values {
  const reading = { company: homeCompany(actor), timeZone: actor.timeZone, creates, shows: taskDetail, reasons }
  const values = readAttributes(taskAttributes, given, reading)
  const { taskable_type, taskable_id } = values
  if (!reasons.has(...TASKABLE) && typeof taskable_type !== typeof taskable_id)
    reasons.add(...TASKABLE.map((half): Reason => [half, 'Send taskable_type and taskable_id together.']))
  return values
}
const TASKABLE = ['taskable_type', 'taskable_id']

/** Newly named records must belong to the account. Records named before may have been deleted since. */
async function refuseStrangers(tx: AccountTx, record: Values, stored: Values, reasons: Reasons): Promise<void> {
  const { assigned_to_id: seat, taskable_type: type, taskable_id: id } = record
  if (seat !== stored.assigned_to_id) await refuseUnknownSeat(tx, 'assigned_to_id', seat, reasons)
  if (id === null || (type === stored.taskable_type && id === stored.taskable_id) || reasons.has(...TASKABLE)) return
  takeChangeNumber(tx) // a customer that is being merged is found as what it becomes, or not
  const taskable = await tx.one(findTaskable, { type: String(type), id: String(id) })
  if (!taskable?.found) reasons.add(['taskable_id', `No ${String(type)} with this id exists in this account.`])
}

function scheduleAndNotify(tx: AccountTx, actor: Actor, id: string, record: Values, assignedBefore: unknown): void {
  keepReminders(tx, id)
  const { subject, priority, assigned_to_id: seat } = record as Record<string, string>
  if (!seat || seat === assignedBefore || seat === actor.seat) return
  const assigned = { id, seat, subject: String(subject), priority: String(priority) }
  notify(tx, taskNotification('task_assigned', 'Task assigned to you', assigned, actor.seat))
}
