import type { Command } from 'commander'
import { listAccounts, listBranches, listCompanies, listRoles, listSeats } from '../features/accounts/accounts.store.ts'
import { createAccount } from '../features/accounts/commands/create-account.ts'
import { insertBranch } from '../features/accounts/commands/create-branch.ts'
import { checkCompany, insertCompany } from '../features/accounts/commands/create-company.ts'
import { checkEmail, insertSeat } from '../features/accounts/commands/create-seat.ts'
import { requireAccount, requireRole } from '../features/accounts/commands/find-account.ts'
import { saveRole } from '../features/accounts/commands/save-role.ts'
import { BILLING_STATUSES, updateAccount } from '../features/accounts/commands/update-account.ts'
import { updateCompany } from '../features/accounts/commands/update-company.ts'
import { restrictTag } from '../features/customers/commands/restrict-tag.ts'
import { PLANS } from '../platform/access/plans.ts'
import { BUILT_IN_ROLES, POLICIES } from '../platform/access/policies.ts'
import type { SystemTx } from '../platform/db/database.ts'
import type { Statement } from '../platform/db/statement.ts'
import { accountNumber, answering, operator, several, table, withCell } from './command.ts'

const ACCOUNT = ['--account <number>', 'account number', accountNumber] as const
type OfAccount = { account: number }
const asOperator = <T>(fn: (tx: SystemTx) => Promise<T>): Promise<T> =>
  withCell(({ deps }) => deps.db.asSystem('an operator at the command line', fn))
const madeOf = ({ id }: { id: string }) => `Made ${id}.`

export function registerAccounts(program: Command): void {
  const account = program.command('account').description('make and change accounts (agencies)')
  answering(
    account
      .command('create')
      .description('make an account with its company, headquarters and owner')
      .requiredOption('--name <name>', 'name of the agency')
      .requiredOption('--plan <plan>', Object.keys(PLANS).join(', '))
      .requiredOption('--time-zone <zone>', 'IANA time zone, e.g. Europe/Istanbul')
      .requiredOption('--currency <code>', 'currency of the company, e.g. TRY')
      .requiredOption('--country <code>', 'country of the company, e.g. TR')
      .requiredOption('--owner-email <email>', 'e-mail of the owner')
      .option('--owner-name <name>', 'name of the owner'),
    (o: {
      name: string
      plan: string
      timeZone: string
      currency: string
      country: string
      ownerEmail: string
      ownerName?: string
    }) =>
      withCell(({ deps }) =>
        deps.db.asSystem('an operator at the command line', (tx) =>
          createAccount(tx, deps.config.region, { ...o, ownerName: o.ownerName ?? null }, operator()),
        ),
      ),
    ({ account: { id } }: { account: { id: number } }) =>
      `Made account ${id}. Next: backdesk key create --account ${id} --name "My integration" --scopes full`,
  )
  answering(
    account
      .command('update')
      .description('change the plan, time zone, billing state or owner of an account')
      .requiredOption(...ACCOUNT)
      .option('--plan <plan>', Object.keys(PLANS).join(', '))
      .option('--time-zone <zone>', 'IANA time zone')
      .option('--billing-status <status>', BILLING_STATUSES.join(', '))
      .option('--owner-email <email>', 'e-mail of the seat that owns the account'),
    ({
      account,
      ...change
    }: OfAccount & {
      plan?: string
      timeZone?: string
      billingStatus?: string
      ownerEmail?: string
      json?: boolean
    }) => {
      const { json: _, ...changes } = change
      return asOperator(async (tx) => {
        await updateAccount(tx, account, changes, operator())
        return { account: { id: account } }
      })
    },
    ({ account: { id } }: { account: { id: number } }) => `Changed account ${id}.`,
  )
  answering(
    account.command('list').description('list the accounts of the cell'),
    () => asOperator(async (tx) => ({ accounts: await tx.all(listAccounts, {}) })),
    ({ accounts }: { accounts: object[] }) => table(accounts),
  )
  registerCompanies(program)
  registerSeats(program)
  registerRoles(program)
  registerTags(program)
}

function listing(command: Command, name: string, statement: Statement<OfAccount, object>): void {
  answering(
    command
      .command('list')
      .description(`list the ${name} of an account`)
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount) =>
      asOperator(async (tx) => {
        await requireAccount(tx, account)
        return { [name]: await tx.all(statement, { account }) }
      }),
    (answer: Record<string, object[]>) => table(answer[name] ?? []),
  )
}

function registerCompanies(program: Command): void {
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
      asOperator(async (tx) => {
        await requireAccount(tx, o.account)
        return { id: await insertCompany(tx, o.account, checkCompany({ ...o, companyType: o.type ?? null }), false) }
      }),
    madeOf,
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
  listing(company, 'companies', listCompanies)

  const branch = program.command('branch').description('make and list branches of an account')
  answering(
    branch
      .command('create')
      .description('make a branch of a company')
      .requiredOption(...ACCOUNT)
      .requiredOption('--company <id>', 'id of the company')
      .requiredOption('--name <name>', 'name')
      .option('--code <code>', 'short code'),
    (o: OfAccount & { company: string; name: string; code?: string }) =>
      asOperator(async (tx) => {
        await requireAccount(tx, o.account)
        const companies = await tx.all(listCompanies, { account: o.account })
        if (!companies.some(({ id }) => id === o.company))
          throw new Error('The account has no such company. See: backdesk company list')
        return {
          id: await insertBranch(tx, o.account, { companyId: o.company, name: o.name, code: o.code ?? null }, false),
        }
      }),
    madeOf,
  )
  listing(branch, 'branches', listBranches)
}

function registerSeats(program: Command): void {
  const seat = program.command('seat').description('make and list seats (users) of an account')
  answering(
    seat
      .command('create')
      .description('make a seat')
      .requiredOption(...ACCOUNT)
      .requiredOption('--email <email>', 'e-mail')
      .requiredOption('--role <role>', `${Object.keys(BUILT_IN_ROLES).join(', ')}, or a role of the account`)
      .option('--name <name>', 'name')
      .option('--branch <id>', 'id of the home branch'),
    (o: OfAccount & { email: string; role: string; name?: string; branch?: string }) =>
      asOperator(async (tx) => {
        await requireAccount(tx, o.account)
        await requireRole(tx, o.account, o.role)
        const [branches, seats] = [
          await tx.all(listBranches, { account: o.account }),
          await tx.all(listSeats, { account: o.account }),
        ]
        if (o.branch && !branches.some(({ id }) => id === o.branch))
          throw new Error('The account has no such branch. See: backdesk branch list')
        const email = checkEmail(o.email)
        const taken = seats.some((known) => (known as { email?: string }).email?.toLowerCase() === email.toLowerCase())
        if (taken) throw new Error(`The account has a seat ${email} already.`)
        return {
          id: await insertSeat(tx, o.account, {
            name: o.name ?? null,
            email,
            role: o.role,
            branchId: o.branch ?? null,
          }),
        }
      }),
    madeOf,
  )
  listing(seat, 'seats', listSeats)
}

function registerTags(program: Command): void {
  const tag = program.command('tag').description('restrict the tags whose customers only some may know')
  for (const [name, restricted] of [
    ['restrict', true],
    ['release', false],
  ] as const)
    answering(
      tag
        .command(name)
        .description(
          restricted
            ? 'hide who the customers with a tag are from roles without view_restricted_customers'
            : 'let everybody know again who the customers with a tag are',
        )
        .argument('<name>', 'the tag, as customers carry it')
        .requiredOption(...ACCOUNT),
      ({ account }: OfAccount, named = '') =>
        asOperator(async (tx) => {
          await requireAccount(tx, account)
          return { tag: named, restricted, changed: await restrictTag(tx, account, named, restricted, operator()) }
        }),
      (answer: { tag: string; changed: boolean }) =>
        `${answer.tag} is ${answer.changed ? 'now' : 'already'} ${restricted ? 'restricted' : 'open'}.`,
    )
}

function registerRoles(program: Command): void {
  const role = program.command('role').description('make, change and list roles of an account')
  answering(
    role
      .command('create')
      .description('make a role, or give it other policies')
      .requiredOption(...ACCOUNT)
      .requiredOption('--name <name>', 'name, e.g. night_desk')
      .requiredOption('--policies <names>', POLICIES.join(', '), several),
    (o: OfAccount & { name: string; policies: string[] }) =>
      asOperator(async (tx) => {
        await saveRole(tx, o.account, o.name, o.policies, operator())
        return { name: o.name, policies: o.policies }
      }),
    ({ name }: { name: string }) => `Saved role ${name}.`,
  )
  answering(
    role
      .command('list')
      .description('list the built-in roles and those of an account')
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount) =>
      asOperator(async (tx) => {
        await requireAccount(tx, account)
        const builtIn = Object.entries(BUILT_IN_ROLES).map(([name, policies]) => ({
          name,
          built_in: true,
          policies: [...policies],
        }))
        const own = (await tx.all(listRoles, { account })).map(({ name, policies }) => ({
          name,
          built_in: false,
          policies,
        }))
        return { roles: [...builtIn, ...own] }
      }),
    ({ roles }: { roles: object[] }) => table(roles),
  )
}
