import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from '../../catalogue/amounts.ts'
import { defineEntity, type Entity, pii } from '../../catalogue/entity.ts'
import type { Field } from '../../catalogue/kind.ts'
import { currency, date, email, reference, string } from '../../catalogue/kinds.ts'
import { list } from '../../catalogue/lists.ts'
import { type Policy, policySet } from '../../platform/access/policies.ts'
import { instantSql } from '../../platform/db/view.ts'
import { ownFields, recordSql, tombstoneSql } from './record-sql.ts'

const to = {
  table: 'people',
  by: [{ name: 'email', column: 'email_key' }],
  column: 'person_id',
  onMissing: 'skip',
} as const
const elsewhere = { print: 'null', show: 'e.all', showWithoutCosts: 'e.some' }
/** Fields behind each policy, and with each way to be shown. */
const FIELDS = {
  currency,
  status: string(10),
  notes: string(100),
  phone: pii(string(20)),
  price: { ...money(), sees: 'money' },
  cost: { ...money(), sees: 'costs' },
  guide_fee: { ...pii(money()), sees: 'costs' },
  fee: { ...money('fee_currency'), sees: 'money' },
  fee_currency: currency,
  person_external_id: reference({ to: 'people', ...to }),
  person_email: { ...email, reference: { to: 'people', ...to } },
  balance: { ...money(), sees: 'money', elsewhere },
  rows: list({
    day: date,
    name: pii(string(50)),
    price: { ...money(), sees: 'money' },
    fee: { ...money('fee_currency'), sees: 'money' },
    parts: list({ cost: { ...money(), sees: 'costs' } }),
  }),
  days: list({ day: date }),
} satisfies Record<string, Field>
const NAMED = { table: 'people', id: 't.person_id', pii: true, restricted: 'l.hidden' } as const
const sums = (prefix: string) => ({
  sell: `t.${prefix}_sell`,
  cost: `t.${prefix}_cost`,
  margin: `t.${prefix}_margin`,
  vat: `t.${prefix}_vat`,
})
const THING = defineEntity({
  key: 'things',
  label: 'Things',
  model: 'Thing',
  scope: 'company',
  dependencyOrder: 1,
  mode: 'upsert',
  table: 'things',
  status: 't.state',
  statuses: ['open'],
  restricted: 't.hidden',
  fields: FIELDS,
  summary: {
    customer: NAMED,
    supplier: { table: 'firms', id: 't.firm_id' },
    totals: sums('own'),
    companyTotals: { ...sums('company'), currency: 't.company_currency' },
    invoiced: 't.invoiced',
    cancelledAt: 't.cancelled_at',
  },
  sample: { rows: [] },
})
/** One that belongs to the whole account, and has nothing but an external id. */
const { summary: _, restricted: __, ...bare } = THING
const BARE: Entity = { ...bare, scope: 'account', fields: { notes: FIELDS.notes, phone: FIELDS.phone } }

/** The SQL of each column of a record, by its name. */
function columnsFor(names: readonly Policy[], entity: Entity = THING): Readonly<Record<string, string>> {
  const [, columns = ''] =
    /^\(select row_to_json\(r\) from \(select (.*)\) r\)$/s.exec(recordSql(entity, policySet(names))) ?? []
  return Object.fromEntries(
    [...columns.matchAll(/(.+?) as "(\w+)"(?:, |$)/gs)].map(([, sql, name]) => [name, sql?.trim()]),
  )
}
const shown = (sql: string, of = 't.currency') => `money_text(${sql}, ${of})`
const linked = (table: string, id: string, name: string) =>
  `(select json_build_object('id', l.id, 'external_id', l.external_id, 'name', ${name})
      from ${table} l where l.account_id = t.account_id and l.id = ${id} and l.deleted_at is null)`

const ALL = ['view_money', 'view_costs', 'view_personal_data', 'view_restricted_customers'] as const
const some = fc.subarray<Policy>([...ALL])
/**
 * The kind of these columns, and the policies needed to see them; a `person`'s is hidden with a restricted customer.
 */
const FLAT: Readonly<Record<string, readonly [sql: string, needs: readonly Policy[], person?: 'person']>> = {
  notes: ['t.notes', []],
  phone: ['t.phone', ['view_personal_data'], 'person'],
  price: [shown('t.price'), ['view_money']],
  cost: [shown('t.cost'), ['view_money', 'view_costs']],
  guide_fee: [shown('t.guide_fee'), ['view_money', 'view_costs', 'view_personal_data'], 'person'],
  fee: [shown('t.fee'), ['view_money']],
  fee_currency: ['t.fee_currency', []],
  person_email: ['(select l.email from people l where l.account_id = t.account_id and l.id = t.person_id)', []],
  days: ['t.days', []],
}

describe('a record', () => {
  it('has a column where the role has all that it needs, the literal null where not, and hides persons by their tags', () => {
    fc.assert(
      fc.property(some, (names) => {
        const columns = columnsFor(names)
        for (const [name, [sql, needs, person]] of Object.entries(FLAT)) {
          const hides = person && !names.includes('view_restricted_customers')
          const seen = hides ? `case when not (t.hidden) then ${sql} end` : sql
          expect([name, columns[name]]).toEqual([name, needs.every((one) => names.includes(one)) ? seen : 'null'])
        }
      }),
    )
  })
  it('shows a role without costs the remaining parts of a field', () => {
    expect([columnsFor([]), columnsFor(['view_money']), columnsFor(ALL)].map(({ balance }) => balance)).toEqual([
      'null',
      'e.some',
      'e.all',
    ])
  })
  it('adds money up for those who see it, each sum in its own currency', () => {
    const total = (prefix: string, of: string, ...hidden: string[]) =>
      ['sell', 'cost', 'margin', 'vat']
        .map((name) => `'${name}', ${hidden.includes(name) ? 'null' : shown(`t.${prefix}_${name}`, of)}`)
        .join(', ')
    const totals = (names: readonly Policy[], ...hidden: string[]) => {
      const columns = columnsFor(names)
      expect(columns.totals).toBe(`json_build_object(${total('own', 't.currency', ...hidden)})`)
      expect(columns.company_totals).toBe(
        `json_build_object('currency', t.company_currency, ${total('company', 't.company_currency', ...hidden)})`,
      )
    }
    totals(ALL)
    totals(['view_money'], 'cost', 'margin')
    totals(['view_costs'], 'sell', 'cost', 'margin', 'vat')
  })
  it('hides the names of linked people by the rules for people, and shows those of companies', () => {
    const customer = (...names: Policy[]) => columnsFor(names).customer
    expect(customer()).toBe(linked('people', 't.person_id', 'null'))
    expect(customer('view_personal_data')).toBe(
      linked('people', 't.person_id', 'case when not (l.hidden) then l.name end'),
    )
    expect(customer(...ALL)).toBe(linked('people', 't.person_id', 'l.name'))
    expect(columnsFor([]).supplier).toBe(linked('firms', 't.firm_id', 'l.name'))
  })
  it('shows every role its keys, its company and its times', () => {
    const { entity, external_id, source_system, id, status, company_id, branch_id, version, invoiced } = columnsFor([])
    expect([entity, status, invoiced, columnsFor([]).currency]).toEqual([
      `'things'`,
      't.state',
      't.invoiced',
      't.currency',
    ])
    expect([external_id, source_system, id, company_id, branch_id, version]).toEqual([
      't.external_id',
      't.source_system',
      't.id',
      't.company_id',
      't.branch_id',
      't.version',
    ])
    const { created_at, updated_at, cancelled_at } = columnsFor([])
    expect([created_at, updated_at, cancelled_at]).toEqual(
      ['created_at', 'updated_at', 'cancelled_at'].map((name) => instantSql(`t.${name}`)),
    )
  })
  it('has null for what its entity has not', () => {
    const columns = columnsFor(ALL, BARE)
    const lacking = [
      'company_id',
      'branch_id',
      'customer',
      'supplier',
      'currency',
      'totals',
      'company_totals',
      'invoiced',
      'cancelled_at',
    ]
    expect(lacking.map((name) => columns[name])).toEqual(lacking.map(() => 'null'))
    expect(columnsFor(['view_personal_data'], BARE).phone).toBe('t.phone') // no tag is restricted there
  })
  it('has the fields of its entity under their names, but those that all records share and external ids of others', () => {
    const shared = ['currency', 'status', 'person_external_id']
    const names = Object.keys(FIELDS).filter((name) => !shared.includes(name))
    expect(ownFields(THING).map(([name]) => name)).toEqual(names)
    expect(Object.keys(columnsFor(ALL))).toEqual(expect.arrayContaining(names))
  })
  it('leaves a tombstone with nothing but its keys', () => {
    expect(tombstoneSql(THING)).toBe(
      `json_build_object('entity', 'things', 'external_id', t.external_id, 'id', t.id, 'status', 'deleted', 'version', t.version)`,
    )
  })
})

describe('the items of a list', () => {
  const flat = (sql = '') => sql.replaceAll(/\s+/g, ' ')
  const items = (changes: string, depth = 0, from = 't.rows') =>
    `(select jsonb_agg(e${depth} || jsonb_build_object(${changes}) order by n${depth}) ` +
    `from jsonb_array_elements(${from}) with ordinality as x${depth}(e${depth}, n${depth}))`
  const own = shown(`(e0 ->> 'fee')::numeric`, `coalesce(e0 ->> 'fee_currency', t.currency)`)
  const prices = `'price', ${shown(`(e0 ->> 'price')::numeric`)}, 'fee', ${own}`
  const parts = (cost: string) => `'parts', ${items(`'cost', ${cost}`, 1, `nullif(e0 -> 'parts', 'null')`)}`
  const cost = shown(`(e1 ->> 'cost')::numeric`)

  it('show amounts in the digits of the currency that each is in, however deep they lie', () => {
    expect(flat(columnsFor(ALL).rows)).toBe(items(`${prices}, ${parts(cost)}`))
  })
  it('have nothing that the role may not see, however deep it lies', () => {
    expect(flat(columnsFor(['view_money', 'view_personal_data']).rows)).toBe(items(`${prices}, ${parts('null')}`))
    expect(flat(columnsFor(['view_costs']).rows)).toBe(
      items(`'name', null, 'price', null, 'fee', null, ${parts('null')}`),
    )
  })
})
