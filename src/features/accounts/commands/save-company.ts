import { isDeepStrictEqual } from 'node:util'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { Files } from '../../../platform/files/files.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { type RefusedValue, refuseValues } from '../../../platform/invalid-values.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { readAttributes } from '../../../records/attributes.ts'
import { type GivenBankAccount, readBankAccounts } from '../bank-account.ts'
import {
  type CompanyRow,
  insertNewCompany,
  isCompanyUsed,
  lockBranches,
  lockCompanies,
  writeCompany,
} from '../companies.store.ts'
import { addressParts, companyFields } from '../company-fields.ts'
import { type LogoUpload, takeLogo } from './read-logo-upload.ts'

/** Attributes that are not given stay unchanged. */
export type CompanyChange = {
  readonly [name in keyof typeof companyFields]?: unknown
} & {
  readonly address?: unknown
  readonly default?: boolean | undefined
  readonly active?: boolean | undefined
}
/** A new logo with the files of the cell; null for none. */
type NewLogo = { readonly files: Files; readonly upload: LogoUpload | null } | undefined
type Attributes = Omit<CompanyRow, 'id' | 'version'>
type Check = (stored: CompanyRow) => Promise<void>

const EMPTY: Attributes = {
  name: '',
  tax_country: '',
  currency: '',
  company_type: null,
  tax_number: null,
  tax_office: null,
  address: null,
  payment_terms_days: 0,
  backdate_invoices: false,
  bank_accounts: [],
  logo_file_id: null,
  is_default: false,
  active: true,
}
const COUNTRY = /^[A-Z]{2}$/

/** Creates a further company. */
export async function createCompany(tx: AccountTx, given: CompanyChange, logo?: NewLogo): Promise<string> {
  const read = readCompany(given, true)
  const logo_file_id = logo ? await takeLogo(tx, logo.files, logo.upload, null) : null
  const company = { ...EMPTY, ...read, logo_file_id }
  const made = await tx.one(insertNewCompany, rowOf(company))
  const { id } = made as NonNullable<typeof made>
  auditOwn(tx, { action: 'company.created', subjectType: 'company', subjectId: id, before: EMPTY, after: company })
  return id
}

/** Updates the given attributes of a company. `check` looks at the stored one first. */
export async function updateCompany(
  tx: AccountTx,
  id: string,
  given: CompanyChange,
  { check, logo }: { readonly check?: Check; readonly logo?: NewLogo } = {},
): Promise<CompanyRow> {
  const { stored, others } = await lockCompany(tx, id)
  await check?.(stored)
  const changed = { ...stored, ...readCompany(given, false) }
  if (given.active !== undefined) changed.active = given.active
  if (given.default !== undefined) changed.is_default = given.default
  refuseMoves(stored, changed)
  if (stored.active && !changed.active) await refuseWithHeadquarters(tx, stored.id)
  if (stored.currency !== changed.currency || stored.tax_country !== changed.tax_country) await refuseUsed(tx, stored)
  if (logo) changed.logo_file_id = await takeLogo(tx, logo.files, logo.upload, stored.logo_file_id)
  const former = changed.is_default ? others.find(({ is_default }) => is_default) : undefined
  if (former) save(tx, former, { ...former, is_default: false })
  save(tx, stored, changed)
  return changed
}

/** Replaces the bank accounts of a company. */
export async function setBankAccounts(
  tx: AccountTx,
  id: string,
  given: readonly GivenBankAccount[],
  check: Check,
): Promise<void> {
  const { stored } = await lockCompany(tx, id)
  await check(stored)
  const { accounts, reasons } = readBankAccounts(given)
  refuseValues(reasons)
  save(tx, stored, { ...stored, bank_accounts: accounts })
}

async function lockCompany(tx: AccountTx, id: string): Promise<{ stored: CompanyRow; others: CompanyRow[] }> {
  const rows = await tx.all(lockCompanies, {})
  const stored = rows.find((row) => row.id === id.toLowerCase())
  if (!stored) throw new RecordNotFound('company', 'No company with this id exists in this account.')
  return { stored, others: rows.filter((row) => row !== stored) }
}

function save(tx: AccountTx, stored: CompanyRow, changed: CompanyRow): void {
  if (isDeepStrictEqual(stored, changed)) return
  tx.later(writeCompany, { id: stored.id, ...rowOf(changed) })
  const [{ version: _, ...before }, { version: __, ...after }] = [stored, changed]
  auditOwn(tx, { action: 'company.updated', subjectType: 'company', subjectId: stored.id, before, after })
}
const rowOf = ({ address, bank_accounts, ...row }: Attributes) => ({
  ...row,
  address: address && JSON.stringify(address),
  bank_accounts: JSON.stringify(bank_accounts),
})

/** The attributes as they are stored, or every reason why one cannot be. */
function readCompany(given: CompanyChange, creates: boolean): Partial<Attributes> {
  const { address, default: _, active: __, ...plain } = given
  const reasons = new Reasons()
  const reading = { company: { country: '', currency: '' }, timeZone: 'UTC', creates, reasons }
  const values = readAttributes(companyFields, withoutAbsent(plain), reading)
  const country = typeof values.tax_country === 'string' ? values.tax_country.toUpperCase() : undefined
  if (country !== undefined && !COUNTRY.test(country))
    reasons.add(['tax_country', `${country} is not a country code. Use two letters (ISO 3166) such as TR.`])
  const read = isObject(address) ? readAddress(address, reading) : null
  if (address !== undefined && address !== null && !isObject(address)) reasons.add(['address', 'Send an object.'])
  reasons.refuse()
  return {
    ...values,
    ...(country !== undefined && { tax_country: country }),
    ...('payment_terms_days' in values && { payment_terms_days: Number(values.payment_terms_days ?? 0) }),
    ...('backdate_invoices' in values && { backdate_invoices: values.backdate_invoices === true }),
    ...(address !== undefined && { address: read }),
  }
}
/** The reasons name each part as `address.city`. */
function readAddress(
  given: Readonly<Record<string, unknown>>,
  reading: Parameters<typeof readAttributes>[2],
): Attributes['address'] {
  const named = <T>(parts: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(parts).map(([part, value]) => [`address.${part}`, value]))
  const values = readAttributes(named(addressParts), named(given), reading)
  return Object.fromEntries(
    Object.keys(addressParts).map((part) => [part, (values[`address.${part}`] ?? null) as string | null]),
  )
}
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const withoutAbsent = (given: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

/** There is always one default company, and it is active. */
function refuseMoves(stored: CompanyRow, { is_default, active }: CompanyRow): void {
  const other = 'Make another company the default first.'
  const reasons: (RefusedValue | false)[] = [
    stored.is_default && !is_default && ['default', `An account has one default company. ${other}`],
    is_default && !active && ['active', `The default company cannot be inactive. ${other}`],
  ]
  const [reason] = reasons.filter((one) => one !== false)
  if (reason) throw new UserError('not_allowed_now', reason[1])
}

async function refuseWithHeadquarters(tx: AccountTx, company: string): Promise<void> {
  const branches = await tx.all(lockBranches, {})
  const headquarters = branches.find(({ is_headquarters }) => is_headquarters)
  if (headquarters?.company_id === company)
    throw new UserError(
      'not_allowed_now',
      `The headquarters, ${headquarters.name}, is a branch of this company. Make a branch of another company the headquarters first.`,
    )
}

async function refuseUsed(tx: AccountTx, { id, currency, tax_country }: CompanyRow): Promise<void> {
  const found = await tx.one(isCompanyUsed, { id })
  if (found?.used)
    throw new UserError(
      'not_allowed_now',
      `The company has records in ${currency} and ${tax_country}, so its country and currency stay. Create another company.`,
    )
}
