import type { Field } from '../../../catalogue/kind.ts'
import { uuid } from '../../../catalogue/kinds.ts'
import type { Fields } from '../../../catalogue/read-cells.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { companyOf, readAttributes } from '../../../records/attributes.ts'
import { refuseUnknownSeat } from '../../accounts/reads/seats.ts'
import { fillCustomer } from '../../customers/commands/fill-customer.ts'
import { createCustomer } from '../../customers/commands/save-customer.ts'
import { restrictedSql } from '../../customers/reads/restricted.ts'
import { datesRefused, openTrip } from '../../trips/commands/open-trip.ts'
import { newTripAttributes } from '../lead-attributes.ts'
import { closeLead, lockLead, moveLead, type StoredLead } from '../leads.store.ts'

type Given = { readonly customer_id?: unknown; readonly trip?: Record<string, unknown> | null }
/** Paths in details for attributes in `trip`. */
const ofTrip = <V>(attributes: Readonly<Record<string, V>>): Record<string, V> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`trip.${name}`, value]))
const conversionAttributes: Fields = { customer_id: uuid, ...ofTrip<Field>(newTripAttributes) }
type Wanted = Partial<Record<'customer_id' | `trip.${keyof typeof newTripAttributes}`, string | null>>
/** `isNew` is true only for the call that converted the lead. */
export type Conversion = { readonly customer: string | null; readonly trip: string | null; readonly isNew: boolean }

/**
 * Converts a lead to a customer and a trip, once: a second call finds the result of the first. Null if the lead does
 * not exist.
 */
export async function convertLead(tx: AccountTx, actor: Actor, id: string, given: Given): Promise<Conversion | null> {
  takeChangeNumber(tx) // conversions of an account follow each other, so that two leads of one person find one customer
  const lead = await tx.one(lockLead, { id })
  if (!lead) return null
  if (lead.converted) return { customer: lead.customer_id, trip: lead.trip_id, isNew: false }
  const company = companyOf(actor, lead.company_id)
  const cells = { customer_id: given.customer_id ?? null, ...ofTrip(given.trip ?? {}) }
  const reasons = new Reasons()
  const reading = { company, timeZone: actor.timeZone, creates: true, reasons }
  const wanted: Wanted = readAttributes(conversionAttributes, cells, reading)
  const start = wanted['trip.start_date'] ?? lead.target_departure_on
  const end = wanted['trip.end_date'] ?? lead.target_return_on
  if (!reasons.has('trip.start_date', 'trip.end_date')) reasons.add(...datesRefused({ start, end }))
  await refuseUnknownSeat(tx, 'trip.assigned_to_id', wanted['trip.assigned_to_id'], reasons)
  const known = await findCustomer(tx, actor, lead, wanted.customer_id ?? null, reasons)
  reasons.refuse()
  const customer = await customerOf(tx, actor, lead, known)
  const trip = await openTrip(tx, {
    company: lead.company_id,
    branch: lead.branch_id,
    customer,
    title: wanted['trip.title'] ?? null,
    type: lead.trip_type,
    start,
    end,
    destinations: lead.destinations,
    currency: lead.currency ?? company.currency,
    advisor: wanted['trip.assigned_to_id'] ?? lead.assigned_to_id,
  })
  if (lead.stage !== 'won') {
    tx.later(moveLead, { id, from: lead.stage, stage: 'won', actor: actor.seat, reason: null, notes: null })
  }
  tx.later(closeLead, { id, customer, trip })
  return { customer, trip, isNew: true }
}

const words = (name: string) => `regexp_split_to_array(fold(btrim(${name})), '\\s+')`
/** Names match if one contains all words of the other; a customer without a name matches. */
const find = statement(
  {
    account: pg.integer,
    imported: pg.nullable(pg.uuid),
    company: pg.uuid,
    email: pg.nullable(pg.text),
    name: pg.text,
    knows: pg.boolean,
  },
  { id: pg.nullable(pg.uuid) },
  `
  select coalesce(
    (select c.id from customers c where c.account_id = $account and c.id = $imported::uuid and c.deleted_at is null),
    (select min(c.id::text)::uuid from customers c
      where c.account_id = $account and c.email_key = lower($email) and c.company_id = $company and c.deleted_at is null
        and ($knows::boolean or not (${restrictedSql('c')})) -- or the answer would tell whose address it is
        and (c.name is null or ${words('c.name')} <@ ${words('$name')} or ${words('c.name')} @> ${words('$name')})
      having count(*) = 1)) as id`,
)

const alive = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid },
  'select id from customers where account_id = $account and id = $id and deleted_at is null for update',
)
/**
 * The given customer, or the one of the import, or the only one of the company with this e-mail and name whose e-mail
 * the actor sees, or null.
 */
async function findCustomer(
  tx: AccountTx,
  actor: Actor,
  lead: StoredLead,
  wanted: string | null,
  reasons: Reasons,
): Promise<string | null> {
  const { name, company_id: company } = lead
  const knows = actor.policies.has('view_restricted_customers')
  const email = actor.policies.has('view_personal_data') ? lead.email : null
  const imported = lead.imported_customer_id
  const isHidden = lead.restricted && !knows
  const found =
    wanted === null || isHidden ? (await tx.one(find, { imported, company, email, name, knows }))?.id : undefined
  // otherwise the lead would appear as a customer without the tag that hides it
  if (isHidden && found !== imported) reasons.add(['customer_id', HIDDEN])
  else if (isHidden && wanted !== null && wanted !== imported)
    reasons.add([
      'customer_id',
      'The lead is already linked to a customer whom your role is not allowed to know. Leave this out.',
    ])
  else if (wanted !== null && !(await tx.one(alive, { id: wanted })))
    reasons.add(['customer_id', 'No customer with this id exists in this account.'])
  return wanted ?? found ?? null
}

/** The customer that the lead was may be deleted, which is not for this role to know. */
const HIDDEN =
  'Your role is not allowed to know the customer of this lead. Ask a colleague with view_restricted_customers to convert it.'

/** Fills the gaps of the customer that was found, or makes a new one. */
async function customerOf(tx: AccountTx, actor: Actor, lead: StoredLead, found: string | null): Promise<string> {
  const { name, email, phone, company_id } = lead
  const person = { name, email, phone }
  if (found !== null && (await fillCustomer(tx, actor, found, person))) return found
  return createCustomer(tx, actor, { ...person, company_id })
}
