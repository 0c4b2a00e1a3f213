import { type EntityColumn, entityColumns, identityTable, keyedColumns } from '../../catalogue/columns.ts'
import type { Entity } from '../../catalogue/entity.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { quoted } from '../../platform/db/quoted.ts'
import { variantOf } from '../../platform/db/statement.ts'
import { onceFor } from '../../platform/once-for.ts'
import type { WrittenRecord } from '../importable.ts'
import type { ImportRow } from './read-rows.ts'

/** What all records of a batch have in common. */
type Place = { readonly company: string; readonly branch: string | null; readonly source: string | null }
/** A record to write, its row, and the rows of the entity's child table. */
export type Write = WrittenRecord & { readonly row: ImportRow; readonly children: readonly Values[] }

const TAKES = {
  account: pg.integer,
  company: pg.uuid,
  branch: pg.nullable(pg.uuid),
  source: pg.nullable(pg.text),
  rows: pg.jsonText,
  children: pg.jsonText,
}
type Input = pg.InputOf<typeof TAKES>
/** A column: how its value is sent, and the SQL that converts it. */
type Part = { name: string; pg: string; value: string }
export const writesOf = onceFor((entity: Entity) => ({
  insert: variantOf(TAKES, {}, insertSql(entity)),
  update: variantOf(TAKES, {}, updateSql(entity)),
}))

/** The columns of both tables with the SQL of their values, over a row `r` of the input. */
function parts(entity: Entity): { input: string; identity: Part[]; own: Part[] } {
  const { identity, own } = entityColumns(entity)
  const plain = ({ name, pg, field }: EntityColumn): Part => ({
    name,
    pg: field.travels?.as ?? pg,
    value: field.travels?.sql(`r.${name}`) ?? `r.${name}`,
  })
  const computed = Object.entries(entity.computed).map(([name, pg]): Part => ({ name, pg, value: `r.${name}` }))
  const keyed = [...keyedColumns(entity)].map(([name, keys]): Part => {
    const pairs = [...keys].map(([key, cell]) => `'${key}', r.${cell}`).join(', ')
    return { name, pg: 'jsonb', value: `nullif(jsonb_strip_nulls(jsonb_build_object(${pairs})), '{}')` }
  })
  const columns = [...identity.map(plain), ...computed]
  const others = own.map(plain)
  const cells = [...keyedColumns(entity).values()].flatMap((keys) =>
    [...keys.values()].map((cell) => ({ name: cell, pg: 'text' })),
  )
  const input = [...columns, ...others, ...cells].map(({ name, pg }) => `${name} ${pg}`).join(', ')
  return { input: `id uuid, ${input}`, identity: [...columns, ...keyed], own: others }
}

/** The records, the rest of them in their own table and the rows that belong to them, in one statement. */
function insertSql(entity: Entity): string {
  const { input, identity, own } = parts(entity)
  const fixed: [string, string][] = [
    ['account_id', '$account::integer'],
    ['id', 'r.id'],
    ['source_system', '$source'],
    ...(entity.base ? ([['entity', `'${entity.key}'`]] as [string, string][]) : []),
    ...(entity.scope === 'company'
      ? ([
          ['company_id', '$company::uuid'],
          ['branch_id', '$branch::uuid'],
        ] as [string, string][])
      : []),
  ]
  const columns = [...fixed, ...identity.map(({ name, value }): [string, string] => [name, value])]
  const into = (table: string, pairs: [string, string][], from: string) =>
    `insert into ${table} (${pairs.map(([name]) => name).join(', ')}) select ${pairs.map(([, value]) => value).join(', ')} from ${from}`
  const first = into(identityTable(entity), columns, 'input r order by r.id')
  const ownPairs: [string, string][] = [
    ['account_id', '$account::integer'],
    ['id', 'r.id'],
    ...own.map(({ name, value }): [string, string] => [name, value]),
  ]
  const second = entity.base ? `, own as (${into(entity.table, ownPairs, 'input r')})` : ''
  return `with input as (select * from json_to_recordset($rows::json) as r(${input})), record as (${first})${second}${childSql(entity)} select`
}

function childSql({ child }: Entity): string {
  if (!child) return ''
  const names = Object.keys(child.columns)
  return `, child as (insert into ${child.table} (account_id, ${child.owner}, ${names.join(', ')})
    select $account::integer, c.${child.owner}, ${names.map((name) => `c.${name}`).join(', ')}
    from json_to_recordset($children::json) as c(${child.owner} uuid, ${Object.entries(child.columns)
      .map(([name, pg]) => `${name} ${pg}`)
      .join(', ')}))`
}

function updateSql(entity: Entity): string {
  const { input, identity, own } = parts(entity)
  const keyed = keyedColumns(entity)
  const set = (all: Part[]) =>
    all
      .filter(({ name }) => name !== 'external_id')
      .map(({ name, value }) => {
        if (!keyed.has(name)) return `${name} = ${value}`
        // Unknown keys stay: the column is free-form for other writers.
        const keys = quoted((keyed.get(name) as ReadonlyMap<string, string>).keys())
        return `${name} = nullif((coalesce(t.${name}, '{}') - array[${keys}]) || coalesce(${value}, '{}'), '{}')`
      })
      .join(', ')
  const update = (table: string, columns: string) =>
    `update ${table} t set ${columns} from input r where t.account_id = $account::integer and t.id = r.id`
  const second = entity.base && own.length > 0 ? `, own as (${update(entity.table, set(own))})` : ''
  return `with input as (select * from json_to_recordset($rows::json) as r(${input})),
    record as (${update(identityTable(entity), `${set(identity)}, deleted_at = null`)})${second}${childSql(entity)} select`
}

/** Records per statement; the next ones are planned while it runs. */
const PORTION = 50

/** Writes all records. If the database refuses, halves them until the failing rows are found. Returns those written. */
export async function write(
  tx: AccountTx,
  entity: Entity,
  kind: 'insert' | 'update',
  writes: Iterable<Write>,
  place: Place,
): Promise<Write[]> {
  const all: Write[] = []
  function* inputs(): Generator<Omit<Input, 'account'>> {
    for (const portion of portionsOf(writes)) {
      all.push(...portion)
      yield { ...place, ...textsOf(portion) }
    }
  }
  const refused = await tx.attempt(writesOf(entity)[kind], inputs())
  if (!refused) return all
  if (all.length === 1) {
    const message = `The database refused this row${refused.constraint ? ` (${refused.constraint})` : ''}. If you cannot find the cause, contact support.`
    all[0]?.row.errors.push({ at: 'base', code: 'refused_by_database', message })
    return []
  }
  const half = all.length >> 1
  return [
    ...(await write(tx, entity, kind, all.slice(0, half), place)),
    ...(await write(tx, entity, kind, all.slice(half), place)),
  ]
}

function* portionsOf(writes: Iterable<Write>): Generator<Write[]> {
  let portion: Write[] = []
  for (const one of writes) {
    portion.push(one)
    if (portion.length < PORTION) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
}

const textsOf = (writes: readonly Write[]): Pick<Input, 'rows' | 'children'> => ({
  rows: JSON.stringify(writes.map(({ id, values }) => withoutNulls({ id, ...values }))),
  children: JSON.stringify(writes.flatMap(({ children }) => children.map(withoutNulls))),
})

/** Missing values are null by default, and are not sent. */
function withoutNulls(values: Values): Values {
  const kept: Values = {}
  for (const name in values) if (values[name] !== null) kept[name] = values[name]
  return kept
}
