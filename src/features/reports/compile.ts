import type { Policies } from '../../platform/access/policies.ts'
import { printedArray } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { oneOff, type Statement } from '../../platform/db/statement.ts'
import { instantSql } from '../../platform/db/view.ts'
import type { Applied } from './filters.ts'
import { type DateBasis, type Grouping, maySee, type Preset, type ReportColumn } from './preset.ts'
import { baseColumns, grandTotalsSql, partsSql, totalsSql } from './totals.ts'

/** What a report's statement depends on. */
export type ReportQuery = {
  readonly preset: Preset
  readonly policies: Policies
  readonly filters: Applied
  /** Whether it continues another page. */
  readonly continues: boolean
}
const GIVES = {
  rows: pg.printedJson,
  more: pg.boolean,
  last: pg.nullable(pg.json<string[]>()),
  groups: pg.nullable(pg.printedJson),
  totals: pg.nullable(pg.printedJson),
  summary: pg.printedJson,
}
export type Found = pg.RowOf<typeof GIVES>
const TAKES = {
  account: pg.integer,
  today: pg.date,
  zone: pg.text,
  limit: pg.integer,
  after: pg.list(pg.text),
} satisfies pg.Columns

/** The statement of a report. Its text depends on the filters, so it is not prepared. */
export function reportStatement(query: ReportQuery): Statement<Record<string, unknown>, Found> {
  const filters = Object.keys(query.filters).map((name) => [name, pg.attribute])
  return oneOff({ ...Object.fromEntries(filters), ...TAKES } as pg.Columns, GIVES, compileReport(query))
}

/**
 * SQL of a report: its rows once, and from these the page, the groups on the page with their complete totals, the grand
 * totals, and counts. Of masked columns it reads only whether an amount is known in the company's currency; neither
 * order nor groups depend on them. Parameters besides the filters: `limit`, and `after` for a further page.
 */
function compileReport(query: ReportQuery): string {
  const keys = sortKeys(query)
  const order = keys.map(({ sql, descending }) => `${sql} ${descending ? 'desc' : 'asc'}`).join(', ')
  return `
    with found as materialized (
      select ${foundColumns(query).join(', ')} from (${rowsSql(query)}) r where ${maySee(query.policies, query.preset.presence)}),
    page as materialized (
      select f.*, row_number() over (order by ${order}) as nth,
        json_build_array(${keys.map(({ sql }) => `(${sql})::text`).join(', ')}) as sort_key
      from (
        select f.* from found f ${query.continues ? `where ${behind(keys)}` : ''} order by ${order} limit $limit::bigint + 1
      ) f),
    parts as materialized (${partsSql(query.preset, query.policies)})
    select ${printedArray(`string_agg(${itemSql(query)}::text, ',' order by f.nth) filter (where f.nth <= $limit)`)} as rows,
      count(*) > $limit as more,
      (array_agg(f.sort_key order by f.nth) filter (where f.nth <= $limit))[least(count(*), $limit)] as last,
      ${query.filters.group_by ? groupsSql(query.preset, query.policies) : 'null'} as groups,
      ${grandTotalsSql(query.preset, query.policies)} as totals,
      (select json_build_object('rows', count(*)${countsOf(query)})::text from found) as summary
    from page f`
}

const groupingOf = ({ preset, filters }: ReportQuery): Grouping | undefined =>
  typeof filters.group_by === 'string' ? preset.groupings?.[filters.group_by] : undefined
const isShown = ({ policies }: ReportQuery, { sensitive, partly }: ReportColumn): boolean =>
  partly || maySee(policies, sensitive)
const shownColumns = (query: ReportQuery): [string, ReportColumn][] =>
  Object.entries(query.preset.columns).filter(([, column]) => isShown(query, column))

/** The preset's rows under the conditions that were asked for. */
function rowsSql({ preset, policies, filters }: ReportQuery): string {
  const by = preset.dates?.by ?? {}
  const dateBasis = ((filters.date_basis ?? Object.keys(by)[0]) as DateBasis | undefined) ?? null
  const conditions = [
    ...(dateBasis === null ? [] : [by[dateBasis]]),
    ...Object.entries(preset.filters).map(([name, { where }]) => (filters[name] === null ? undefined : where)),
  ]
  const where = conditions.flatMap((condition) => (condition === undefined ? [] : `(${condition})`)).join(' and ')
  const groupBy = typeof filters.group_by === 'string' ? filters.group_by : null
  return preset.rows({ policies, where: where || 'true', dateBasis, groupBy })
}

/**
 * The columns that are read: the shown ones, and those that groups, counts and totals in the company's currency need.
 */
function foundColumns(query: ReportQuery): string[] {
  const { preset } = query
  const grouping = groupingOf(query)
  const names = new Set([
    ...shownColumns(query).map(([name]) => name),
    ...preset.order.map(({ column }) => column).filter((name) => !Object.hasOwn(preset.columns, name)),
    ...shownCounts(query),
    ...(preset.base ? baseColumns(preset) : []),
  ])
  return [
    ...[...names].map((name) => `r."${name}"`),
    ...(names.has('currency') ? [] : ['null::text as currency']),
    `${grouping ? `r."${grouping.key}"::text` : 'null::text'} as group_key`,
    `${grouping ? `r."${grouping.name}"::text` : 'null::text'} as group_name`,
  ]
}

type SortKey = { readonly sql: string; readonly pg: string; readonly descending: boolean }
/** The PostgreSQL type of a column, and its value in rows without one. */
const KEY_TYPES: Readonly<Record<ReportColumn['type'], readonly [pg: string, none: string]>> = {
  string: ['text', `''`],
  date: ['date', `'-infinity'`],
  datetime: ['timestamptz', `'-infinity'`],
  money: ['numeric', '0'],
  integer: ['bigint', '0'],
  decimal: ['numeric', '0'],
  percent: ['numeric', '0'],
  uuid: ['uuid', `'00000000-0000-0000-0000-000000000000'`],
}
type Ordered = { readonly name: string; readonly type: ReportColumn['type']; readonly descending: boolean }
/** The columns that the rows are in the order of: groups, then the preset's, without what the role may not see. */
function orderOf(query: ReportQuery): Ordered[] {
  const { columns, order } = query.preset
  const own = order.flatMap(({ column: name, descending = false, type }): Ordered[] => {
    const column = columns[name]
    if (!column) return type ? [{ name, type, descending }] : []
    return isShown(query, column) ? [{ name, type: column.type, descending }] : []
  })
  const group = (name: string): Ordered => ({ name, type: 'string', descending: false })
  return groupingOf(query) ? [group('group_name'), group('group_key'), ...own] : own
}
/** What a sort key is of: the key of another order leads nowhere in this one. */
export const sortedBy = (query: ReportQuery): string =>
  orderOf(query)
    .map(({ name, descending }) => (descending ? `-${name}` : name))
    .join(' ')
const sortKeys = (query: ReportQuery): SortKey[] => orderOf(query).flatMap(nullsLast)

function nullsLast({ name, type, descending }: Ordered): SortKey[] {
  const [pg, none] = KEY_TYPES[type]
  const sql = `f."${name}"`
  return [
    { sql: `(${sql} is null)`, pg: 'boolean', descending: false },
    { sql: `coalesce(${sql}::${pg}, ${none}::${pg})`, pg, descending },
  ]
}

/** SQL of the condition that a row comes after the one with the sort key `after`. */
function behind(keys: readonly SortKey[], at = 0): string {
  const key = keys[at]
  if (!key) return 'false'
  const value = `($after::text[])[${at + 1}]::${key.pg}`
  return `(${key.sql} ${key.descending ? '<' : '>'} ${value} or (${key.sql} = ${value} and ${behind(keys, at + 1)}))`
}

/** A row `f` as JSON: every column, masked ones as null. */
function itemSql(query: ReportQuery): string {
  const columns = Object.entries(query.preset.columns).map(
    ([name, column]) => `${isShown(query, column) ? printSql(name, column) : 'null'} as "${name}"`,
  )
  const group = groupingOf(query) ? ['f.group_key as "group_key"', 'f.group_name as "group_name"'] : []
  return `(select row_to_json(v) from (select ${[...group, ...columns].join(', ')}) v)`
}

function printSql(name: string, { type, currency_key = 'currency' }: ReportColumn): string {
  const sql = `f."${name}"`
  switch (type) {
    case 'money':
      return `money_text(${sql}, f."${currency_key}")`
    case 'decimal':
      return `trim_scale(${sql})::text`
    case 'percent':
      return `round(${sql}, 2)::text`
    case 'datetime':
      return instantSql(sql)
    default:
      return sql
  }
}

/** A text that is the same for the same key, null or not. */
const sameKey = (row: string): string => `coalesce('=' || ${row}.group_key, '')`

/** The groups on the page, in order, with their complete totals. */
const groupsSql = (preset: Preset, policies: Policies): string => `
  (select json_agg(json_build_object('key', g.group_key, 'label', g.group_name, 'count', g.rows, 'totals', g.totals) order by g.nth)::text
  from (
    select p.group_key, min(p.group_name) as group_name, sum(p.rows) as rows, shown.nth, ${totalsSql(preset, policies)} as totals
    from (select ${sameKey('f')} as same, min(f.nth) as nth from page f where f.nth <= $limit group by 1) shown
      join parts p on p.of_group and ${sameKey('p')} = shown.same
    group by p.group_key, shown.nth
  ) g)`

const shownCounts = ({ preset: { counts = {} }, policies }: ReportQuery): string[] =>
  Object.keys(counts).filter((name) => maySee(policies, counts[name]))
function countsOf(query: ReportQuery): string {
  const shown = new Set(shownCounts(query))
  return Object.keys(query.preset.counts ?? {})
    .map((name) => `, '${name}', ${shown.has(name) ? `coalesce(sum("${name}"), 0)` : 'null'}`)
    .join('')
}
