import type { Actor, Company } from './actor.ts'

/** The default company of imported rows: the account's default one. */
export const defaultCompany = ({ companies }: Actor): Company => companies.find(({ isDefault }) => isDefault) as Company // every account has one

/** The default company of a record: that of the key owner's branch. */
export function homeCompany(actor: Actor): Company {
  const home = actor.branches.find(({ id }) => id === actor.homeBranch)
  return actor.companies.find(({ id }) => id === home?.companyId) ?? defaultCompany(actor)
}

/** Why a company_id is refused that leads nowhere. */
export const UNKNOWN_COMPANY =
  'No active company with this id exists in this account. GET /workspace lists the companies.'

/** The active company of this id. */
export const findCompany = ({ companies }: Actor, id: string): Company | undefined =>
  companies.find((company) => company.active && company.id === id.toLowerCase())

/** The active branch with this id, and its company, which must match the given one. */
export function findBranch(
  actor: Actor,
  named: Company | null,
  id: string,
): { readonly id: string; readonly company: Company } | undefined {
  const branch = actor.branches.find((branch) => branch.active && branch.id === id.toLowerCase())
  const company = branch && findCompany(actor, branch.companyId)
  return company && (named === null || named === company) ? { id: branch.id, company } : undefined
}

/** The branch of a record: the key owner's, if it belongs to the company. */
export const homeBranchIn = ({ branches, homeBranch }: Actor, company: Company): string | null =>
  branches.find(({ id, companyId }) => id === homeBranch && companyId === company.id)?.id ?? null

/** The default branch of rows: the key owner's if it belongs to the company, otherwise the company's first. */
export function branchOfRows({ branches, homeBranch }: Actor, company: Company): string | null {
  const own = branches.filter((branch) => branch.companyId === company.id && branch.active)
  return (own.find(({ id }) => id === homeBranch) ?? own[0])?.id ?? null
}
