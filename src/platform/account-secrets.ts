import { hash } from 'node:crypto'
import type { AccountKeys } from './account-keys.ts'
import * as pg from './db/pg-types.ts'
import { statement } from './db/statement.ts'
import { deriveKey, sealWith } from './seal.ts'

/**
 * Signs for an account with a key of its own, which moves to another cell with the account and reveals nothing about
 * others. Secrets from before accounts had random keys, here or in other cells, are *former* secrets: their signatures
 * are accepted, but no new ones are made.
 */
export type AccountSecrets = {
  of(account: number): string
  /** What signed for the account in this cell before it had a random key. */
  ofFirstVersion(account: number): string
  /** Whether that is still accepted: not after it was replaced, because it may be known to others. */
  acceptsFirstVersion(account: number): boolean
  /** Keys that were replaced because they may be known to others. */
  retired(account: number): readonly string[]
  /** What signed for all accounts of the cell, before each had its own: it is read still, and nothing is signed by it. */
  ofCell(use: string): Buffer
  /** A former secret, as stored. */
  seal(secret: string): Buffer
  /** Null where another secret of the cell sealed it. */
  open(sealed: Buffer): string | null
}

/** `secret` is the key of the cell. Without the keys of an account at hand, it signs as an older version. */
export function accountSecretsOf(secret: string, keys: Pick<AccountKeys, 'atHand'> | null = null): AccountSecrets {
  const prefix = deriveKey(secret, 'accounts').toString('hex')
  const { seal, open } = sealWith(deriveKey(secret, 'former secrets'))
  const derived = (account: number) => hash('sha512-256', `${prefix}\n${account}`)
  return {
    of: (account) => keys?.atHand(account)?.signing ?? derived(account),
    ofFirstVersion: derived,
    acceptsFirstVersion: (account) => !keys?.atHand(account)?.retired.includes(derived(account)),
    retired: (account) => keys?.atHand(account)?.retired ?? [],
    ofCell: (use) => deriveKey(secret, use),
    seal,
    open(sealed) {
      try {
        return open(sealed)
      } catch {
        return null
      }
    },
  }
}

export const readFormerSecrets = statement(
  { account: pg.integer },
  { secret: pg.bytes },
  'select unnest(former_secrets) as secret from accounts where account_id = $account',
)
