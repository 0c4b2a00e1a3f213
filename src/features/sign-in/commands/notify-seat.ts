import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { mailSeat } from '../../communications/commands/mail-seat.ts'
import { deviceName } from '../device-name.ts'
import { CHANGES, type CredentialChange, ON_THE_SERVER, UNKNOWN_DEVICE } from '../notice-words.ts'

/** Notifies the person of a seat by mail that how they sign in has changed. `address` is where the change came from; null is the server itself. `to` is another address than that of the seat. */
export const notifyOfChange = (
  tx: AccountTx,
  seat: string,
  change: CredentialChange,
  address: string | null,
  to?: string,
): Promise<void> =>
  mailSeat(tx, {
    seat,
    kind: 'credentials_changed',
    ...(to !== undefined && { to }),
    values: (language, now) => ({
      'change.what': CHANGES[language][change],
      'change.when': now,
      'change.address': address ?? ON_THE_SERVER[language],
    }),
  })

/** Notifies the person of a seat by mail of a sign-in from a browser or a network that they had not used. */
export const notifyOfSignIn = (
  tx: AccountTx,
  seat: string,
  { address, userAgent }: { readonly address: string; readonly userAgent: string | null },
): Promise<void> =>
  mailSeat(tx, {
    seat,
    kind: 'new_sign_in',
    values: (language, now) => ({
      'sign_in.when': now,
      'sign_in.device': deviceName(userAgent) ?? UNKNOWN_DEVICE[language],
      'sign_in.address': address,
    }),
  })
