import { columnSql, fromSql, identityTable, ofEntity, shownFields } from '../../catalogue/columns.ts'
import type { Entity } from '../../catalogue/entity.ts'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { firstOf } from '../../platform/db/first-of.ts'
import { statement } from '../../platform/db/statement.ts'
import { onceFor } from '../../platform/once-for.ts'
import type { Stored } from '../importable.ts'
import { asksRestricted } from '../visible.ts'

type Keys = { account: number; source: string; ids: string[] }
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
   ${entity.scope === 'company' ? 't.company_id, t.branch_id' : 'null as company_id, null as branch_id'}`
/**
 * One look-up by the identity's own index for each id: `= any` would leave the choice to statistics that lag behind. A
 * deleted booking is gone, and its row makes a new one; deleted people come back as who they were.
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

const identities = onceFor((entity: Entity) =>
  statement<Keys, Present>(
    `select ${identitySql(entity, 'key.external_id')} from ${byExternalId(entity, `${identityTable(entity)} t`)}`,
  ),
)
const wholesOf = (guarded: boolean) =>
  onceFor((entity: Entity) =>
    statement<Keys, Present>(wholeSql(entity, 'key.external_id', byExternalId(entity, fromSql(entity)), guarded)),
  )
const wholes = wholesOf(false)
const guardedWholes = wholesOf(true)
const onesOf = (guarded: boolean) =>
  onceFor((entity: Entity) =>
    statement<{ account: number; id: string }, Present>(wholeSql(entity, 't.external_id', byId(entity), guarded)),
  )
const ones = onesOf(false)
const guardedOnes = onesOf(true)

const byId = (entity: Entity): string =>
  `${fromSql(entity)} where t.account_id = $account and ${ofEntity(entity)} and t.id = $id and t.deleted_at is null`

/**
 * Every field as reading a row would have answered it, so that what is equal is equal text; `guarded` by whether a tag
 * hides who the record is.
 */
function wholeSql(entity: Entity, externalId: string, from: string, guarded: boolean): string {
  const fields = Object.entries(shownFields(entity))
    .filter(([name]) => name !== 'external_id' && name !== 'status') // which the identity has
    .map(([name, field]) => {
      if (field.elsewhere) return `${field.elsewhere.print} as "${name}"`
      return `${field.print(columnSql(entity, name))} as "${field.reference?.column ?? name}"`
    })
  const computed = Object.keys(entity.computed).map((name) => `t.${name}`)
  const guard = guarded ? [`coalesce((${entity.restricted}), false) as restricted`] : []
  return `select ${[identitySql(entity, externalId), ...fields, ...computed, ...guard].join(', ')} from ${from} order by t.id for no key update of t`
}

/** The record of this id, whole and locked, whoever made it. */
export const loadOne = (tx: AccountTx, entity: Entity, id: string, writer: Policies): Promise<Present | undefined> =>
  tx.one((asksRestricted(entity, writer) ? guardedOnes : ones)(entity), { id })

/** The records that these external ids name; for a writer who may change them whole and locked. */
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
