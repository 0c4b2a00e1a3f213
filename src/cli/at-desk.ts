import { findDesk } from '../features/accounts/reads/find-desk.ts'
import { type Desk, deskOf } from '../imports/desk.ts'
import type { ImportRow } from '../imports/engine/read-rows.ts'
import type { Importable } from '../imports/importable.ts'
import { ALL_POLICIES } from '../platform/access/policies.ts'
import { auditOwn } from '../platform/audit.ts'
import type { AccountTx } from '../platform/db/account-tx.ts'
import { type Details, RecordNotFound, UserError } from '../platform/user-error.ts'
import { entities, importables } from '../registry.ts'
import type { OfAccount } from './command.ts'
import { withCell } from './with-cell.ts'

type Answer = { id: string; status: string; record_status: string; warnings: ImportRow['warnings'] }

export const keysOf = (of: readonly Importable[]) => of.map(({ entity }) => entity.key).join(', ')
export const bookings = entities.filter(({ entity }) => entity.base?.table === 'bookings')

export function entityOf(key: string, of: readonly Importable[]): Importable {
  const found = of.find(({ entity }) => entity.key === key)
  if (found) return found
  if (importables.some(({ entity }) => entity.key === key))
    throw new UserError('invalid_value', `Use the import for ${key}: npx backdesk import FILE --entity ${key}`)
  throw new UserError('invalid_value', `${key} is not supported here. Choose one of ${keysOf(of)}.`)
}

export function recordId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text
  throw new RecordNotFound('record', `${text} is not the id of a record.`)
}

/** Makes or changes a record of a company. One transaction: a record with errors changes nothing. */
export async function atDesk(
  { account, company = null }: OfAccount & { company?: string | null },
  importable: Importable,
  work: (tx: AccountTx, importable: Importable, desk: Desk) => Promise<ImportRow | undefined>,
): Promise<Answer> {
  return withCell(({ deps }) =>
    deps.db.inAccount(account, async (tx) => {
      const { company: id, branch, country, currency, time_zone: timeZone } = await findDesk(tx, company)
      const row = await work(
        tx,
        importable,
        deskOf({ company: { id, country, currency }, branch, timeZone, policies: ALL_POLICIES }, await tx.now),
      )
      if (!row) throw new RecordNotFound('record', 'No such record exists in this account.')
      const { errors, warnings } = row
      if (errors.length > 0)
        throw new UserError('invalid_value', 'The record is invalid. See details for each field.', {
          details: reasonsOf(errors),
        })
      if (row.status !== 'unchanged')
        auditOwn(tx, { action: `record.${row.status}`, subjectType: importable.entity.key, subjectId: String(row.id) })
      return { id: String(row.id), status: row.status, record_status: String(row.recordStatus), warnings }
    }),
  )
}

const reasonsOf = (errors: ImportRow['errors']): Details =>
  Object.fromEntries(
    [...Map.groupBy(errors, ({ at }) => at)].map(([at, reasons]) => [at, reasons.map(({ message }) => message)]),
  )

export function recordText({ id, status, record_status, warnings }: Answer): string {
  const made = `${status === 'created' ? 'Made' : status === 'updated' ? 'Changed' : 'No changes to'} ${id} (${record_status}).`
  return [made, ...warnings.map(({ at, message }) => `  ${at}: ${message}`)].join('\n')
}
