import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import { viewSql } from '../../platform/db/view.ts'
import { customerItem } from './customers.view.ts'
import { restrictedSql } from './reads/restricted.ts'

/** What two customers can have in common, as SQL over one of them; null matches nothing. */
const SIGNS: Readonly<Record<string, string>> = {
  email: 't.email_key',
  phone: 't.phone',
  tax_number: 't.tax_number',
  name_and_birthday: `fold(t.name) || ' ' || t.birthday`,
}
/** A value shared by more customers than this does not identify a person, for example an office's phone. */
const COMMON = 20
const alike = (reason: string, sql: string, hidden: string) => `
  select p.one, p.other, '${reason}' as reason from (
      select a.one, unnest(a.ids) as other from (
        select unnest(g.ids) as one, g.ids from (select array_agg(s.id) as ids from (${signed(sql, hidden)}) s group by s.sign
          having count(*) between 2 and ${COMMON}) g) a) p
  where p.one < p.other`
const signed = (sql: string, hidden: string) =>
  `select t.id, ${sql} as sign from customers t where t.account_id = $account and t.deleted_at is null and ${sql} is not null ${hidden}`

/** Pairs of possible duplicates, with the values in common. Customers that a role may not know are left out. */
export const listDuplicates = listing({}, {}, ({ policies, continues }) => {
  const hidden = policies.has('view_restricted_customers') ? '' : `and not (${restrictedSql('t')})`
  const pairs = Object.entries(SIGNS).map(([reason, sql]) => alike(reason, sql, hidden))
  const customer = (id: string) =>
    `(select ${viewSql(customerItem, policies)} from customers t where t.account_id = $account and t.id = p.${id})`
  return pageSql(
    {
      item: `json_build_object('customers', json_build_array(${customer('one')}, ${customer('other')}), 'reasons', p.reasons)`,
      from: `(select one, other, array_agg(reason order by reason) as reasons from (${pairs.join(' union all ')}) s group by one, other) p`,
      where: ['true'],
      keys: [
        { sql: 'p.one', pg: 'uuid' },
        { sql: 'p.other', pg: 'uuid' },
      ],
      descending: false,
    },
    continues,
  )
})
