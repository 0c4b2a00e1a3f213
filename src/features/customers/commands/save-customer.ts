import { randomUUIDv7 } from 'node:crypto'
import { complete, type Values } from '../../../catalogue/read-cells.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { homeBranchIn } from '../../../platform/access/places.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { companyFor, companyOf, readAttributes, refuseAttributes } from '../../attributes.ts'
import { composeName, customerAttributes, IDENTIFYING } from '../customer-attributes.ts'
import { insertCustomer, lockCustomer, type StoredCustomer, updateCustomer } from '../customers.store.ts'

type Given = Record<string, unknown>

/** Makes a customer, who needs something to be known by. Answers the id. */
export function createCustomer(tx: AccountTx, actor: Actor, given: Given): string {
  const company = companyFor(actor, given.company_id)
  const values = readAttributes(customerAttributes, given, { company, timeZone: actor.timeZone, creates: true })
  const record = complete(customerAttributes, values)
  Object.assign(record, composeName(record, values))
  refuseNobody(record)
  const branch = homeBranchIn(actor, company)
  const id = randomUUIDv7()
  tx.later(insertCustomer, { id, company: company.id, branch, values: JSON.stringify(record) })
  return id
}

/** Changes the attributes that are given; false where there is no such customer. */
export async function changeCustomer(tx: AccountTx, actor: Actor, id: string, given: Given): Promise<boolean> {
  takeChangeNumber(tx)
  const stored = await tx.one(lockCustomer, { id })
  if (stored) changeStored(tx, actor, stored, given)
  return stored !== undefined
}

/** Changes the attributes that are given of a customer that was locked for it. */
export function changeStored(tx: AccountTx, actor: Actor, stored: StoredCustomer, given: Given): void {
  const company = given.company_id ? companyFor(actor, given.company_id) : companyOf(actor, stored.company_id)
  const values = readAttributes(customerAttributes, given, { company, timeZone: actor.timeZone, creates: false })
  const before = complete(customerAttributes, stored)
  const record = complete(customerAttributes, { ...stored, ...values })
  Object.assign(record, composeName(record, values))
  refuseNobody(record)
  refuseUnveiling(actor, stored, record)
  if (company.id === stored.company_id && JSON.stringify(record) === JSON.stringify(before)) return
  tx.later(updateCustomer, { id: stored.id, company: company.id, values: JSON.stringify(record) })
}

function refuseNobody(record: Values): void {
  if (IDENTIFYING.every((name) => (record[name] ?? null) === null))
    refuseAttributes([['base', `needs one of ${IDENTIFYING.join(', ')}`]])
}

/** Who may not know who a customer is cannot take away the tag that hides it. */
function refuseUnveiling({ policies }: Actor, { restricted }: StoredCustomer, { tags }: Values): void {
  if (policies.has('view_restricted_customers')) return
  const taken = restricted.filter((tag) => !(tags as string[]).includes(tag))
  refuseAttributes(taken.map((tag) => ['tags', `has to keep ${tag}, which your role may not take away`] as const))
}
