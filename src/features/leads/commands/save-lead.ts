import { randomUUIDv7 } from 'node:crypto'
import { complete, type Values } from '../../../catalogue/read-cells.ts'
import { addTerms, knownTerms } from '../../../imports/engine/terms.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { homeBranchIn, homeCompany } from '../../../platform/access/places.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { companyFor, companyOf, readAttributes } from '../../../records/attributes.ts'
import { maskedAttributes } from '../../../records/masked-attributes.ts'
import { refuseUnknownSeat } from '../../accounts/reads/seats.ts'
import { keepNewLead, notifyAssignee } from '../keep-new-lead.ts'
import { leadAttributes, newLeadAttributes, returnsTooEarly } from '../lead-attributes.ts'
import { lockLead, updateLead } from '../leads.store.ts'
import { leadDetail } from '../leads.view.ts'
import { refuseConverted } from '../refuse-converted.ts'

type Given = Record<string, unknown>

/** Makes a lead. Answers the id. */
export async function createLead(tx: AccountTx, actor: Actor, given: Given): Promise<string> {
  const reasons = new Reasons()
  const company = companyFor(actor, given.company_id, homeCompany(actor), reasons)
  const terms = await knownTerms(tx, leadAttributes)
  const reading = { ...KNOWN, company, timeZone: actor.timeZone, terms, reasons }
  const values = readAttributes(newLeadAttributes, given, { ...reading, creates: true })
  const record = complete(leadAttributes, values)
  refuseTurnedDates(record, reasons)
  await refuseUnknownSeat(tx, 'assigned_to_id', record.assigned_to_id, reasons)
  reasons.refuse()
  const branch = homeBranchIn(actor, company)
  const stage = String(values.stage ?? 'inbox')
  const id = randomUUIDv7()
  keepNewLead(tx, { id, company: company.id, branch, stage, actor: actor.seat, referral: null }, record)
  addTerms(tx, leadAttributes, terms, [{ given: values, sent: given }])
  return id
}

/** Updates the given attributes; false if the lead does not exist. */
export async function changeLead(tx: AccountTx, actor: Actor, id: string, given: Given): Promise<boolean> {
  takeChangeNumber(tx)
  const [stored, terms] = await Promise.all([tx.one(lockLead, { id }), knownTerms(tx, leadAttributes)])
  if (!stored) return false
  refuseConverted(stored)
  const reasons = new Reasons()
  const company = companyFor(actor, given.company_id, companyOf(actor, stored.company_id), reasons)
  const masked = maskedAttributes(leadAttributes, actor.policies, stored.restricted)
  const reading = { ...KNOWN, company, timeZone: actor.timeZone, terms, reasons, masked }
  const values = readAttributes(leadAttributes, given, { ...reading, creates: false })
  const [before, record] = [complete(leadAttributes, stored), complete(leadAttributes, { ...stored, ...values })]
  const changes = company.id !== stored.company_id || JSON.stringify(record) !== JSON.stringify(before)
  if (changes) refuseTurnedDates(record, reasons)
  const reassigned = record.assigned_to_id !== before.assigned_to_id
  if (reassigned) await refuseUnknownSeat(tx, 'assigned_to_id', record.assigned_to_id, reasons)
  reasons.refuse()
  if (!changes) return true
  tx.later(updateLead, { id, company: company.id, values: JSON.stringify(record) })
  addTerms(tx, leadAttributes, terms, [{ given: values, sent: given }])
  if (reassigned) notifyAssignee(tx, actor.seat, id, record)
  return true
}

const KNOWN = { others: ['company_id'], shows: leadDetail }

function refuseTurnedDates(record: Values, reasons: Reasons): void {
  if (!reasons.has('target_departure_on', 'target_return_on') && returnsTooEarly(record))
    reasons.add(['target_return_on', `This is before the departure, ${record.target_departure_on}.`])
}
