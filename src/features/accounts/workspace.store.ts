import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

export const ACTIVE_SEATS = 50

export const readWorkspace = statement(
  { account: pg.integer },
  { body: pg.printedJson },
  `
  select json_build_object(
    'account', json_build_object('id', a.account_id, 'name', a.name, 'time_zone', a.time_zone),
    'companies', (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'default', c.is_default, 'tax_country', c.tax_country, 'currency', c.currency)
      order by c.is_default desc, c.name, c.id), '[]') from companies c where c.account_id = a.account_id and c.active),
    'branches', (select coalesce(json_agg(json_build_object('id', b.id, 'name', b.name, 'code', b.code, 'company_id', b.company_id, 'headquarters', b.is_headquarters)
      order by b.is_headquarters desc, b.name, b.id), '[]') from branches b where b.account_id = a.account_id))::text as body
  from accounts a where a.account_id = $account`,
)

export const listActiveSeats = statement(
  { account: pg.integer, q: pg.text },
  { body: pg.printedJson },
  `
  select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'email', s.email) order by fold(coalesce(s.name, '')), s.id), '[]')::text as body from (
    select id, name, email from seats where account_id = $account and active
      and ($q = '' or strpos(fold(coalesce(name, '')), fold($q)) > 0 or strpos(fold(email), fold($q)) > 0)
    order by fold(coalesce(name, '')), id limit ${ACTIVE_SEATS}) s`,
)
