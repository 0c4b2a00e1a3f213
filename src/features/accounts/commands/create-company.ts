import { isCurrency } from '../../../catalogue/currencies.ts'
import { audit } from '../../../platform/audit.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { UserError } from '../../../platform/user-error.ts'
import { insertCompany, type NewCompany } from '../accounts.store.ts'
import { requireAccount } from '../reads/require-account.ts'

/** Creates a further company. */
export async function createCompany(
  tx: SystemTx,
  account: number,
  given: NewCompany,
  operator: Operator,
): Promise<string> {
  await requireAccount(tx, account)
  const company = checkCompany(given)
  const id = await insertCompany(tx, account, company)
  await audit(tx, account, operator, {
    action: 'company.created',
    subjectType: 'company',
    subjectId: id,
    details: company,
  })
  return id
}

/** The company with its codes in capitals, or why it cannot be. */
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
