import { isCurrency } from '../../../catalogue/currencies.ts'
import type { SystemTx } from '../../../platform/db/database.ts'
import { statement } from '../../../platform/db/statement.ts'
import { InvalidCommand } from './invalid-command.ts'

export type NewCompany = {
  readonly name: string
  readonly country: string
  readonly currency: string
  readonly companyType: string | null
}

const insert = statement<{ account: number; isDefault: boolean } & NewCompany, { id: string }>(`
  insert into companies (account_id, name, tax_country, currency, company_type, is_default)
  values ($account, $name, $country, $currency, $companyType, $isDefault) returning id`)

/** The company with its codes in capitals, or why it cannot be. */
export function checkCompany(given: NewCompany): NewCompany {
  const [country, currency] = [given.country.toUpperCase(), given.currency.toUpperCase()]
  if (given.name.trim() === '') throw new InvalidCommand('A company needs a name.')
  if (!/^[A-Z]{2}$/.test(country))
    throw new InvalidCommand(`Name the country by two letters (ISO 3166), not ${given.country}.`)
  if (!isCurrency(currency))
    throw new InvalidCommand(`There is no currency ${given.currency}. Name one as EUR (ISO 4217).`)
  return { ...given, name: given.name.trim(), country, currency }
}

export async function insertCompany(
  tx: SystemTx,
  account: number,
  company: NewCompany,
  isDefault: boolean,
): Promise<string> {
  const made = await tx.one(insert, { account, isDefault, ...company })
  return (made as { id: string }).id
}
