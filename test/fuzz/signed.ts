import { createHmac, hash } from 'node:crypto'
import { verifyWebhook } from '../../lib/verify-webhook.js'
import { readUnsubscribe, unsubscribeUrl } from '../../src/features/communications/unsubscribe.ts'
import type { Link } from '../../src/features/trip-pages/link.store.ts'
import { hasPass, passCookie } from '../../src/features/trip-pages/pass.ts'
import { accountSecretsOf } from '../../src/platform/account-secrets.ts'
import { cursorsWith } from '../../src/platform/http/cursors.ts'
import { ApiError } from '../../src/platform/http/errors.ts'
import { isSigned, signatureOf } from '../../src/platform/messaging/callback-signature.ts'
import { signedTextWith } from '../../src/platform/signed-text.ts'

/** What takes a text only if this cell has written it. */
export type SignatureReader = {
  readonly name: string
  readonly written: readonly string[]
  accepts(text: string): boolean | Promise<boolean>
  /** Whether an accepted text has the same content as a written one; by itself, whether it is one. */
  same?(text: string): boolean
}

const [ACCOUNT, OTHER] = [20_000_001, 20_000_002]
const NOW = 1_772_445_600_000
const SECRET = 'whsec_of-a-test'
const BODY = '{"id":"evt_1"}'
const URL_OF_HOOK = 'https://cell.example/hooks/messaging/20000001'
const secrets = accountSecretsOf('a secret')
const uploads = signedTextWith(secrets, 'uploads')
const cursors = cursorsWith(secrets)
const unsubscribing = signedTextWith(secrets, 'unsubscribe')
const passes = signedTextWith(secrets, 'passes')
const cell = { publicUrl: 'https://cell.example', unsubscribing }
const nobody = async () => []
const link = { account: ACCOUNT, id: 'a link', password: 'kept', formerSecrets: [] } as unknown as Link
const pass = passCookie(passes, link, new URL('https://cell.example/s/x'), NOW).split(/[=;]/)[1] ?? ''
const parameters = new URLSearchParams({ MessageSid: 'SM1', MessageStatus: 'delivered' })
const seconds = Math.floor(NOW / 1000)
const v1 = createHmac('sha256', hash('sha256', SECRET)).update(`${seconds}.${BODY}`).digest('hex')

function cursorIsRead(text: string): boolean {
  try {
    cursors.read(ACCOUNT, 'a list', text, [])
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_cursor') return false
    throw error
  }
}

export const signatureReaders: readonly SignatureReader[] = [
  {
    name: 'signed ids of uploads',
    written: ['0198c2c6-0000-7000-8000-000000000001', 'x'].map((id) => uploads.write(ACCOUNT, 'upload', [id])),
    accepts: (text) => uploads.read(ACCOUNT, 'upload', text) !== null,
  },
  {
    name: 'cursors',
    written: [['2026-03-02 10:00:00+00', 'an id'], ['Ayşe'], []].map((key) => cursors.write(ACCOUNT, 'a list', key)),
    accepts: cursorIsRead,
  },
  {
    name: 'cursors of another list or account',
    written: [],
    accepts: (text) =>
      cursorIsRead(cursors.write(ACCOUNT, `a list${text || 'x'}`, [])) ||
      cursorIsRead(cursors.write(OTHER, 'a list', [text])),
  },
  {
    name: 'tokens of unsubscribing',
    written: [ACCOUNT, OTHER].map((account) => unsubscribeUrl(cell, account, 'a customer').split('/u/')[1] ?? ''),
    accepts: async (text) => (await readUnsubscribe(unsubscribing, text, nobody)) !== null,
  },
  {
    name: 'passes of shared trips',
    written: [pass],
    accepts: (text) => hasPass(passes, link, `a=b; trip_pass=${text}`, NOW),
    same: (text) => text.split(/[;=]/).some((part) => part.trim() === pass), // a cookie of its own behind it
  },
  {
    name: 'signatures of webhooks',
    written: [`t=${seconds},v1=${v1}`, `t=${seconds},v1=${'0'.repeat(64)},v1=${v1}`],
    accepts: (text) => verifyWebhook(BODY, text, SECRET, { now: seconds }),
    same: (text) => text.includes(`v1=${v1}`) && text.includes(`t=${seconds}`),
  },
  {
    name: 'signatures of status callbacks',
    written: [signatureOf('a token', URL_OF_HOOK, parameters)],
    accepts: (text) => isSigned('a token', URL_OF_HOOK, parameters, text),
  },
]
