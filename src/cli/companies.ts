import type { Command } from 'commander'
import { listCompanies } from '../features/accounts/accounts.store.ts'
import { createCompany } from '../features/accounts/commands/create-company.ts'
import { type CompanyChange, updateCompany } from '../features/accounts/commands/update-company.ts'
import { setLastNumber } from '../features/documents/commands/set-last-number.ts'
import { ACCOUNT, answering, type OfAccount, operator } from './command.ts'
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
      asOperator(async (tx) => ({
        id: await createCompany(tx, o.account, { ...o, companyType: o.type ?? null }, operator()),
      })),
    ({ id }: { id: string }) => `Made ${id}.`,
  )
  answering(
    company
      .command('update')
      .description('change how customer invoices of a company are dated, due and numbered')
      .argument('<id>', 'id of the company')
      .requiredOption(...ACCOUNT)
      .option('--payment-terms <days>', 'days from an invoice’s date until it is due', Number)
      .option('--backdate-invoices', 'let invoices take a date before today while no later number exists')
      .option('--no-backdate-invoices', 'date every invoice today')
      .option(
        '--last-number <number>',
        'last number of another system, e.g. INV-2026-000123; the next document follows it',
      ),
    ({ account, lastNumber, ...change }: OfAccount & CompanyChange & { lastNumber?: string }, id: string) =>
      asOperator(async (tx) => {
        if (lastNumber === undefined && change.paymentTerms === undefined && change.backdateInvoices === undefined)
          throw new Error('Name what to change. See: npx backdesk company update --help')
        const changed = await updateCompany(tx, account, id, change, operator())
        if (lastNumber === undefined) return changed
        await setLastNumber(tx, account, id, lastNumber, operator())
        return { ...changed, last_number: lastNumber }
      }),
    ({ id }: { id: string }) => `Changed ${id}.`,
  )
  listOfAccount(company, 'companies', listCompanies)
}
