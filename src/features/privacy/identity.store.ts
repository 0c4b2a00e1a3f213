import { byPolicies } from '../../platform/db/by-policies.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { personalSql, restrictedSql } from '../customers/reads/restricted.ts'

type Identity = {
  id: string
  first_name: string | null
  last_name: string | null
  national_id: string | null
  passport_number: string | null
}

export const TRAVELERS_SHOWN = 1_000
export const readIdentity = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { travelers: pg.json<Identity[]>() },
  (policies) => {
    const shown = (name: string) => `'${name}', ${personalSql(restrictedSql('c'), `t.${name}`, policies)}`
    return `
    select coalesce((select json_agg(json_build_object('id', t.id, ${['first_name', 'last_name', 'national_id', 'passport_number'].map(shown).join(', ')}))
      from (select * from travelers t where t.account_id = c.account_id and t.customer_id = c.id order by t.created_at, t.id limit ${TRAVELERS_SHOWN}) t), '[]') as travelers
    from customers c where c.account_id = $account and c.id = $id and c.deleted_at is null`
  },
)
