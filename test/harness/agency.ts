import { insertBranch, insertCompany, insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { type CreatedAccount, createAccount } from '../../src/features/accounts/commands/create-account.ts'
import { SERVER_OPERATOR } from '../../src/features/accounts/commands/seat-rules.ts'
import { createKey } from '../../src/features/api-keys/commands/edit-key.ts'
import type { NewKey } from '../../src/features/api-keys/commands/read-key.ts'
import type { Operator } from '../../src/platform/operator.ts'
import type { Call, TestCell } from './cell.ts'

export const OPERATOR: Operator = { name: 'test', source: 'test' }

/** An account with a second company, a second branch and a second seat. */
export type Agency = CreatedAccount & {
  readonly number: number
  readonly otherCompany: string
  readonly otherBranch: string
  readonly branchOfOtherCompany: string
  readonly advisor: string
  /** A key with scope `full` that acts as the owner. */
  readonly key: string
  makeKey(given?: Partial<NewKey>): Promise<{ id: string; key: string }>
}

export async function makeAgency(cell: TestCell, plan = 'enterprise'): Promise<Agency> {
  const { db } = cell.deps
  const made = await db.asSystem('a test makes its agency', async (tx) => {
    const account = await createAccount(
      tx,
      cell.deps.config.accountNumbers,
      {
        name: 'Test Seyahat',
        plan,
        timeZone: 'Europe/Istanbul',
        currency: 'TRY',
        country: 'TR',
        locale: 'en',
        ownerEmail: 'owner@agency.example',
        ownerName: 'Owner',
      },
      OPERATOR,
    )
    const number = account.account.id
    const otherCompany = await insertCompany(tx, number, {
      name: 'Test Reisen',
      country: 'DE',
      currency: 'EUR',
      companyType: null,
    })
    const kadikoy = { companyId: account.company.id, name: 'Kadıköy', code: 'KDK' }
    const otherBranch = await insertBranch(tx, number, kadikoy)
    const berlin = { companyId: otherCompany, name: 'Berlin', code: 'BER' }
    const branchOfOtherCompany = await insertBranch(tx, number, berlin)
    const advisor = await insertSeat(tx, number, {
      name: 'Işıl Çağlar',
      email: 'advisor@agency.example',
      role: 'advisor',
      branchId: otherBranch,
    })
    return { ...account, number, otherCompany, otherBranch, branchOfOtherCompany, advisor }
  })
  await db.loadKeys(made.number) // so that no request makes them
  const makeKey: Agency['makeKey'] = (given = {}) =>
    db.inAccount(
      made.number,
      (tx) =>
        createKey(
          tx,
          SERVER_OPERATOR,
          { name: 'Test', scopes: ['full'], role: null, expiresAt: null, allowedCidrs: [], ...given },
          OPERATOR.name,
        ),
      OPERATOR,
    )
  return { ...made, makeKey, key: (await makeKey()).key }
}

export type Outcome = {
  index: number
  external_id: string | null
  status: string
  id: string | null
  record_status: string | null
  reason: string | null
  errors: { field: string; code: string; message: string; allowed?: string[] }[]
  warnings: { field: string; code: string; message: string }[]
}
export type Result = {
  id: string | null
  status: string
  counts: Record<string, number>
  ignored_fields: string[]
  rows: Outcome[]
}

/** Imports rows, or validates them, and answers the batch; anything but 200 fails the test. */
export async function importRows(
  cell: TestCell,
  key: string,
  entity: string,
  rows: unknown[],
  more: object = {},
  dryRun = false,
  call: Call = {},
): Promise<Result> {
  const answer = await cell.call('POST', `/imports/${entity}${dryRun ? '/validate' : ''}`, {
    key,
    body: { rows, mode: 'sync', ...more },
    ...call,
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text.slice(0, 500)}`)
  return (answer.body as { data: Result }).data
}
