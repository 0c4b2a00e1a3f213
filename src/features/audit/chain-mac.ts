import { createHmac } from 'node:crypto'
import type { AccountSecrets } from '../../platform/account-secrets.ts'

/** Before the first link. */
export const NO_HEAD: Buffer = Buffer.alloc(0)

/** The values of an entry as they are stored, printed as text. */
export type EntryValues = readonly (string | null)[]

/** What signs the chain of an account: its own secret; those of its former cells are accepted. */
export type ChainKeys = { readonly own: Buffer; readonly all: readonly Buffer[] }

const USE = 'audit chain'
const keyOf = (secret: string): Buffer => Buffer.from(`${secret}\n${USE}`)

export function chainKeys(secrets: AccountSecrets, account: number, former: readonly Buffer[] = []): ChainKeys {
  const own = keyOf(secrets.of(account))
  const opened = former.map((sealed) => secrets.open(sealed)).filter((secret) => secret !== null)
  const others = [secrets.ofFirstVersion(account), ...secrets.retired(account), ...opened]
  return { own, all: [own, ...others.map(keyOf)] }
}

/** The mac of a link: it covers the entry, its number, and everything before. */
export const linkMac = (key: Buffer, seq: bigint, before: Buffer, values: EntryValues): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify(['link', String(seq), before.toString('hex'), ...values]))
    .digest()

/** The signature of a checkpoint: the chain before it was dropped. */
export const checkpointMac = (key: Buffer, account: number, seq: bigint, head: Buffer): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify(['checkpoint', String(account), String(seq), head.toString('hex')]))
    .digest()
