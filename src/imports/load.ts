import { columnSql, fromSql, identityTable } from '../catalogue/columns.ts'
import type { Entity, Stored } from '../catalogue/entity.ts'
import type { AccountTx } from '../platform/db/database.ts'
import { type Statement, statement } from '../platform/db/statement.ts'

type Keys = { account: number; source: string; ids: string[] }
/** A record that a row names: who it is, and, where it may be changed, what it holds. */
export type Present = Stored & {
  readonly external_id: string
  readonly company_id: string | null
  readonly branch_id: string | null
  readonly deleted: boolean
}

const identities = new WeakMap<Entity, Statement<Keys, Present>>()
const wholes = new WeakMap<Entity, Statement<Keys, Present>>()
const takeNumber = statement<{ account: number }, never>('select change_number($account::integer)')

/** The condition that tells the entity's records from those of others in a shared table. */
export const ofEntity = (entity: Entity): string => (entity.base ? `t.entity = '${entity.key}'` : 'true')

const identitySql = (entity: Entity): string =>
  `t.id, t.external_id, ${entity.status} as status, t.deleted_at is not null as deleted,
   ${entity.scope === 'company' ? 't.company_id, t.branch_id' : 'null as company_id, null as branch_id'}`
/** One look-up by the identity's own index for each id: `= any` would leave the choice to statistics that lag behind. */
const named = (entity: Entity, from: string): string => `unnest($ids::text[]) as key(external_id)
  join ${from} on t.account_id = $account and ${ofEntity(entity)} and t.source_system = $source and t.external_id = key.external_id`

function identityStatement(entity: Entity): Statement<Keys, Present> {
  const known =
    identities.get(entity) ??
    statement(`select ${identitySql(entity)} from ${named(entity, `${identityTable(entity)} t`)}`)
  identities.set(entity, known)
  return known
}

/** Every field as reading a row would have answered it, so that what is equal is equal text. */
function wholeStatement(entity: Entity): Statement<Keys, Present> {
  const known = wholes.get(entity)
  if (known) return known
  const fields = Object.entries(entity.fields)
    .filter(([name]) => name !== 'external_id' && name !== 'status') // which the identity has
    .map(([name, field]) => {
      if (field.elsewhere) return `${field.elsewhere.print} as "${name}"`
      return `${field.print(columnSql(entity, name))} as "${field.reference?.column ?? name}"`
    })
  const computed = Object.keys(entity.computed).map((name) => `t.${name}`)
  const made: Statement<Keys, Present> = statement(
    `select ${[identitySql(entity), ...fields, ...computed].join(', ')} from ${named(entity, fromSql(entity))} order by t.id for no key update of t`,
  )
  wholes.set(entity, made)
  return made
}

/**
 * The records that these external ids name. `forChange` reads and locks them whole. Whoever imports takes the
 * account's change number first, so imports of one account follow each other and cannot meet in a deadlock.
 */
export async function load(
  tx: AccountTx,
  entity: Entity,
  ids: string[],
  source: string,
  forChange: boolean,
): Promise<Map<string, Present>> {
  tx.later(takeNumber, {})
  const rows = await tx.all((forChange ? wholeStatement : identityStatement)(entity), { ids, source })
  return new Map(rows.map((row) => [row.external_id, row]))
}
