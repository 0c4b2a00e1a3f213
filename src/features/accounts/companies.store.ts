import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql, type SortKey } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import type { BankAccount } from './bank-account.ts'
import { branchView, companyView } from './companies.view.ts'

/** The first one of a list, then by name. */
const keysOf = (alias: string, first: string): readonly [SortKey, ...SortKey[]] => [
  { sql: `case when ${first} then 0 else 1 end`, pg: 'integer' },
  { sql: `${alias}.name`, pg: 'text' },
  { sql: `${alias}.id`, pg: 'uuid' },
]
/** The default company first, then by name. */
export const listAllCompanies = listing({}, {}, ({ policies, where, continues }) =>
  pageSql(
    {
      item: viewSql(companyView, policies),
      from: 'companies c',
      where: ['c.account_id = $account', ...where],
      keys: keysOf('c', 'c.is_default'),
      descending: false,
    },
    continues,
  ),
)
/** The headquarters first, then by name. */
export const listAllBranches = listing(
  { company_id: pg.uuid },
  { company_id: 'b.company_id = $company_id' },
  ({ policies, where, continues }) =>
    pageSql(
      {
        item: viewSql(branchView, policies),
        from: 'branches b',
        where: ['b.account_id = $account', ...where],
        keys: keysOf('b', 'b.is_headquarters'),
        descending: false,
      },
      continues,
    ),
)
export const readCompany = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson },
  (policies) =>
    `select ${viewSql(companyView, policies)}::text as item from companies c where c.account_id = $account and c.id = $id`,
)
export const readBranch = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson },
  (policies) =>
    `select ${viewSql(branchView, policies)}::text as item from branches b where b.account_id = $account and b.id = $id`,
)

type Address = Readonly<Record<string, string | null>>
export type CompanyRow = RowFrom<typeof lockCompanies>
/** All of an account, in the order of their ids, so that two changes cannot wait for each other. */
export const lockCompanies = statement(
  { account: pg.integer },
  {
    id: pg.uuid,
    name: pg.text,
    tax_country: pg.text,
    currency: pg.text,
    company_type: pg.nullable(pg.text),
    tax_number: pg.nullable(pg.text),
    tax_office: pg.nullable(pg.text),
    address: pg.nullable(pg.json<Address>()),
    payment_terms_days: pg.integer,
    backdate_invoices: pg.boolean,
    bank_accounts: pg.json<readonly BankAccount[]>(),
    logo_file_id: pg.nullable(pg.uuid),
    is_default: pg.boolean,
    active: pg.boolean,
    version: pg.integer,
  },
  `
  select id, name, tax_country, currency, company_type, tax_number, tax_office, address, payment_terms_days,
    backdate_invoices, bank_accounts, logo_file_id, is_default, active, version
  from companies where account_id = $account order by id for update`,
)
const COMPANY = {
  account: pg.integer,
  name: pg.text,
  tax_country: pg.text,
  currency: pg.text,
  company_type: pg.nullable(pg.text),
  tax_number: pg.nullable(pg.text),
  tax_office: pg.nullable(pg.text),
  address: pg.nullable(pg.jsonText),
  payment_terms_days: pg.integer,
  backdate_invoices: pg.boolean,
  bank_accounts: pg.jsonText,
  logo_file_id: pg.nullable(pg.uuid),
}
export const insertNewCompany = statement(
  COMPANY,
  { id: pg.uuid },
  `
  insert into companies (account_id, name, tax_country, currency, company_type, tax_number, tax_office, address,
    payment_terms_days, backdate_invoices, bank_accounts, logo_file_id)
  values ($account, $name, $tax_country, $currency, $company_type, $tax_number, $tax_office, $address::jsonb,
    $payment_terms_days, $backdate_invoices, $bank_accounts::jsonb, $logo_file_id::uuid) returning id`,
)
export const writeCompany = statement(
  { ...COMPANY, id: pg.uuid, is_default: pg.boolean, active: pg.boolean },
  {},
  `
  update companies set name = $name, tax_country = $tax_country, currency = $currency, company_type = $company_type,
    tax_number = $tax_number, tax_office = $tax_office, address = $address::jsonb, payment_terms_days = $payment_terms_days,
    backdate_invoices = $backdate_invoices, bank_accounts = $bank_accounts::jsonb, logo_file_id = $logo_file_id::uuid,
    is_default = $is_default, active = $active, version = version + 1
  where account_id = $account and id = $id`,
)
/** Whether records are in the currency of a company, and taxed in its country. */
export const isCompanyUsed = statement(
  { account: pg.integer, id: pg.uuid },
  { used: pg.filled(pg.boolean) },
  `
  select exists (select from bookings where account_id = $account and company_id = $id)
    or exists (select from customer_invoices where account_id = $account and company_id = $id)
    or exists (select from supplier_bills where account_id = $account and company_id = $id)
    or exists (select from operator_invoices where account_id = $account and company_id = $id)
    or exists (select from bsp_billings where account_id = $account and company_id = $id) as used`,
)

export type BranchRow = RowFrom<typeof lockBranches>
/** All of an account, in the order of their ids, so that two changes cannot wait for each other. */
export const lockBranches = statement(
  { account: pg.integer },
  {
    id: pg.uuid,
    company_id: pg.uuid,
    name: pg.text,
    code: pg.nullable(pg.text),
    is_headquarters: pg.boolean,
    active: pg.boolean,
    office_ids: pg.list(pg.text),
    iata_numbers: pg.list(pg.text),
    version: pg.integer,
  },
  `
  select id, company_id, name, code, is_headquarters, active, office_ids, iata_numbers, version
  from branches where account_id = $account order by id for update`,
)
const BRANCH = {
  account: pg.integer,
  name: pg.text,
  code: pg.nullable(pg.text),
  office_ids: pg.list(pg.text),
  iata_numbers: pg.list(pg.text),
}
export const insertNewBranch = statement(
  { ...BRANCH, company_id: pg.uuid },
  { id: pg.uuid },
  `
  insert into branches (account_id, company_id, name, code, office_ids, iata_numbers)
  values ($account, $company_id, $name, $code, $office_ids, $iata_numbers) returning id`,
)
export const writeBranch = statement(
  { ...BRANCH, id: pg.uuid, is_headquarters: pg.boolean, active: pg.boolean },
  {},
  `
  update branches set name = $name, code = $code, office_ids = $office_ids, iata_numbers = $iata_numbers,
    is_headquarters = $is_headquarters, active = $active, version = version + 1
  where account_id = $account and id = $id`,
)
export const countPeopleOf = statement(
  { account: pg.integer, branch: pg.uuid },
  { people: pg.filled(pg.integer) },
  'select count(*)::integer as people from seats where account_id = $account and branch_id = $branch and active',
)
