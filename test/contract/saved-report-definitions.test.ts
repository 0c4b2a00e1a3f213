import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Entity } from '../../src/catalogue/entity.ts'
import { OPERATORS, operatorsOf } from '../../src/features/reports/builder/operators.ts'
import { publishedFields } from '../../src/features/reports/builder/published-fields.ts'
import { BUILT_IN_ROLES, type Policies } from '../../src/platform/access/policies.ts'
import { fixed, print } from '../../src/platform/money.ts'
import { entities } from '../../src/registry.ts'
import { anyText } from '../harness/any-text.ts'
import { fillAlike } from '../harness/look-alikes.ts'
import { withRecords } from '../harness/records.ts'
import type { Report } from '../harness/reports.ts'
import { cellOf, type Definition, type FeedRecord, maskedOf, modelOf, shownCell } from '../harness/saved-reports.ts'

const RUNS = 80
const ZONE = 'Europe/Istanbul'
const ROLES = ['owner', 'admin', 'advisor', 'marketing', 'viewer'] as const
const KEYS = ['hotel_stays', 'customers', 'leads', 'supplier_bills', 'tickets', 'suppliers']
const entityOf = (key: string): Entity => entities.find(({ entity }) => entity.key === key)?.entity as Entity
const NASTY = [
  "'; drop table customers; --",
  '" from api_keys t --',
  't.account_id',
  '$account',
  '%',
  '_',
  '\\',
  'null',
  '*',
]

const { the, newAgency } = withRecords()
const keys = new Map<string, string>()
const fed = new Map<string, readonly FeedRecord[]>()
const recordsOf = (role: string, entity: string) => fed.get(`${role} ${entity}`) ?? []
beforeAll(async () => {
  for (const agency of [the.agency, await newAgency()]) await fillAlike(the.cell, agency)
  for (const role of ROLES) {
    const { key } = await the.agency.makeKey({ role })
    keys.set(role, key)
    for (const entity of KEYS) {
      const { body } = await the.cell.call('GET', `/imports/${entity}/records?limit=100`, { key })
      fed.set(`${role} ${entity}`, (body as { data: FeedRecord[] }).data)
    }
  }
})

/** A value of the field that some record has, or that none has. */
function someValue(entity: Entity, name: string, compared: string): fc.Arbitrary<unknown> {
  const known = recordsOf('owner', entity.key).flatMap((record) => cellOf(record, name) ?? [])
  const own = known.map((cell) => (compared === 'moment' ? String(cell).slice(0, 10) : cell))
  const strange: Readonly<Record<string, readonly unknown[]>> = {
    text: NASTY,
    day: ['2026-03-12', '1900-01-01'],
    moment: ['2026-03-12', '2200-12-31'],
    whole: [0, -1, 999_999_999],
    number: ['0', '-1.5', '999999999999999.9999'],
    id: ['01890000-0000-7000-8000-000000000000'],
    yes_no: [true, false],
    choice: publishedFields(entity).get(name)?.options ?? [],
  }
  return fc.constantFrom(...own, ...(strange[compared] ?? []))
}

function filterOn(entity: Entity): fc.Arbitrary<Definition['filters'][number]> {
  return fc.constantFrom(...publishedFields(entity)).chain(([field, { compared }]) =>
    fc.constantFrom(...operatorsOf(compared)).chain((operator) => {
      const one = someValue(entity, field, compared)
      const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
        empty: fc.boolean(),
        in: fc.array(one, { minLength: 1, maxLength: 4 }),
        between: fc.tuple(one, one),
      }
      return (values[operator] ?? one).map((value) => ({ field, operator, value }))
    }),
  )
}

const definitionOf = (entity: Entity): fc.Arbitrary<Definition> => {
  const names = [...publishedFields(entity).keys()]
  const grouped = names.filter((name) => !/^(number|moment)$/.test(String(publishedFields(entity).get(name)?.compared)))
  return fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 8 }).chain((columns) =>
    fc.record({
      entity: fc.constant(entity.key),
      columns: fc.constant(columns),
      filters: fc.uniqueArray(filterOn(entity), { maxLength: 2, selector: ({ field, operator }) => field + operator }),
      group_by: fc.option(fc.constantFrom(...grouped)),
      sort: fc.array(fc.record({ field: fc.constantFrom(...columns), direction: fc.constantFrom('asc', 'desc') }), {
        maxLength: 2,
      }),
    }),
  )
}

const save = async (definition: unknown, key = the.agency.key) =>
  the.cell.call('POST', '/saved_reports', { key, body: { saved_report: { name: 'Own', definition } } })
const idOf = ({ body }: { body: never }) => (body as { data: { id: string } }).data.id

describe('a definition', () => {
  it('shows the records of its account and entity as the role sees them, and no others', async () => {
    const definitions = fc.constantFrom(...KEYS).chain((key) => definitionOf(entityOf(key)))
    await fc.assert(
      fc.asyncProperty(definitions, fc.constantFrom(...ROLES), async (definition, role) => {
        const entity = entityOf(definition.entity)
        const saved = await save(definition)
        expect([saved.status, saved.status === 201 ? '' : saved.text]).toEqual([201, ''])
        const answer = await the.cell.call('GET', `/saved_reports/${idOf(saved)}?limit=100`, {
          key: keys.get(role) as string,
        })
        const masked = maskedOf(entity, BUILT_IN_ROLES[role] as Policies)
        const { filters, group_by } = definition
        const isGroupMasked =
          group_by !== null && masked.has(group_by) && !publishedFields(entity).get(group_by)?.identifiedBy
        if (isGroupMasked || filters.some(({ field }) => masked.has(field))) {
          expect(answer.status).toBe(403)
          return
        }
        expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
        const found = modelOf(entity, definition, recordsOf(role, entity.key), ZONE)
        const report = answer.body as Report
        expectRows(report, found)
        expectGroups(report, definition, entity, found, masked)
        expectOrder(report, definition, masked)
      }),
      { numRuns: RUNS },
    )
  })

  function expectRows(report: Report, found: readonly FeedRecord[]): void {
    const rows = new Map(report.rows.map((row) => [row.id, row]))
    expect([...rows.keys()].toSorted()).toEqual(found.map(({ id }) => id).toSorted())
    for (const record of found)
      for (const { key } of report.columns.filter(({ key: name }) => !name.startsWith('group_')))
        expect([key, rows.get(record.id)?.[key]]).toEqual([key, shownCell(record, key)])
  }

  /** Amounts by currency, in total and of each group; integers besides them. */
  function expectGroups(
    { groups, totals, columns }: Report,
    { group_by }: Definition,
    entity: Entity,
    found: readonly FeedRecord[],
    masked: ReadonlySet<string>,
  ): void {
    const sums = columns.filter(({ key }) => publishedFields(entity).get(key)?.column.sums)
    const amounts = (of: readonly FeedRecord[], name: string, currency: unknown) =>
      of.flatMap((record) => (cellOf(record, 'currency') === currency ? (cellOf(record, name) ?? []) : [])).map(String)
    const check = (totals: Report['totals'], of: readonly FeedRecord[]) => {
      for (const { key, type } of sums) {
        if (masked.has(key)) continue
        if (type === 'integer')
          expect(totals?.[key]).toBe(of.reduce((sum, record) => sum + Number(cellOf(record, key) ?? 0), 0))
        for (const sum of type === 'money' ? (totals?.by_currency ?? []) : []) {
          const own = amounts(of, key, sum.currency)
          expect(sum[key] === null ? null : Number(sum[key])).toBe(own.length === 0 ? null : sumOf(own))
        }
      }
    }
    if (sums.length > 0) check(totals, found)
    if (group_by === null) {
      expect(groups).toBeNull()
      return
    }
    const by = publishedFields(entity).get(group_by)?.identifiedBy ?? group_by
    const wanted = Map.groupBy(found, (record) => shownCell(record, by))
    const text = (key: unknown) => (key === null ? null : String(key))
    expect(new Map(groups?.map(({ key, count }) => [key, count]))).toEqual(
      new Map([...wanted].map(([key, own]) => [text(key), own.length])),
    )
    for (const [key, own] of wanted) check(groups?.find((group) => group.key === text(key))?.totals ?? null, own)
  }
  const sumOf = (amounts: readonly string[]): number =>
    Number(print(amounts.reduce((sum, amount) => sum + fixed(amount), 0n)))

  /** For values other than text and groups: text is sorted by the database. */
  function expectOrder({ rows, columns, groups }: Report, { sort }: Definition, masked: ReadonlySet<string>): void {
    const [first] = sort.filter(({ field }) => !masked.has(field))
    if (!first || groups !== null) return
    const type = columns.find(({ key }) => key === first.field)?.type
    if (type === 'string' || type === 'uuid') return
    const cells = rows.flatMap((row) => row[first.field] ?? [])
    const value = (cell: string | number) =>
      type === 'date' || type === 'datetime' ? Date.parse(String(cell)) : Number(cell)
    const sign = first.direction === 'asc' ? 1 : -1
    expect(cells.map(value)).toEqual(cells.map(value).toSorted((a, b) => sign * (a - b)))
    expect(rows.slice(cells.length).every((row) => row[first.field] === null)).toBe(true)
  }

  it('is refused where it is anything else, whatever it is called', async () => {
    const text = fc.oneof(
      fc.constantFrom(...NASTY, 'account_id', 'deleted_at', '__proto__', 'constructor', 'sell_lines'),
      anyText(),
    )
    const anything = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }))
    const strange = fc.oneof(
      anything,
      fc.record(
        {
          entity: fc.oneof(fc.constantFrom(...KEYS, 'accounts', 'api_keys'), text),
          columns: fc.oneof(fc.array(fc.oneof(fc.constantFrom('id', 'name', 'status'), text)), anything),
          filters: fc.oneof(
            fc.array(
              fc.record({
                field: fc.oneof(fc.constantFrom('id', 'name', 'created_at'), text),
                operator: fc.oneof(fc.constantFrom(...OPERATORS), text),
                value: anything,
              }),
            ),
            anything,
          ),
          group_by: fc.oneof(fc.constantFrom('status', null), text),
          sort: fc.oneof(fc.array(fc.record({ field: text, direction: text })), anything),
        },
        { requiredKeys: ['entity'] },
      ),
    )
    await fc.assert(
      fc.asyncProperty(strange, async (definition) => {
        const saved = await save(definition)
        if (saved.status !== 201) {
          expect([400, 422]).toContain(saved.status)
          return
        }
        const { status, body } = await the.cell.call('GET', `/saved_reports/${idOf(saved)}?limit=100`, {
          key: the.agency.key,
        })
        expect(status).toBe(200)
        const entity = (definition as Definition).entity
        const own = new Set(recordsOf('owner', entity).map(({ id }) => id))
        expect((body as Report).rows.filter(({ id }) => !own.has(String(id)))).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })
})
