import Type from 'typebox'
import { instantSql, type View } from '../../platform/db/view.ts'
import { Day, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { BankAccounts } from './bank-account.ts'
import { Logo, logoSql } from './logo.ts'

const ADDRESS = ['line', 'district', 'city', 'state', 'zip'] as const
const Address = Type.Object(Object.fromEntries(ADDRESS.map((part) => [part, maybe(Text(300))])))
const addressSql = `case when c.address is not null then json_build_object(${ADDRESS.map((part) => `'${part}', c.address ->> '${part}'`).join(', ')}) end`
const SERIES = `(select coalesce(json_agg(json_build_object('series', d.series, 'year', d.year, 'last', d.last, 'last_on', d.last_on)
  order by d.year desc, d.series), '[]') from document_counters d where d.account_id = c.account_id and d.company_id = c.id)`
const MOST_SERIES = 1_000

/** A company `c`. */
export const companyView: View = {
  id: { sql: 'c.id', schema: Uuid },
  name: { sql: 'c.name', schema: Text(1000) },
  company_type: { sql: 'c.company_type', schema: maybe(Text(1000)) },
  default: { sql: 'c.is_default', schema: Type.Boolean({ description: 'Records without a company belong to it.' }) },
  active: { sql: 'c.active', schema: Type.Boolean() },
  tax_country: { sql: 'c.tax_country', schema: Text(2) },
  currency: { sql: 'c.currency', schema: Text(3) },
  tax_number: { sql: 'c.tax_number', schema: maybe(Text(40)) },
  tax_office: { sql: 'c.tax_office', schema: maybe(Text(100)) },
  address: { sql: addressSql, schema: maybe(Address) },
  payment_terms_days: {
    sql: 'c.payment_terms_days',
    schema: Type.Integer({
      minimum: 0,
      maximum: 365,
      description: 'Days from the date of an invoice until it is due.',
    }),
  },
  backdate_invoices: {
    sql: 'c.backdate_invoices',
    schema: Type.Boolean({ description: 'Whether an invoice can have a date before today.' }),
  },
  bank_accounts: { sql: 'c.bank_accounts', schema: BankAccounts },
  logo: { sql: logoSql('c.account_id', 'c.logo_file_id'), schema: maybe(Logo) },
  series: {
    sql: SERIES,
    schema: Type.Array(
      Type.Object({
        series: Text(10),
        year: Type.Integer({ minimum: 1900, maximum: 9999 }),
        last: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
        last_on: maybe(Day),
      }),
      { maxItems: MOST_SERIES, description: 'The last number of each series of documents, by year.' },
    ),
  },
  created_at: { sql: instantSql('c.created_at'), schema: Instant },
  version: { sql: 'c.version', schema: Type.Integer({ minimum: 1 }) },
}

/** A branch `b`. */
export const branchView: View = {
  id: { sql: 'b.id', schema: Uuid },
  company_id: { sql: 'b.company_id', schema: Uuid },
  name: { sql: 'b.name', schema: Text(1000) },
  code: { sql: 'b.code', schema: maybe(Text(1000)) },
  headquarters: { sql: 'b.is_headquarters', schema: Type.Boolean() },
  active: { sql: 'b.active', schema: Type.Boolean() },
  office_ids: { sql: 'b.office_ids', schema: Type.Array(Text(9), { maxItems: 1000 }) },
  iata_numbers: { sql: 'b.iata_numbers', schema: Type.Array(Text(8), { maxItems: 1000 }) },
  created_at: { sql: instantSql('b.created_at'), schema: Instant },
  version: { sql: 'b.version', schema: Type.Integer({ minimum: 1 }) },
}
