import type { Actor } from '../../../platform/access/actor.ts'
import { homeCompany } from '../../../platform/access/places.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { readAttributes } from '../../../records/attributes.ts'
import { transitionAttributes } from '../lead-attributes.ts'
import { lockLead, moveLead } from '../leads.store.ts'
import { refuseConverted } from '../refuse-converted.ts'
import { mayMove, type Stage } from '../stages.ts'

type Given = Record<string, unknown>
type Transition = { stage: Stage; reason?: string | null; notes?: string | null }

/** Moves a lead to another stage; false if the lead does not exist. The current stage is ignored. */
export async function transitionLead(tx: AccountTx, actor: Actor, id: string, given: Given): Promise<boolean> {
  takeChangeNumber(tx)
  const lead = await tx.one(lockLead, { id })
  if (!lead) return false
  const reasons = new Reasons()
  const place = { company: homeCompany(actor), timeZone: actor.timeZone, creates: true, reasons }
  const { stage, reason = null, notes = null } = readAttributes(transitionAttributes, given, place) as Transition
  if (reasons.isEmpty) refuseConverted(lead)
  const stays = stage === lead.stage
  if (!reasons.has('stage') && !stays && !mayMove(lead.stage, stage))
    reasons.add(['stage', `A lead in ${lead.stage} cannot move to ${stage}.`])
  if (!reasons.has('reason') && !stays && stage === 'lost' && reason === null)
    reasons.add(['reason', 'A reason is required when a lead is lost.'])
  reasons.refuse()
  if (stays) return true
  const explanation = { reason: stage === 'lost' ? reason : null, notes }
  tx.later(moveLead, { id, from: lead.stage, stage, actor: actor.seat, ...explanation })
  return true
}
