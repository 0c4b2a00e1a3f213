import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { POLICIES, type Policy, policySet } from '../../../platform/access/policies.ts'
import { contentMaskedSql, contentSql, restrictedMessageSql } from '../../communications/reads/message-masks.ts'
import { restrictedLeadSql } from '../../leads/reads/restricted-lead.ts'
import { namesRestrictedSql, personal, personalSql, restrictedSql } from './restricted.ts'

const roleWith = (...names: Policy[]) => policySet(names)
const ALL = policySet(POLICIES)

describe('who a person is', () => {
  const shown = (...names: Policy[]) => personalSql('t.hidden', 't.name', roleWith(...names))

  it('is read for a role that knows all, asked of each row for one that must not know some, and else not read at all', () => {
    expect(personalSql('t.hidden', 't.name', ALL)).toBe('t.name')
    expect(shown('view_personal_data', 'view_restricted_customers')).toBe('t.name')
    expect(shown('view_personal_data')).toBe('case when not (t.hidden) then t.name else null end')
    for (const names of [[], ['view_restricted_customers'], ['view_costs']] as Policy[][])
      expect(shown(...names)).toBe('null')
  })
  it('is masked by other words where a field has them', () => {
    const field = personal('t.hidden', 't.name', Type.String(), `'***'`)
    const sql = (...names: Policy[]) => (typeof field.sql === 'string' ? field.sql : field.sql(roleWith(...names)))
    expect([sql(), sql('view_personal_data')]).toEqual([`'***'`, `case when not (t.hidden) then t.name else '***' end`])
    expect(sql('view_personal_data', 'view_restricted_customers')).toBe('t.name')
    expect(field.schema).toEqual(Type.String())
  })
})

describe('the content of a message', () => {
  const hidden = restrictedMessageSql('m')

  it('needs its own policy, and is hidden with a restricted customer', () => {
    const content = (...names: Policy[]) => contentSql('m', 'm.body', roleWith(...names), `''`)
    expect(content()).toBe(`''`)
    expect(content('view_restricted_customers', 'view_personal_data')).toBe(`''`)
    expect(content('view_message_content')).toBe(`case when not (${hidden}) then m.body else '' end`)
    expect(content('view_message_content', 'view_restricted_customers')).toBe('m.body')
    expect(contentSql('m', 'm.body', roleWith())).toBe('null')
  })
  it('is marked as hidden exactly if it is hidden', () => {
    const masked = (...names: Policy[]) => contentMaskedSql('m', roleWith(...names))
    expect([masked(), masked('view_restricted_customers')]).toEqual(['true', 'true'])
    expect(masked('view_message_content')).toBe(hidden)
    expect(masked('view_message_content', 'view_restricted_customers')).toBe('false')
  })
})

describe('the condition by which a tag hides', () => {
  it('looks at the tags of the very customer that a record names, in its own account', () => {
    expect(restrictedSql('c')).toMatch(/^c\.tags && .*restricted_tags r where r\.account_id = c\.account_id/)
    expect(namesRestrictedSql('t', 't.customer_id')).toMatch(
      /c\.account_id = t\.account_id and c\.id = t\.customer_id and \(c\.tags && /,
    )
  })
  it('is that of the customer that the lead is, or else is stated to be', () => {
    expect(restrictedLeadSql('l')).toMatch(/c\.account_id = l\.account_id .*l\.customer_id.*l\.imported_customer_id/)
  })
  it('is that of a message’s customer, else of those who buy its trip', () => {
    const sql = restrictedMessageSql('m').replaceAll(/\s+/g, ' ').trim()
    expect(sql).toBe(
      `case when m.customer_id is not null then ${namesRestrictedSql('m', 'm.customer_id')} ` +
        'when m.trip_id is not null then exists (select from trip_customers b ' +
        'join customers c on c.account_id = b.account_id and c.id = b.customer_id ' +
        `where b.account_id = m.account_id and b.trip_id = m.trip_id and (${restrictedSql('c')})) else false end`,
    )
  })
})
