import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { Seal } from '../../../platform/seal.ts'
import { mailSeat } from '../../communications/commands/mail-seat.ts'
import { linkAddress, makeLink } from './make-link.ts'

/** Sends the person of a seat a link to choose a new password. An earlier one is withdrawn. */
export async function mailReset(
  tx: AccountTx,
  seat: string,
  { publicUrl, mailTexts }: { readonly publicUrl: string; readonly mailTexts: Seal },
): Promise<void> {
  const { token } = await makeLink(tx, seat, 'reset')
  const link = linkAddress(publicUrl, token)
  await mailSeat(tx, { seat, kind: 'password_reset', values: () => ({ 'reset.link': link }), seal: mailTexts })
}
