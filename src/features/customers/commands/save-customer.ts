import { randomUUIDv7 } from 'node:crypto'
import { complete, type Fields, type Values } from '../../../catalogue/read-cells.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import type { AccountTx } from '../../../platform/db/database.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { companyFor, companyOf, readAttributes, refuse } from '../../attributes.ts'
import { composeName, customerAttributes, IDENTIFYING } from '../customer-attributes.ts'
import { insertCustomer, lockCustomer, updateCustomer } from '../customers.store.ts'

type Given = Record<string, unknown>

/** Makes a customer, who needs something to be known by. Answers the id. */
export function createCustomer(tx: AccountTx, actor: Actor, given: Given): string {
  const company = companyFor(actor, given.company_id)
  const values = readAttributes(customerAttributes, given, { company, timeZone: actor.timeZone, creates: true })
  const record = complete(customerAttributes, values)
  Object.assign(record, composeName(record, values))
  refuseNobody(record)
  const branch =
    actor.branches.find(({ id, companyId }) => id === actor.homeBranch && companyId === company.id)?.id ?? null
  const id = randomUUIDv7()
  tx.later(insertCustomer, { id, company: company.id, branch, values: JSON.stringify(record) })
  return id
}

/** Changes the attributes that are given; false where there is no such customer. */
export async function changeCustomer(tx: AccountTx, actor: Actor, id: string, given: Given): Promise<boolean> {
  takeChangeNumber(tx)
  const stored = await tx.one(lockCustomer, { id })
  if (!stored) return false
  const company = given.company_id ? companyFor(actor, given.company_id) : companyOf(actor, stored.company_id)
  const values = readAttributes(customerAttributes, given, { company, timeZone: actor.timeZone, creates: false })
  const record = { ...stored, ...withDefaults(values) }
  Object.assign(record, composeName(record, values))
  refuseNobody(record)
  refuseUnveiling(actor, stored, record)
  const changes = company.id !== stored.company_id || JSON.stringify(record) !== JSON.stringify(stored)
  if (changes) tx.later(updateCustomer, { id, company: company.id, values: JSON.stringify(record) })
  return true
}

/** An emptied attribute is its default. */
const withDefaults = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value ?? (customerAttributes as Fields)[name]?.default ?? null,
    ]),
  )

function refuseNobody(record: Values): void {
  if (IDENTIFYING.every((name) => (record[name] ?? null) === null))
    refuse([['base', `needs one of ${IDENTIFYING.join(', ')}`]])
}

/** Who may not know who a customer is cannot take away the tag that hides it. */
function refuseUnveiling({ policies }: Actor, { restricted }: Values, { tags }: Values): void {
  if (policies.has('view_restricted_customers')) return
  const taken = (restricted as string[]).filter((tag) => !(tags as string[]).includes(tag))
  refuse(taken.map((tag) => ['tags', `has to keep ${tag}, which your role may not take away`] as const))
}
