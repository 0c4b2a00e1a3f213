import fc from 'fast-check'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { POLICIES, type Policy, policySet } from '../access/policies.ts'
import { byPolicies } from './by-policies.ts'
import { seatSql, type View, viewSchema, viewSql } from './view.ts'

const policy = fc.constantFrom<Policy>('view_money', 'view_costs', 'view_personal_data')
/** Fields that hold the columns `c0`, `c1` …, each behind policies of its own. */
const fields = fc.array(fc.uniqueArray(policy, { maxLength: 3 }), { minLength: 1, maxLength: 5 })
const has = fc.subarray([...POLICIES])
const viewOf = (needs: readonly Policy[][]): View =>
  Object.fromEntries(
    needs.map((needs, at) => [
      `f${at}`,
      { sql: `t.c${at}`, schema: Type.String(), ...(needs.length > 0 && { needs }) },
    ]),
  )

describe('a view', () => {
  it('reads a column for roles that have all policies which it needs, and has the literal null for all others', () => {
    fc.assert(
      fc.property(fields, has, (needs, names) => {
        const columns = needs.map((needs, at) => (needs.every((one) => names.includes(one)) ? `t.c${at}` : 'null'))
        const listed = columns.map((sql, at) => `${sql} as "f${at}"`).join(', ')
        expect(viewSql(viewOf(needs), policySet(names))).toBe(`(select row_to_json(v) from (select ${listed}) v)`)
      }),
    )
  })
  it('calls a field that depends on policies for the SQL of this role', () => {
    const view: View = { f: { sql: (policies) => `t.c${policies.size}`, schema: Type.String() } }
    expect(viewSql(view, policySet(['view_money', 'view_costs']))).toContain('t.c2 as "f"')
  })
  it('has the same shape for every role: its fields, all of them, and no others', () => {
    const schema = viewSchema(viewOf([[], ['view_money']]), 'Thing')
    expect(schema).toMatchObject({
      title: 'Thing',
      additionalProperties: false,
      required: ['f0', 'f1'],
      properties: { f0: { type: 'string' }, f1: { type: 'string' } },
    })
  })
})

it('a seat is shown by what it is known by, and is of the very account that the record is of', () => {
  expect(seatSql('t.owner_id', 't.account_id')).toMatch(
    /'id', s\.id, .* s\.account_id = t\.account_id and s\.id = t\.owner_id\)$/,
  )
})

describe('the compiled statement of a role', () => {
  it('is made once for a set of policies and a variant, and is never another’s', () => {
    const made: string[] = []
    const compiled = byPolicies({}, {}, (policies, variant) => {
      made.push(`${[...policies].join()} ${variant}`)
      return `select ${policies.size} ${variant}`
    })
    const [one, other] = [policySet(['view_money']), policySet(['view_costs', 'view_trips'])]
    const texts = () => [compiled(one), compiled(other), compiled(one, 'a'), compiled(one, 'b')]
    const [first, again] = [texts(), texts()]
    expect(first.map(({ text }) => text.trim())).toEqual(['select 1', 'select 2', 'select 1 a', 'select 1 b'])
    expect(again.every((statement, at) => statement === first[at])).toBe(true)
    expect(made.length).toBe(4)
    expect(compiled(one)).toBe(compiled(one, ''))
  })
})
