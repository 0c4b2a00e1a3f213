import { audit } from '../../../platform/audit.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { requireAccount } from '../reads/require-account.ts'

/** Printer of the branch's tickets; null leaves it unchanged. */
type Codes = { readonly offices: readonly string[] | null; readonly iataNumbers: readonly string[] | null }

const OFFICE = /^[A-Z0-9]{3,9}$/
const IATA_NUMBER = /^\d{8}$/
type Printed = RowFrom<typeof update>
const update = statement(
  {
    account: pg.integer,
    id: pg.text,
    offices: pg.nullable(pg.list(pg.text)),
    iataNumbers: pg.nullable(pg.list(pg.text)),
  },
  { office_ids: pg.list(pg.text), iata_numbers: pg.list(pg.text) },
  `
  update branches set office_ids = coalesce($offices::text[], office_ids), iata_numbers = coalesce($iataNumbers::text[], iata_numbers)
  where account_id = $account and id::text = lower($id) returning office_ids, iata_numbers`,
)

const each = (codes: readonly string[] | null): string[] | null => codes && [...new Set(codes)]

/** Says by which GDS offices and IATA numbers a file of the ticket printer is the branch's. Answers all it has now. */
export async function updateBranch(
  tx: SystemTx,
  account: number,
  id: string,
  codes: Codes,
  operator: Operator,
): Promise<Printed> {
  const offices = each(codes.offices?.map((office) => office.toUpperCase()) ?? null)
  const wrong = offices?.find((office) => !OFFICE.test(office))
  if (wrong !== undefined)
    throw new UserError(
      'invalid_value',
      `${wrong} is not a GDS office. Use an office id or pseudo city code such as ISTTK2100.`,
    )
  const iata = codes.iataNumbers?.find((number) => !IATA_NUMBER.test(number))
  if (iata !== undefined)
    throw new UserError('invalid_value', `${iata} is not an IATA number. An IATA number has 8 digits.`)
  await requireAccount(tx, account)
  const changed = await tx.one(update, { account, id, offices, iataNumbers: each(codes.iataNumbers) })
  if (!changed) throw new RecordNotFound('branch', 'No such branch exists in this account.')
  await audit(tx, account, operator, {
    action: 'branch.updated',
    subjectType: 'branch',
    subjectId: id.toLowerCase(),
    details: changed,
  })
  return changed
}
