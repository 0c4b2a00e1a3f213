import type { Command } from 'commander'
import { listCompanies } from '../features/accounts/accounts.store.ts'
import { createCompany } from '../features/accounts/commands/create-company.ts'
import { updateCompany } from '../features/accounts/commands/update-company.ts'
import { ACCOUNT, answering, type OfAccount } from './command.ts'
import { listOfAccount } from './list-of-account.ts'
import { asOperator } from './with-cell.ts'

export function registerCompanies(program: Command): void {
  const company = program.command('company').description('make, change and list companies of an account')
  answering(
    company
      .command('create')
      .description('make a company')
      .requiredOption(...ACCOUNT)
      .requiredOption('--name <name>', 'name')
      .requiredOption('--country <code>', 'country, e.g. DE')
      .requiredOption('--currency <code>', 'currency, e.g. EUR')
      .option('--type <type>', 'kind of company, e.g. agency'),
    (o: OfAccount & { name: string; country: string; currency: string; type?: string }) =>
      asOperator(async (tx) => ({ id: await createCompany(tx, o.account, { ...o, companyType: o.type ?? null }) })),
    ({ id }: { id: string }) => `Made ${id}.`,
  )
  answering(
    company
      .command('update')
      .description('change the payment terms of a company')
      .argument('<id>', 'id of the company')
      .requiredOption(...ACCOUNT)
      .requiredOption('--payment-terms <days>', 'days from an invoice’s date until it is due', Number),
    (o: OfAccount & { paymentTerms: number }, id: string) =>
      asOperator(async (tx) => {
        await updateCompany(tx, o.account, id, o.paymentTerms)
        return { id, payment_terms_days: o.paymentTerms }
      }),
    ({ id }: { id: string }) => `Changed ${id}.`,
  )
  listOfAccount(company, 'companies', listCompanies)
}
