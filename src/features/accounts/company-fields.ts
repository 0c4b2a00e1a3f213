import { required } from '../../catalogue/entity.ts'
import type { Field } from '../../catalogue/kind.ts'
import { boolean, currency, integer, string, taxNumber } from '../../catalogue/kinds.ts'

const MAX_TERMS_DAYS = 365

/** The attributes of a company that a write may have, besides address, bank accounts and logo. */
export const companyFields = {
  name: required(string(200)),
  tax_country: required(string(2)),
  currency: required(currency),
  company_type: string(60),
  tax_number: taxNumber,
  tax_office: string(100),
  payment_terms_days: integer(0, MAX_TERMS_DAYS),
  backdate_invoices: boolean,
} satisfies Readonly<Record<string, Field>>

export const addressParts = {
  line: string(300),
  district: string(100),
  city: string(100),
  state: string(100),
  zip: string(20),
} satisfies Readonly<Record<string, Field>>
