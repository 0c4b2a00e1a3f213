import type { Actor } from '../../../platform/access/actor.ts'
import { homeCompany } from '../../../platform/access/places.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { readAttributes, refuseAttributes } from '../../attributes.ts'
import { transitionAttributes } from '../lead-attributes.ts'
import { lockLead, moveLead } from '../leads.store.ts'
import { refuseConverted } from '../refuse-converted.ts'
import { mayMove, type Stage } from '../stages.ts'

type Given = Record<string, unknown>
type Transition = { stage: Stage; reason?: string | null; notes?: string | null }

/** Moves a lead to another stage; false where there is no such lead. The stage that it is in is no move. */
export async function transitionLead(tx: AccountTx, actor: Actor, id: string, given: Given): Promise<boolean> {
  takeChangeNumber(tx)
  const lead = await tx.one(lockLead, { id })
  if (!lead) return false
  const place = { company: homeCompany(actor), timeZone: actor.timeZone, creates: true }
  const { stage, reason = null, notes = null } = readAttributes(transitionAttributes, given, place) as Transition
  refuseConverted(lead)
  if (stage === lead.stage) return true
  if (!mayMove(lead.stage, stage)) refuseAttributes([['stage', `cannot become ${stage}: the lead is ${lead.stage}`]])
  if (stage === 'lost' && reason === null) refuseAttributes([['reason', 'is required for a loss']])
  const told = { reason: stage === 'lost' ? reason : null, notes }
  tx.later(moveLead, { id, from: lead.stage, stage, actor: actor.seat, ...told })
  return true
}
