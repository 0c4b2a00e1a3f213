import { columnSql, fromSql, identityTable, ofEntity, shownFields } from '../../catalogue/columns.ts'
import type { Entity } from '../../catalogue/entity.ts'
import type { Field } from '../../catalogue/kind.ts'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { firstOf } from '../../platform/db/first-of.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type Statement, variantOf } from '../../platform/db/statement.ts'
import { onceFor } from '../../platform/once-for.ts'
import type { Stored } from '../importable.ts'
import { asksRestricted } from '../visible.ts'

const KEYS = { account: pg.integer, source: pg.text, ids: pg.list(pg.text) }
/** A record that a row names: who it is, and, where it may be changed, what it holds. */
export type Present = Stored & {
  readonly external_id: string
  readonly company_id: string | null
  readonly branch_id: string | null
  readonly deleted: boolean
  /** Whether a restricted tag hides from the writer who it is. */
  readonly restricted?: boolean
}

const identitySql = (entity: Entity, externalId: string): string =>
  `t.id, ${externalId}, ${entity.status} as status, t.deleted_at is not null as deleted,
   ${entity.scope === 'company' ? 't.company_id, t.branch_id' : 'null::uuid as company_id, null::uuid as branch_id'}`
/**
 * One look-up by the identity's own index for each id: `= any` would leave the choice to statistics that lag behind. A
 * deleted booking is replaced by a new one; deleted people are restored.
 */
function byExternalId(entity: Entity, from: string): string {
  const named = (table: string) =>
    `${table}.account_id = $account and ${table}.source_system = $source and ${table}.external_id = key.external_id`
  if (entity.merges)
    return `unnest($ids::text[]) as key(external_id) join ${identityTable(entity)} k on ${named('k')}
      join ${from} on t.account_id = $account and t.id = ${firstOf('k.merged_into_id', 'k.id')}`
  return `unnest($ids::text[]) as key(external_id)
    join ${from} on ${named('t')} and ${ofEntity(entity)} ${entity.base ? 'and t.deleted_at is null' : ''}`
}

const IDENTITY = {
  id: pg.uuid,
  external_id: pg.attribute,
  status: pg.text,
  deleted: pg.boolean,
  company_id: pg.attribute,
  branch_id: pg.attribute,
}
const BY_ID = { account: pg.integer, id: pg.uuid }
type Reading<I> = Statement<I, Present>

export const identities = onceFor(
  (entity: Entity): Reading<pg.InputOf<typeof KEYS>> =>
    variantOf(
      KEYS,
      IDENTITY,
      `select ${identitySql(entity, 'key.external_id')} from ${byExternalId(entity, `${identityTable(entity)} t`)}`,
    ) as Reading<pg.InputOf<typeof KEYS>>,
)
export const wholesOf = (guarded: boolean) =>
  onceFor(
    (entity: Entity): Reading<pg.InputOf<typeof KEYS>> =>
      variantOf(
        KEYS,
        wholeColumns(entity, guarded),
        wholeSql(entity, 'key.external_id', byExternalId(entity, fromSql(entity)), guarded),
      ) as Reading<pg.InputOf<typeof KEYS>>,
  )
const wholes = wholesOf(false)
const guardedWholes = wholesOf(true)
export const onesOf = (guarded: boolean) =>
  onceFor(
    (entity: Entity): Reading<pg.InputOf<typeof BY_ID>> =>
      variantOf(
        BY_ID,
        wholeColumns(entity, guarded),
        wholeSql(entity, 't.external_id', byId(entity), guarded),
      ) as Reading<pg.InputOf<typeof BY_ID>>,
  )
const ones = onesOf(false)
const guardedOnes = onesOf(true)

const byId = (entity: Entity): string =>
  `${fromSql(entity)} where t.account_id = $account and ${ofEntity(entity)} and t.id = $id and t.deleted_at is null`

const fieldsOf = (entity: Entity) =>
  Object.entries(shownFields(entity)).filter(([name]) => name !== 'external_id' && name !== 'status') // which the identity has
const columnOf = (name: string, field: Field): string => (field.elsewhere ? name : (field.reference?.column ?? name))
const wholeColumns = (entity: Entity, guarded: boolean): pg.Columns => ({
  ...IDENTITY,
  ...Object.fromEntries(fieldsOf(entity).map(([name, field]) => [columnOf(name, field), pg.attribute])),
  ...Object.fromEntries(Object.keys(entity.computed).map((name) => [name, pg.attribute])),
  ...(guarded && { restricted: pg.boolean }),
})

/**
 * Every field as reading a row would return it, so that equal values are equal texts; `guarded` if a tag hides the
 * record's identity.
 */
function wholeSql(entity: Entity, externalId: string, from: string, guarded: boolean): string {
  const fields = fieldsOf(entity).map(
    ([name, field]) =>
      `${field.elsewhere?.print ?? field.print(columnSql(entity, name))} as "${columnOf(name, field)}"`,
  )
  const computed = Object.keys(entity.computed).map((name) => `t.${name}`)
  const guard = guarded ? [`coalesce((${entity.restricted}), false) as restricted`] : []
  return `select ${[identitySql(entity, externalId), ...fields, ...computed, ...guard].join(', ')} from ${from} order by t.id for no key update of t`
}

/** The record with this id, complete and locked. */
export const loadOne = (tx: AccountTx, entity: Entity, id: string, writer: Policies): Promise<Present | undefined> =>
  tx.one((asksRestricted(entity, writer) ? guardedOnes : ones)(entity), { id })

/** The records with these external ids; complete and locked for a writer who may change them. */
export async function load(
  tx: AccountTx,
  entity: Entity,
  ids: string[],
  source: string,
  writer: Policies | false,
): Promise<Map<string, Present>> {
  const read = writer ? (asksRestricted(entity, writer) ? guardedWholes : wholes) : identities
  const rows = await tx.all(read(entity), { ids, source })
  return new Map(rows.map((row) => [row.external_id, row]))
}
