import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { noSuch } from '../../../platform/http/by-id.ts'
import type { Seal } from '../../../platform/seal.ts'
import { makeSigningSecret } from '../signing-secret.ts'
import { rotateKey } from '../webhooks.store.ts'

/** How long deliveries are signed with the former secret as well. */
const BOTH = '24 hours'
const rotate = rotateKey(BOTH)

/** Gives a subscription another secret. It is answered here and nowhere else. */
export async function rotateSecret(tx: AccountTx, id: string, seal: Seal) {
  const { secret, sealedKey } = makeSigningSecret(seal)
  const rotated = await tx.one(rotate, { id, key: sealedKey })
  if (!rotated) throw noSuch('webhook')
  auditOwn(tx, { action: 'webhook.secret_rotated', subjectType: 'webhook', subjectId: id })
  return { signing_secret: secret, former_secret_until: rotated.until }
}
