import { validateBIC, validateIBAN } from 'ibantools'
import Type from 'typebox'
import { isCurrency } from '../../catalogue/currencies.ts'
import type { RefusedValue } from '../../platform/invalid-values.ts'

/** A bank account as documents print it. */
export type BankAccount = {
  readonly bank_name: string | null
  readonly currency: string
  /** Without spaces. Null where the bank has none; then there is an account number. */
  readonly iban: string | null
  readonly account_number: string | null
  readonly bic: string | null
}
export type GivenBankAccount = { readonly currency: string } & {
  readonly [K in Exclude<keyof BankAccount, 'currency'>]?: string | null
}
const MOST_BANK_ACCOUNTS = 20
const LONGEST_IBAN = 34
const ACCOUNT_NUMBER = /^[0-9A-Za-z][0-9A-Za-z ./-]{2,33}$/
/** People write spaces into IBANs. */
const WRITTEN = 60

const optional = (description: string, maxLength = WRITTEN) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { description }))
export const GivenBankAccounts = Type.Array(
  Type.Object({
    bank_name: optional('Name of the bank.', 100),
    currency: Type.String({ maxLength: 3, description: 'ISO 4217.' }),
    iban: optional('ISO 13616; spaces are removed.'),
    account_number: optional('Where the bank has no IBANs.'),
    bic: optional('ISO 9362.'),
  }),
  { maxItems: MOST_BANK_ACCOUNTS, description: 'In the order that documents print them.' },
)
const text = (maxLength: number) => Type.Union([Type.String({ maxLength }), Type.Null()])
export const BankAccounts = Type.Array(
  Type.Object({
    bank_name: text(100),
    currency: Type.String({ maxLength: 3 }),
    iban: text(LONGEST_IBAN),
    account_number: text(LONGEST_IBAN),
    bic: text(11),
  }),
  { maxItems: MOST_BANK_ACCOUNTS },
)

/** The bank accounts as they are stored, and every reason why one is refused. */
export function readBankAccounts(given: readonly GivenBankAccount[]): {
  accounts: BankAccount[]
  reasons: RefusedValue[]
} {
  const accounts = given.map(normalized)
  const seen = new Set<string>()
  const reasons = accounts.flatMap((account, at) => {
    const number = `${account.iban ?? account.account_number} ${account.currency}`
    const twice = seen.has(number)
    seen.add(number)
    const own = reasonsOf(account)
    if (twice) own.push([account.iban === null ? 'account_number' : 'iban', 'This account is listed twice.'])
    return own.map(([name, reason]): RefusedValue => [`bank_accounts[${at}].${name}`, reason])
  })
  return { accounts, reasons }
}

const filled = (value: string | null | undefined): string | null => value?.trim() || null
const bare = (value: string | null | undefined): string | null => filled(value?.replace(/\s/g, '').toUpperCase())

const normalized = ({ bank_name, currency, iban, account_number, bic }: GivenBankAccount): BankAccount => ({
  bank_name: filled(bank_name),
  currency: currency.toUpperCase(),
  iban: bare(iban),
  account_number: filled(account_number),
  bic: bare(bic),
})

function reasonsOf({ bank_name, currency, iban, account_number, bic }: BankAccount): RefusedValue[] {
  const reasons: RefusedValue[] = []
  if (bank_name !== null && /\p{Cc}/u.test(bank_name)) reasons.push(['bank_name', 'Send a text of one line.'])
  if (!isCurrency(currency)) reasons.push(['currency', 'Send an ISO 4217 code such as EUR.'])
  if ((iban === null) === (account_number === null))
    reasons.push(['iban', 'Send either an IBAN or an account number, not both.'])
  else if (iban !== null && !validateIBAN(iban).valid)
    reasons.push([
      'iban',
      'This is not a valid IBAN: its country, length or check digits are wrong. Compare it with the bank’s letter.',
    ])
  else if (account_number !== null && !ACCOUNT_NUMBER.test(account_number))
    reasons.push(['account_number', 'Send 3 to 34 letters, digits, spaces, points, slashes or hyphens.'])
  if (bic !== null && !validateBIC(bic).valid)
    reasons.push(['bic', 'This is not a BIC. A BIC has 8 or 11 letters and digits, such as DEUTDEFF.'])
  return reasons
}
