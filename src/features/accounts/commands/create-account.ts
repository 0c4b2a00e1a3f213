import { isPlan, PLANS } from '../../../platform/access/plans.ts'
import { audit } from '../../../platform/audit.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import type { AccountNumbers } from '../../../platform/regions.ts'
import { isTimeZone } from '../../../platform/time.ts'
import { UserError } from '../../../platform/user-error.ts'
import { insertBranch, insertCompany, insertSeat } from '../accounts.store.ts'
import { checkCompany } from './check-company.ts'
import { checkLocale } from './check-locale.ts'
import { checkEmail } from './create-seat.ts'

export type NewAccount = {
  readonly name: string
  readonly plan: string
  readonly timeZone: string
  readonly currency: string
  readonly country: string
  readonly ownerEmail: string
  readonly ownerName: string | null
  /**
   * Language of messages to recipients whose language is unknown, `tr` or `tr-TR`. Defaults to the country's language.
   */
  readonly locale?: string
}
export type CreatedAccount = {
  readonly account: { readonly id: number; readonly uuid: string }
  readonly company: { readonly id: string }
  readonly branch: { readonly id: string }
  readonly owner: { readonly id: string }
}
const insert = statement(
  { first: pg.integer, last: pg.integer, name: pg.text, plan: pg.text, zone: pg.text, locale: pg.text },
  { account_id: pg.integer, uuid: pg.uuid },
  `
  insert into accounts (account_id, name, plan, time_zone, locale)
  select coalesce(max(account_id), $first::integer - 1) + 1, $name, $plan, $zone, $locale from accounts where account_id between $first::integer and $last::integer
  having coalesce(max(account_id), 0) < $last::integer
  returning account_id, uuid`,
)
/** Locks account numbers until the end of the transaction. */
export const LOCK_NUMBERS = `select pg_advisory_xact_lock(hashtext('account numbers'))`
const lockNumbers = statement({}, { pg_advisory_xact_lock: pg.nothing }, LOCK_NUMBERS)
const setOwner = statement(
  { account: pg.integer, owner: pg.uuid },
  {},
  'update accounts set owner_id = $owner where account_id = $account',
)

/** Makes an account, of the next of these numbers, with its default company, its headquarters and its owner. */
export async function createAccount(
  tx: SystemTx,
  numbers: AccountNumbers,
  given: NewAccount,
  operator: Operator,
): Promise<CreatedAccount> {
  checkPlan(given.plan)
  checkTimeZone(given.timeZone)
  const company = checkCompany({
    name: given.name,
    country: given.country,
    currency: given.currency,
    companyType: null,
  })
  const email = checkEmail(given.ownerEmail)
  if (given.name.trim() === '') throw new UserError('invalid_value', 'An account needs a name.')
  const locale = given.locale ?? languageOfCountry(company.country)
  checkLocale(locale)
  await tx.all(lockNumbers, {})
  const account = await tx.one(insert, {
    ...numbers,
    name: given.name.trim(),
    plan: given.plan,
    zone: given.timeZone,
    locale,
  })
  if (!account)
    throw new UserError(
      'invalid_configuration',
      `All account numbers up to ${numbers.last} are taken. Set ACCOUNT_NUMBERS to another range.`,
    )
  const { account_id: id, uuid } = account
  const companyId = await insertCompany(tx, id, company, true)
  const branchId = await insertBranch(tx, id, { companyId, name: 'Headquarters', code: null }, true)
  const ownerId = await insertSeat(tx, id, { name: given.ownerName, email, role: 'owner', branchId })
  await tx.all(setOwner, { account: id, owner: ownerId })
  await audit(tx, id, operator, {
    action: 'account.created',
    subjectType: 'account',
    subjectId: uuid,
    details: { plan: given.plan },
  })
  return { account: { id, uuid }, company: { id: companyId }, branch: { id: branchId }, owner: { id: ownerId } }
}

/** The most common language of a country, by CLDR's likely subtags; English if it has no two-letter code. */
function languageOfCountry(country: string): string {
  const { language } = new Intl.Locale(`und-${country}`).maximize()
  return language.length === 2 ? language : 'en'
}

export function checkPlan(plan: string): void {
  if (!isPlan(plan))
    throw new UserError('invalid_value', `No plan ${plan} exists. Choose one of ${Object.keys(PLANS).join(', ')}.`)
}

function checkTimeZone(zone: string): void {
  if (!isTimeZone(zone))
    throw new UserError('invalid_value', `No time zone ${zone} exists. Use a name such as Europe/Istanbul.`)
}
