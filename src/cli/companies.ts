import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { listCompanies } from '../features/accounts/accounts.store.ts'
import { createCompany, updateCompany } from '../features/accounts/commands/save-company.ts'
import { setLastNumber } from '../features/documents/commands/set-last-number.ts'
import { UserError } from '../platform/user-error.ts'
import { ACCOUNT, type OfAccount } from './command.ts'
import { listOfAccount } from './list-of-account.ts'
import { atAccount, idOf } from './trips/on-trip.ts'

export function registerCompanies(program: Command): void {
  const company = program.command('company').description('create, update and list companies of an account')
  objectCommand(
    company
      .command('create')
      .description('create a company')
      .requiredOption(...ACCOUNT)
      .requiredOption('--name <name>', 'name')
      .requiredOption('--country <code>', 'country, e.g. DE')
      .requiredOption('--currency <code>', 'currency, e.g. EUR')
      .option('--type <type>', 'kind of company, e.g. agency'),
    (o: OfAccount & { name: string; country: string; currency: string; type?: string }) =>
      atAccount({ account: o.account }, async (tx) => {
        const { name, country: tax_country, currency, type: company_type } = o
        return { id: await createCompany(tx, { name, tax_country, currency, company_type }) }
      }),
    ({ id }: { id: string }) => `Created ${id}.`,
  )
  objectCommand(
    company
      .command('update')
      .description('update the dates, terms and numbers of the customer invoices of a company')
      .argument('<id>', 'id of the company')
      .requiredOption(...ACCOUNT)
      .option('--payment-terms <days>', 'payment terms of invoices in days', Number)
      .option('--backdate-invoices', 'allow invoice dates before today, as long as no later number exists')
      .option('--no-backdate-invoices', 'date all invoices today')
      .option(
        '--last-number <number>',
        'last number used by another system, e.g. INV-2026-000123; the next document continues from it',
      ),
    ({ account, lastNumber, paymentTerms, backdateInvoices }: Change, named: string) =>
      atAccount({ account }, async (tx) => {
        const id = idOf('company', named)
        if (lastNumber === undefined && paymentTerms === undefined && backdateInvoices === undefined)
          throw new UserError(
            'invalid_value',
            'Nothing to update. Use --payment-terms, --backdate-invoices or --last-number.',
          )
        const change = { payment_terms_days: paymentTerms, backdate_invoices: backdateInvoices }
        const { payment_terms_days, backdate_invoices } = await updateCompany(tx, id, change)
        const changed = { id, payment_terms_days, backdate_invoices }
        if (lastNumber === undefined) return changed
        await setLastNumber(tx, id, lastNumber)
        return { ...changed, last_number: lastNumber }
      }),
    ({ id }: { id: string }) => `Updated ${id}.`,
  )
  listOfAccount(company, 'companies', listCompanies)
}

type Change = OfAccount & {
  readonly paymentTerms?: number
  readonly backdateInvoices?: boolean
  readonly lastNumber?: string
}
