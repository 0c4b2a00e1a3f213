import { statement } from '../../platform/db/statement.ts'
import type { SystemTx } from '../../platform/db/system-tx.ts'

type ByAccount = { account: number }

export const BILLING_STATUSES = ['trialing', 'active', 'past_due', 'cancelled'] as const

export const listAccounts = statement<
  object,
  {
    id: number
    uuid: string
    name: string
    plan: string
    time_zone: string
    status: string
    key_life_days: number | null
  }
>('select account_id as id, uuid, name, plan, time_zone, status, key_life_days from accounts order by account_id')
export const listCompanies = statement<ByAccount, { id: string }>(`
  select id, name, company_type, is_default as "default", active, tax_country, currency, payment_terms_days, backdate_invoices from companies
  where account_id = $account order by is_default desc, name`)
export const listBranches = statement<ByAccount, { id: string; company_id: string }>(`
  select id, name, code, company_id, is_headquarters as headquarters, active, office_ids, iata_numbers from branches
  where account_id = $account order by is_headquarters desc, name`)
export const listSeats = statement<ByAccount, { id: string; email: string }>(
  'select id, name, email, role, branch_id, active, agent_sines, locale, mails_reminders from seats where account_id = $account order by name',
)
export const listRoles = statement<ByAccount, { name: string; policies: string[] }>(
  'select name, policies from roles where account_id = $account order by name',
)

export type NewCompany = {
  readonly name: string
  readonly country: string
  readonly currency: string
  readonly companyType: string | null
}
export type NewBranch = { readonly companyId: string; readonly name: string; readonly code: string | null }
export type NewSeat = {
  readonly name: string | null
  readonly email: string
  readonly role: string
  readonly branchId: string | null
}

const company = statement<ByAccount & NewCompany & { isDefault: boolean }, { id: string }>(`
  insert into companies (account_id, name, tax_country, currency, company_type, is_default)
  values ($account, $name, $country, $currency, $companyType, $isDefault) returning id`)
const branch = statement<ByAccount & NewBranch & { isHeadquarters: boolean }, { id: string }>(`
  insert into branches (account_id, company_id, name, code, is_headquarters)
  values ($account, $companyId, $name, $code, $isHeadquarters) returning id`)
const seat = statement<ByAccount & NewSeat, { id: string }>(`
  insert into seats (account_id, name, email, role, branch_id, locale)
  select account_id, $name, $email, $role, $branchId::uuid, locale from accounts where account_id = $account returning id`)

const idOf = (made: { id: string } | undefined): string => (made as { id: string }).id
export const insertCompany = async (tx: SystemTx, account: number, given: NewCompany, isDefault = false) =>
  idOf(await tx.one(company, { account, ...given, isDefault }))
export const insertBranch = async (tx: SystemTx, account: number, given: NewBranch, isHeadquarters = false) =>
  idOf(await tx.one(branch, { account, ...given, isHeadquarters }))
export const insertSeat = async (tx: SystemTx, account: number, given: NewSeat) =>
  idOf(await tx.one(seat, { account, ...given }))
