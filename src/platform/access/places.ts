import { ApiError, type Details } from '../http/errors.ts'
import type { Actor, Company } from './actor.ts'

/** The company to which an import's rows belong that name none: the account's default one. */
export const defaultCompany = ({ companies }: Actor): Company => known(companies.find(({ isDefault }) => isDefault))

/** The company to which a record belongs that names none: that of the key owner's branch. */
export function homeCompany(actor: Actor): Company {
  const home = actor.branches.find(({ id }) => id === actor.homeBranch)
  return home ? known(actor.companies.find(({ id }) => id === home.companyId)) : defaultCompany(actor)
}

/** The active company of this id. */
export const activeCompany = ({ companies }: Actor, id: string, details?: Details): Company =>
  known(
    companies.find((company) => company.active && company.id === id.toLowerCase()),
    details,
  )

function known(company: Company | undefined, details?: Details): Company {
  if (company) return company
  throw new ApiError(
    'unknown_company',
    'This company_id is not an active company of the account. Take one from GET /workspace.',
    details && { details },
  )
}

/** The active branch of this id and its company, which has to be the one that is named, if one is. */
export function activeBranch(
  { branches, companies }: Actor,
  named: Company | null,
  id: string,
): { readonly branch: string; readonly company: Company } {
  const branch = branches.find((branch) => branch.id === id.toLowerCase() && branch.active)
  const company = companies.find((company) => company.active && company.id === branch?.companyId)
  if (branch && company && (named === null || named === company)) return { branch: branch.id, company }
  throw new ApiError(
    'unknown_branch',
    named
      ? 'This branch_id is not an active branch of the company that company_id names. Take one from GET /workspace.'
      : 'This branch_id is not an active branch of the account. Take one from GET /workspace.',
  )
}

/** The branch of a record: the key owner's, where it is one of the company's. */
export const homeBranchIn = ({ branches, homeBranch }: Actor, company: Company): string | null =>
  branches.find(({ id, companyId }) => id === homeBranch && companyId === company.id)?.id ?? null

/** The branch of rows that name none: the key owner's where the company has it, else the company's first. */
export function branchOfRows({ branches, homeBranch }: Actor, company: Company): string | null {
  const own = branches.filter((branch) => branch.companyId === company.id && branch.active)
  return (own.find(({ id }) => id === homeBranch) ?? own[0])?.id ?? null
}
