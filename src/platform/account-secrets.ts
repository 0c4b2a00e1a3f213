import { hash } from 'node:crypto'
import * as pg from './db/pg-types.ts'
import { statement } from './db/statement.ts'
import { deriveKey, sealWith } from './seal.ts'

/**
 * Signs for an account with a secret of its own, derived from the cell's. It can move to another cell with its account
 * and reveals nothing about others. There it is a *former* secret: its signatures are accepted, but no new ones are
 * made.
 */
export type AccountSecrets = {
  of(account: number): string
  /** What signed for all accounts of the cell, before each had its own: it is read still, and nothing is signed by it. */
  ofCell(use: string): Buffer
  /** A former secret, as stored. */
  seal(secret: string): Buffer
  /** Null where another secret of the cell sealed it. */
  open(sealed: Buffer): string | null
}

export function accountSecretsOf(secret: string): AccountSecrets {
  const prefix = deriveKey(secret, 'accounts').toString('hex')
  const { seal, open } = sealWith(deriveKey(secret, 'former secrets'))
  return {
    of: (account) => hash('sha512-256', `${prefix}\n${account}`),
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
