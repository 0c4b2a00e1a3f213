import { audit } from '../../../platform/audit.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { requireAccount } from '../reads/require-account.ts'

const MAX_TERMS_DAYS = 365

export type CompanyChange = {
  /** Days from the date of a customer invoice until it is due. Posted invoices keep their due dates. */
  readonly paymentTerms?: number
  /** Whether invoices may take an invoice date before today, as long as no later number exists. */
  readonly backdateInvoices?: boolean
}
export type ChangedCompany = RowFrom<typeof update>

const update = statement(
  { account: pg.integer, id: pg.text, days: pg.nullable(pg.integer), backdate: pg.nullable(pg.boolean) },
  { id: pg.uuid, payment_terms_days: pg.integer, backdate_invoices: pg.boolean },
  `
  update companies set payment_terms_days = coalesce($days::integer, payment_terms_days),
    backdate_invoices = coalesce($backdate::boolean, backdate_invoices)
  where account_id = $account and id::text = lower($id) returning id, payment_terms_days, backdate_invoices`,
)

/** Updates the given attributes of a company. */
export async function updateCompany(
  tx: SystemTx,
  account: number,
  id: string,
  { paymentTerms, backdateInvoices }: CompanyChange,
  operator: Operator,
): Promise<ChangedCompany> {
  if (paymentTerms !== undefined) checkTerms(paymentTerms)
  await requireAccount(tx, account)
  const changed = await tx.one(update, { account, id, days: paymentTerms ?? null, backdate: backdateInvoices ?? null })
  if (!changed) throw new RecordNotFound('company', 'No company with this id exists in this account.')
  const { id: company, ...details } = changed
  await audit(tx, account, operator, {
    action: 'company.updated',
    subjectType: 'company',
    subjectId: company,
    details,
  })
  return changed
}

function checkTerms(days: number): void {
  if (Number.isInteger(days) && days >= 0 && days <= MAX_TERMS_DAYS) return
  throw new UserError('invalid_value', `Payment terms are a whole number of days from 0 to ${MAX_TERMS_DAYS}.`)
}
