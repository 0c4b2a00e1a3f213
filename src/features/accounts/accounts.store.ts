import { statement } from '../../platform/db/statement.ts'

type ByAccount = { account: number }

export const listAccounts = statement<
  object,
  { id: number; uuid: string; name: string; plan: string; time_zone: string; status: string }
>('select account_id as id, uuid, name, plan, time_zone, status from accounts order by account_id')
export const listCompanies = statement<ByAccount, { id: string }>(`
  select id, name, company_type, is_default as "default", active, tax_country, currency, payment_terms_days from companies
  where account_id = $account order by is_default desc, name`)
export const listBranches = statement<ByAccount, { id: string; company_id: string }>(`
  select id, name, code, company_id, is_headquarters as headquarters, active from branches
  where account_id = $account order by is_headquarters desc, name`)
export const listSeats = statement<ByAccount, { id: string; email: string }>(
  'select id, name, email, role, branch_id, active from seats where account_id = $account order by name',
)
export const listRoles = statement<ByAccount, { name: string; policies: string[] }>(
  'select name, policies from roles where account_id = $account order by name',
)
