import type { Kind } from '../catalogue/kind.ts'
import { refuse as refuseCell } from '../catalogue/kind.ts'
import type { AccountTx } from '../platform/db/database.ts'
import { statement } from '../platform/db/statement.ts'
import { refuse } from './attributes.ts'
import { Uuid } from './shapes.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The id of a record. That there is such a record is for the command to see. */
export const uuid: Kind<string> = {
  type: 'string',
  schema: Uuid,
  pg: 'uuid',
  read(cell) {
    const id = typeof cell === 'string' ? cell.trim().toLowerCase() : ''
    return UUID.test(id) ? id : refuseCell('invalid_type', 'has to be a uuid')
  },
  print: (column) => column,
  example: '01890000-0000-7000-8000-000000000000',
  bad: ['x', 7, {}],
}

const active = statement<{ account: number; id: string }, { id: string }>(
  'select id from seats where account_id = $account and id = $id and active',
)

/** Refuses what is no active seat of the account. */
export async function refuseUnknownSeat(tx: AccountTx, attribute: string, id: unknown): Promise<void> {
  if (typeof id === 'string' && !(await tx.one(active, { id })))
    refuse([[attribute, 'is no active seat of the account: take one from GET /users']])
}
