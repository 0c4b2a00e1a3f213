import type { Values } from '../../catalogue/read-cells.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { notify } from '../notifications/commands/notify.ts'
import { insertLead } from './leads.store.ts'

const LABEL = 200

/** A new lead: its company, its author (null if it was created automatically) and its referral code. */
type NewLead = {
  readonly id: string
  readonly company: string
  readonly branch: string | null
  readonly stage: string
  readonly actor: string | null
  readonly referral: string | null
}

/** Creates a lead from complete, validated attributes, and notifies its assignee. */
export function keepNewLead(tx: AccountTx, lead: NewLead, record: Values): void {
  tx.later(insertLead, { ...lead, values: JSON.stringify(record) })
  notifyAssignee(tx, lead.actor, lead.id, record)
}

/** Seats are not notified of their own changes. The label must not contain personal data such as the lead's name. */
export function notifyAssignee(tx: AccountTx, actor: string | null, id: string, record: Values): void {
  const { assigned_to_id: seat, destinations } = record as { assigned_to_id: string | null; destinations: string[] }
  if (seat === null || seat === actor) return
  notify(tx, {
    seat,
    kind: 'lead_assigned',
    title: 'A lead was assigned to you',
    body: null,
    priority: 'normal',
    subjectType: 'Lead',
    subjectId: id,
    subjectLabel: destinations.join(', ').slice(0, LABEL) || 'Lead',
    actor,
  })
}
