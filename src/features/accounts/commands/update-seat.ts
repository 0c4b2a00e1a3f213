import { statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'

const SIGN = /^[A-Z0-9]{2,10}$/
const update = statement<{ account: number; id: string; signs: readonly string[] }, { agent_sines: string[] }>(
  'update seats set agent_sines = $signs::text[] where account_id = $account and id::text = lower($id) returning agent_sines',
)

/**
 * Says by which signs the seat's agent works in GDSs: what becomes of the files that name one is told to the seat.
 * Answers the signs as they are kept.
 */
export async function updateSeat(
  tx: SystemTx,
  account: number,
  id: string,
  signs: readonly string[],
): Promise<string[]> {
  const capitals = [...new Set(signs.map((sign) => sign.toUpperCase()))]
  const wrong = capitals.find((sign) => !SIGN.test(sign))
  if (wrong !== undefined) throw new Error(`${wrong} is no agent's sign: it has 2 to 10 letters and digits, as 1234AY.`)
  const changed = await tx.one(update, { account, id, signs: capitals })
  if (!changed) throw new Error('The account has no such seat. See: backdesk seat list')
  return changed.agent_sines
}
