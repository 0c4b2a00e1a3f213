import { randomUUIDv7 } from 'node:crypto'
import { complete, type Values } from '../../../catalogue/read-cells.ts'
import type { Actor, Company } from '../../../platform/access/actor.ts'
import { homeBranchIn, homeCompany } from '../../../platform/access/places.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { companyFor, companyOf, readAttributes } from '../../../records/attributes.ts'
import { maskedAttributes } from '../../../records/masked-attributes.ts'
import { composeName, customerAttributes, IDENTIFYING } from '../customer-attributes.ts'
import { insertCustomer, lockCustomer, type StoredCustomer, updateCustomer } from '../customers.store.ts'
import { customerDetail } from '../customers.view.ts'

type Given = Record<string, unknown>

/** Makes a customer, who needs something to be known by. Answers the id. */
export function createCustomer(tx: AccountTx, actor: Actor, given: Given): string {
  const reasons = new Reasons()
  const company = companyFor(actor, given.company_id, homeCompany(actor), reasons)
  const values = readAttributes(customerAttributes, given, readingBy(actor, company, true, reasons))
  const record = complete(customerAttributes, values)
  Object.assign(record, composeName(record, values))
  requireIdentity(record, reasons)
  reasons.refuse()
  const branch = homeBranchIn(actor, company)
  const id = randomUUIDv7()
  tx.later(insertCustomer, { id, company: company.id, branch, values: JSON.stringify(record) })
  return id
}

/** Updates the given attributes; false if the customer does not exist. */
export async function changeCustomer(tx: AccountTx, actor: Actor, id: string, given: Given): Promise<boolean> {
  takeChangeNumber(tx)
  const stored = await tx.one(lockCustomer, { id })
  if (stored) changeStored(tx, actor, stored, given)
  return stored !== undefined
}

/** Updates the given attributes of a locked customer. */
export function changeStored(tx: AccountTx, actor: Actor, stored: StoredCustomer, given: Given): void {
  const reasons = new Reasons()
  const company = companyFor(actor, given.company_id, companyOf(actor, stored.company_id), reasons)
  const masked = maskedAttributes(customerAttributes, actor.policies, stored.restricted.length > 0)
  const reading = { ...readingBy(actor, company, false, reasons), masked }
  const values = readAttributes(customerAttributes, given, reading)
  const before = complete(customerAttributes, stored)
  const record = complete(customerAttributes, { ...stored, ...values })
  if (!masked.has('name')) {
    Object.assign(record, composeName(record, values))
    requireIdentity(record, reasons)
  }
  refuseUnveiling(actor, stored, record, reasons)
  reasons.refuse()
  if (company.id === stored.company_id && JSON.stringify(record) === JSON.stringify(before)) return
  tx.later(updateCustomer, { id: stored.id, company: company.id, values: JSON.stringify(record) })
}

const readingBy = ({ timeZone }: Actor, company: Company, creates: boolean, reasons: Reasons) => ({
  company,
  timeZone,
  creates,
  reasons,
  others: ['company_id'],
  shows: customerDetail,
})

function requireIdentity(record: Values, reasons: Reasons): void {
  if (!reasons.has(...IDENTIFYING) && IDENTIFYING.every((name) => (record[name] ?? null) === null))
    reasons.add(['base', `A customer needs one of ${IDENTIFYING.join(', ')}.`])
}

/** A role that is not allowed to know a customer cannot remove the tag that hides it. */
function refuseUnveiling(
  { policies }: Actor,
  { restricted }: StoredCustomer,
  { tags }: Values,
  reasons: Reasons,
): void {
  if (policies.has('view_restricted_customers')) return
  const taken = restricted.filter((tag) => !(tags as string[]).includes(tag))
  reasons.add(...taken.map((tag) => ['tags', `Your role is not allowed to remove the tag ${tag}. Keep it.`] as const))
}
