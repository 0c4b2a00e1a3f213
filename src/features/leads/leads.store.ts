import type { Values } from '../../catalogue/read-cells.ts'
import type { Revert } from '../../imports/importable.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { movingPageSql } from '../../platform/db/moving-page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import { attributeSql } from '../../records/attribute-sql.ts'
import { PERSON_PARAMETERS, personConditions } from '../../records/search.ts'
import { leadAttributes } from './lead-attributes.ts'
import { leadDetail, leadItem } from './leads.view.ts'
import { restrictedLeadSql } from './reads/restricted-lead.ts'
import { OPEN_LEAD_SQL, type Stage } from './stages.ts'

const STALE = '14 days'
const ALIVE = 't.account_id = $account and t.deleted_at is null'
/** Leads, most recently updated first. */
export const listLeads = listing(
  { ...PERSON_PARAMETERS, stage: pg.text, source: pg.text, assigned_to_id: pg.uuid, seat: pg.uuid },
  {
    ...personConditions(restrictedLeadSql('t')),
    stage: 't.stage = $stage',
    source: 't.source = $source',
    assigned_to_id: 't.assigned_to_id = $assigned_to_id::uuid',
    open: OPEN_LEAD_SQL,
    closed: `not (${OPEN_LEAD_SQL})`,
    stale: `${OPEN_LEAD_SQL} and t.updated_at < now() - interval '${STALE}'`,
    mine: 't.assigned_to_id = $seat::uuid',
  },
  ({ policies, where, continues }) =>
    movingPageSql({ item: viewSql(leadItem, policies), table: 'leads', where: [ALIVE, ...where] }, continues),
)
export const readLead = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson, version: pg.integer },
  (policies) =>
    `select ${viewSql(leadDetail, policies)}::text as item, t.version from leads t where ${ALIVE} and t.id = $id`,
)

/** A stored lead, with its attributes as the API writes them. */
export type StoredLead = Values & {
  readonly id: string
  readonly company_id: string
  readonly branch_id: string | null
  readonly stage: Stage
  readonly customer_id: string | null
  readonly imported_customer_id: string | null
  readonly trip_id: string | null
  readonly converted: boolean
  /** Whether it shows only to some who it is. */
  readonly restricted: boolean
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly currency: string | null
  readonly destinations: readonly string[]
  readonly trip_type: string | null
  readonly target_departure_on: string | null
  readonly target_return_on: string | null
  readonly assigned_to_id: string | null
}
const { names, given, values, set, stored, columns } = attributeSql(leadAttributes)
export const lockLead = statement(
  { account: pg.integer, id: pg.uuid },
  {
    ...columns,
    id: pg.uuid,
    version: pg.integer,
    company_id: pg.uuid,
    branch_id: pg.nullable(pg.uuid),
    stage: pg.textOf<'inbox' | 'qualified' | 'nurturing' | 'proposal' | 'won' | 'lost'>(),
    customer_id: pg.nullable(pg.uuid),
    imported_customer_id: pg.nullable(pg.uuid),
    trip_id: pg.nullable(pg.uuid),
    converted: pg.boolean,
    /** Whether it shows only to some who it is. */
    restricted: pg.boolean,
    name: pg.text,
    email: pg.nullable(pg.text),
    phone: pg.nullable(pg.text),
    currency: pg.nullable(pg.text),
    destinations: pg.list(pg.text),
    target_departure_on: pg.nullable(pg.date),
    target_return_on: pg.nullable(pg.date),
    trip_type: pg.nullable(pg.text),
    assigned_to_id: pg.nullable(pg.uuid),
  },
  `
  select t.id, t.version, t.company_id, t.branch_id, t.stage, t.customer_id, t.imported_customer_id, t.trip_id, t.converted_at is not null as converted, ${restrictedLeadSql('t')} as restricted,
    ${stored}
  from leads t where ${ALIVE} and t.id = $id for no key update`,
)
export const insertLead = statement(
  {
    account: pg.integer,
    id: pg.uuid,
    company: pg.uuid,
    branch: pg.nullable(pg.uuid),
    stage: pg.text,
    actor: pg.nullable(pg.uuid),
    /** The code that it came by. */
    referral: pg.nullable(pg.uuid),
    values: pg.jsonText,
  },
  {},
  `
  with made as (
    insert into leads (account_id, id, company_id, branch_id, stage, referral_code_id, ${names})
    select $account::integer, $id::uuid, $company::uuid, $branch::uuid, $stage, $referral::uuid, ${values}
    from ${given} returning id
  )
  insert into lead_moves (account_id, lead_id, to_stage, actor_id) select $account, id, $stage, $actor::uuid from made`,
)
export const updateLead = statement(
  { account: pg.integer, id: pg.uuid, company: pg.uuid, values: pg.jsonText },
  {},
  `
  update leads t set company_id = $company, branch_id = case when t.company_id = $company then t.branch_id end,
    ${set}
  from ${given} where t.account_id = $account::integer and t.id = $id`,
)
/** Moves a lead to another stage and writes it into its history. */
export const moveLead = statement(
  {
    account: pg.integer,
    id: pg.uuid,
    from: pg.textOf<'inbox' | 'qualified' | 'nurturing' | 'proposal' | 'won' | 'lost'>(),
    stage: pg.textOf<'inbox' | 'qualified' | 'nurturing' | 'proposal' | 'won' | 'lost'>(),
    actor: pg.nullable(pg.uuid),
    reason: pg.nullable(pg.text),
    notes: pg.nullable(pg.text),
  },
  {},
  `
  with moved as (
    insert into lead_moves (account_id, lead_id, from_stage, to_stage, actor_id, reason, notes)
    values ($account::integer, $id::uuid, $from, $stage, $actor::uuid, $reason, $notes)
  )
  update leads set stage = $stage, stage_changed_at = now(), lost_reason = $reason, lost_notes = $notes
  where account_id = $account and id = $id`,
)
/** What a conversion made of it. */
export const closeLead = statement(
  { account: pg.integer, id: pg.uuid, customer: pg.uuid, trip: pg.uuid },
  {},
  `
  update leads set customer_id = $customer, trip_id = $trip, converted_at = now() where account_id = $account::integer and id = $id`,
)

/** A converted lead is kept when its import is reverted: its customer and trip come from it. */
export const leadsThatStay: Revert['stays'] = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  { id: pg.uuid, reason: pg.text },
  `
  select l.id, 'converted' as reason from unnest($ids::uuid[]) as key(id)
    join leads l on l.account_id = $account and l.id = key.id and l.converted_at is not null`,
)
