import { build, statement } from '../../platform/db/statement.ts'

type ByAccount = { account: number }
export const listAccounts = statement<
  object,
  { id: number; uuid: string; name: string; plan: string; time_zone: string; status: string }
>(() =>
  build
    .selectFrom('accounts')
    .select(['account_id as id', 'uuid', 'name', 'plan', 'time_zone', 'status'])
    .orderBy('account_id'),
)
export const listCompanies = statement<ByAccount, { id: string }>(({ account }) =>
  build
    .selectFrom('companies')
    .select(['id', 'name', 'company_type', 'is_default as default', 'active', 'tax_country', 'currency'])
    .where('account_id', '=', account)
    .orderBy('is_default', 'desc')
    .orderBy('name'),
)
export const listBranches = statement<ByAccount, { id: string; company_id: string }>(({ account }) =>
  build
    .selectFrom('branches')
    .select(['id', 'name', 'code', 'company_id', 'is_headquarters as headquarters', 'active'])
    .where('account_id', '=', account)
    .orderBy('is_headquarters', 'desc')
    .orderBy('name'),
)
export const listSeats = statement<ByAccount, { id: string }>(({ account }) =>
  build
    .selectFrom('seats')
    .select(['id', 'name', 'email', 'role', 'branch_id', 'active'])
    .where('account_id', '=', account)
    .orderBy('name'),
)
export const listRoles = statement<ByAccount, { name: string; policies: string[] }>(({ account }) =>
  build.selectFrom('roles').select(['name', 'policies']).where('account_id', '=', account).orderBy('name'),
)
