import { isCurrency } from '../../../catalogue/currencies.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { NewCompany } from '../accounts.store.ts'

/** The first company of an account with its codes in capitals, or why it cannot be. */
export function checkCompany(given: NewCompany): NewCompany {
  const [country, currency] = [given.country.toUpperCase(), given.currency.toUpperCase()]
  if (given.name.trim() === '') throw new UserError('invalid_value', 'A company needs a name.')
  if (!/^[A-Z]{2}$/.test(country))
    throw new UserError(
      'invalid_value',
      `${given.country} is not a country code. Use two letters (ISO 3166) such as TR.`,
    )
  if (!isCurrency(currency))
    throw new UserError('invalid_value', `No currency ${given.currency} exists. Use a code such as EUR (ISO 4217).`)
  return { name: given.name.trim(), country, currency, companyType: given.companyType }
}
