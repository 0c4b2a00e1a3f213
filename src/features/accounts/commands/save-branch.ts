import { isDeepStrictEqual } from 'node:util'
import { required } from '../../../catalogue/entity.ts'
import { string } from '../../../catalogue/kinds.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { readAttributes } from '../../../records/attributes.ts'
import {
  type BranchRow,
  countPeopleOf,
  insertNewBranch,
  lockBranches,
  lockCompanies,
  writeBranch,
} from '../companies.store.ts'

/** Attributes that are not given stay unchanged. */
export type BranchChange = {
  readonly name?: string | undefined
  readonly code?: string | null | undefined
  /** GDS offices by which ticket files are assigned to the branch. */
  readonly office_ids?: readonly string[] | undefined
  readonly iata_numbers?: readonly string[] | undefined
  readonly headquarters?: boolean | undefined
  readonly active?: boolean | undefined
}
type Attributes = Omit<BranchRow, 'id' | 'company_id' | 'version'>

const OFFICE = /^[A-Z0-9]{3,9}$/
const IATA_NUMBER = /^\d{8}$/
const FIELDS = { name: required(string(200)), code: string(40) }
const EMPTY: Attributes = {
  name: '',
  code: null,
  office_ids: [],
  iata_numbers: [],
  is_headquarters: false,
  active: true,
}

/** Creates a branch of one of the account's active companies. */
export async function createBranch(tx: AccountTx, company: string, given: BranchChange): Promise<string> {
  const read = readBranch(given, true)
  const companies = await tx.all(lockCompanies, {})
  const found = companies.find(({ id, active }) => active && id === company.toLowerCase())
  if (!found) throw new RecordNotFound('company', 'No active company with this id exists in this account.')
  const branch = { ...EMPTY, ...read, company_id: found.id }
  const made = await tx.one(insertNewBranch, branch)
  const { id } = made as NonNullable<typeof made>
  auditOwn(tx, { action: 'branch.created', subjectType: 'branch', subjectId: id, before: EMPTY, after: branch })
  return id
}

/** Updates the given attributes of a branch. `check` looks at the stored one first. */
export async function updateBranch(
  tx: AccountTx,
  id: string,
  given: BranchChange,
  check?: (stored: BranchRow) => Promise<void>,
): Promise<BranchRow> {
  const companies = await tx.all(lockCompanies, {})
  const rows = await tx.all(lockBranches, {})
  const stored = rows.find((row) => row.id === id.toLowerCase())
  if (!stored) throw new RecordNotFound('branch', 'No such branch exists in this account.')
  await check?.(stored)
  const changed = { ...stored, ...readBranch(given, false) }
  if (given.active !== undefined) changed.active = given.active
  if (given.headquarters !== undefined) changed.is_headquarters = given.headquarters
  refuseMoves(stored, changed)
  if (changed.is_headquarters && !companies.some((one) => one.id === changed.company_id && one.active))
    throw new UserError('not_allowed_now', 'The company of this branch is inactive. Reactivate the company first.')
  if (stored.active && !changed.active) await refuseWithPeople(tx, stored.id)
  const former = changed.is_headquarters ? rows.find((row) => row.is_headquarters && row.id !== stored.id) : undefined
  if (former) save(tx, former, { ...former, is_headquarters: false })
  save(tx, stored, changed)
  return changed
}

function save(tx: AccountTx, stored: BranchRow, changed: BranchRow): void {
  if (isDeepStrictEqual(stored, changed)) return
  const { company_id: _, version: __, ...row } = changed
  tx.later(writeBranch, row)
  auditOwn(tx, {
    action: 'branch.updated',
    subjectType: 'branch',
    subjectId: stored.id,
    before: stored,
    after: changed,
  })
}

/** The attributes as they are stored, or every reason why one cannot be. */
function readBranch({ office_ids, iata_numbers, ...given }: BranchChange, creates: boolean): Partial<Attributes> {
  const { headquarters: _, active: __, ...plain } = given
  const texts = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  const offices = office_ids && [...new Set(office_ids.map((office) => office.toUpperCase()))]
  const numbers = iata_numbers && [...new Set(iata_numbers)]
  const reasons = new Reasons()
  const values = readAttributes(FIELDS, texts, {
    company: { country: '', currency: '' },
    timeZone: 'UTC',
    creates,
    reasons,
  })
  for (const office of offices ?? [])
    if (!OFFICE.test(office))
      reasons.add([
        'office_ids',
        `${office} is not a GDS office. Use an office id or pseudo city code such as ISTTK2100.`,
      ])
  for (const number of numbers ?? [])
    if (!IATA_NUMBER.test(number))
      reasons.add(['iata_numbers', `${number} is not an IATA number. An IATA number has 8 digits.`])
  reasons.refuse()
  return { ...values, ...(offices && { office_ids: offices }), ...(numbers && { iata_numbers: numbers }) }
}

/** There is always one headquarters, and it is active. */
function refuseMoves(stored: BranchRow, { is_headquarters, active }: BranchRow): void {
  const other = 'Make another branch the headquarters first.'
  if (stored.is_headquarters && !is_headquarters)
    throw new UserError('not_allowed_now', `An account has one headquarters. ${other}`)
  if (is_headquarters && !active)
    throw new UserError('not_allowed_now', `The headquarters cannot be inactive. ${other}`)
}

async function refuseWithPeople(tx: AccountTx, branch: string): Promise<void> {
  const found = await tx.one(countPeopleOf, { branch })
  if (found && found.people > 0)
    throw new UserError(
      'not_allowed_now',
      `This is the home branch of ${found.people} people. Give them another home branch first.`,
    )
}
