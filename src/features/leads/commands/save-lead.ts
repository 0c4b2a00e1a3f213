import { randomUUIDv7 } from 'node:crypto'
import { complete, type Values } from '../../../catalogue/read-cells.ts'
import { addTerms, knownTerms } from '../../../imports/engine/terms.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { homeBranchIn } from '../../../platform/access/places.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { companyFor, companyOf, readAttributes, refuseAttributes } from '../../attributes.ts'
import { refuseUnknownSeat } from '../../seats.ts'
import { keepNewLead, tellAssignee } from '../keep-new-lead.ts'
import { leadAttributes, newLeadAttributes, returnsTooEarly } from '../lead-attributes.ts'
import { lockLead, updateLead } from '../leads.store.ts'
import { refuseConverted } from '../refuse-converted.ts'

type Given = Record<string, unknown>

/** Makes a lead. Answers the id. */
export async function createLead(tx: AccountTx, actor: Actor, given: Given): Promise<string> {
  const company = companyFor(actor, given.company_id)
  const terms = await knownTerms(tx, leadAttributes)
  const values = readAttributes(newLeadAttributes, given, { company, timeZone: actor.timeZone, creates: true, terms })
  const record = complete(leadAttributes, values)
  refuseTurnedDates(record)
  await refuseUnknownSeat(tx, 'assigned_to_id', record.assigned_to_id)
  const branch = homeBranchIn(actor, company)
  const stage = String(values.stage ?? 'inbox')
  const id = randomUUIDv7()
  keepNewLead(tx, { id, company: company.id, branch, stage, actor: actor.seat, referral: null }, record)
  addTerms(tx, leadAttributes, terms, [{ given: values, sent: given }])
  return id
}

/** Changes the attributes that are given; false where there is no such lead. */
export async function changeLead(tx: AccountTx, actor: Actor, id: string, given: Given): Promise<boolean> {
  takeChangeNumber(tx)
  const [stored, terms] = await Promise.all([tx.one(lockLead, { id }), knownTerms(tx, leadAttributes)])
  if (!stored) return false
  refuseConverted(stored)
  const company = given.company_id ? companyFor(actor, given.company_id) : companyOf(actor, stored.company_id)
  const values = readAttributes(leadAttributes, given, { company, timeZone: actor.timeZone, creates: false, terms })
  const [before, record] = [complete(leadAttributes, stored), complete(leadAttributes, { ...stored, ...values })]
  if (company.id === stored.company_id && JSON.stringify(record) === JSON.stringify(before)) return true
  refuseTurnedDates(record)
  const reassigned = record.assigned_to_id !== before.assigned_to_id
  if (reassigned) await refuseUnknownSeat(tx, 'assigned_to_id', record.assigned_to_id)
  tx.later(updateLead, { id, company: company.id, values: JSON.stringify(record) })
  addTerms(tx, leadAttributes, terms, [{ given: values, sent: given }])
  if (reassigned) tellAssignee(tx, actor.seat, id, record)
  return true
}

function refuseTurnedDates(record: Values): void {
  if (returnsTooEarly(record))
    refuseAttributes([['target_return_on', `is before the departure, ${record.target_departure_on}`]])
}
