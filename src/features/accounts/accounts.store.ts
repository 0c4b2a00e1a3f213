import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import type { SystemTx } from '../../platform/db/system-tx.ts'

export const BILLING_STATUSES = ['trialing', 'active', 'past_due', 'cancelled'] as const

export const listAccounts = statement(
  {},
  {
    id: pg.integer,
    uuid: pg.uuid,
    name: pg.text,
    plan: pg.text,
    time_zone: pg.text,
    status: pg.text,
    key_life_days: pg.nullable(pg.integer),
  },
  'select account_id as id, uuid, name, plan, time_zone, status, key_life_days from accounts order by account_id',
)
export const listCompanies = statement(
  { account: pg.integer },
  {
    id: pg.uuid,
    name: pg.text,
    company_type: pg.nullable(pg.text),
    default: pg.boolean,
    active: pg.boolean,
    tax_country: pg.text,
    currency: pg.text,
    payment_terms_days: pg.integer,
    backdate_invoices: pg.boolean,
  },
  `
  select id, name, company_type, is_default as "default", active, tax_country, currency, payment_terms_days, backdate_invoices from companies
  where account_id = $account order by is_default desc, name`,
)
export const listBranches = statement(
  { account: pg.integer },
  {
    id: pg.uuid,
    name: pg.text,
    code: pg.nullable(pg.text),
    company_id: pg.uuid,
    headquarters: pg.boolean,
    active: pg.boolean,
    office_ids: pg.list(pg.text),
    iata_numbers: pg.list(pg.text),
  },
  `
  select id, name, code, company_id, is_headquarters as headquarters, active, office_ids, iata_numbers from branches
  where account_id = $account order by is_headquarters desc, name`,
)
export const listSeats = statement(
  { account: pg.integer },
  {
    id: pg.uuid,
    name: pg.nullable(pg.text),
    email: pg.text,
    role: pg.text,
    branch_id: pg.nullable(pg.uuid),
    active: pg.boolean,
    agent_sines: pg.list(pg.text),
    locale: pg.text,
    mails_reminders: pg.boolean,
  },
  'select id, name, email, role, branch_id, active, agent_sines, locale, mails_reminders from seats where account_id = $account order by name',
)
export const listRoles = statement(
  { account: pg.integer },
  { name: pg.text, policies: pg.list(pg.text) },
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

const company = statement(
  {
    account: pg.integer,
    name: pg.text,
    country: pg.text,
    currency: pg.text,
    companyType: pg.nullable(pg.text),
    isDefault: pg.boolean,
  },
  { id: pg.uuid },
  `
  insert into companies (account_id, name, tax_country, currency, company_type, is_default)
  values ($account, $name, $country, $currency, $companyType, $isDefault) returning id`,
)
const branch = statement(
  { account: pg.integer, companyId: pg.uuid, name: pg.text, code: pg.nullable(pg.text), isHeadquarters: pg.boolean },
  { id: pg.uuid },
  `
  insert into branches (account_id, company_id, name, code, is_headquarters)
  values ($account, $companyId, $name, $code, $isHeadquarters) returning id`,
)
export const newSeat = statement(
  { account: pg.integer, name: pg.nullable(pg.text), email: pg.text, role: pg.text, branchId: pg.nullable(pg.uuid) },
  { id: pg.uuid },
  `
  insert into seats (account_id, name, email, role, branch_id, locale)
  select account_id, $name, $email, $role, $branchId::uuid, locale from accounts where account_id = $account returning id`,
)

const idOf = (made: { id: string } | undefined): string => (made as { id: string }).id
export const insertCompany = async (tx: SystemTx, account: number, given: NewCompany, isDefault = false) =>
  idOf(await tx.one(company, { account, ...given, isDefault }))
export const insertBranch = async (tx: SystemTx, account: number, given: NewBranch, isHeadquarters = false) =>
  idOf(await tx.one(branch, { account, ...given, isHeadquarters }))
export const insertSeat = async (tx: SystemTx, account: number, given: NewSeat) =>
  idOf(await tx.one(newSeat, { account, ...given }))
