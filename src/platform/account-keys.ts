import { randomBytes } from 'node:crypto'
import type { KeyWraps } from './cell-key.ts'
import * as pg from './db/pg-types.ts'
import { type Statement, statement } from './db/statement.ts'
import { type ValueSeal, valueSeal } from './seal-values.ts'
import { UserError } from './user-error.ts'

/** The keys of an account, opened. */
export type OpenKeys = {
  readonly signing: string
  /** Signing keys that were replaced because they may be known to others. */
  readonly retired: readonly string[]
  readonly values: ValueSeal
  /** Whether values are sealed when they are written. What is sealed is always opened. */
  readonly seals: boolean
}
/** The keys of the accounts that this process works for. */
export type AccountKeys = {
  /** Undefined for an account whose keys are not loaded. */
  atHand(account: number): OpenKeys | undefined
  /** Loads the keys of an account, and makes them for one that has none; null if they are at hand. */
  load(account: number, ask: Ask): Promise<void> | null
}
type Ask = <I, O>(reason: string, asked: Statement<I, O>, input: I) => Promise<O[]>

/** Replaced keys stay in use for this long. */
const KEPT_MS = 15_000
/** A lost race with another process, or with the command that wraps all keys again. */
const ATTEMPTS = 5
const KEY_BYTES = 32
const REASON = 'the keys of an account, which open its rows'

const read = statement(
  { account: pg.integer },
  {
    wrapped_by: pg.text,
    seals: pg.boolean,
    signing: pg.nullable(pg.bytes),
    sealing: pg.nullable(pg.bytes),
    retired: pg.nullable(pg.list(pg.bytes)),
  },
  `
  select c.wrapped_by, c.seals_from <= now() as seals,
    (select k.wrapped from account_keys k where k.account_id = a.account_id and k.use = 'signing' and k.retired_at is null) as signing,
    (select k.wrapped from account_keys k where k.account_id = a.account_id and k.use = 'sealing' and k.retired_at is null) as sealing,
    (select array_agg(k.wrapped order by k.retired_at desc) from account_keys k
      where k.account_id = a.account_id and k.use = 'signing' and k.retired_at is not null) as retired
  from accounts a cross join cell_keys c where a.account_id = $account`,
)
/** Nothing if the keys are being wrapped by another SECRET: the lock waits for it, and the fingerprint has changed. */
const insert = statement(
  { account: pg.integer, by: pg.text, signing: pg.bytes, sealing: pg.bytes },
  {},
  `
  with wrapping as (select from cell_keys where wrapped_by = $by for share)
  insert into account_keys (account_id, use, wrapped)
  select $account::integer, k.use, k.wrapped
  from wrapping cross join (values ('signing', $signing::bytea), ('sealing', $sealing::bytea)) as k(use, wrapped)
  on conflict (account_id, use) where retired_at is null do nothing`,
)

/** `sealed` are the names of values that are stored sealed. */
export function accountKeys(wraps: KeyWraps, sealed: readonly string[], now: () => number): AccountKeys {
  const known = new Map<number, { readonly keys: OpenKeys; readonly at: number }>()
  const loading = new Map<number, Promise<void>>()

  async function find(account: number, ask: Ask): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const [found] = await ask(REASON, read, { account })
      if (!found) return // no such account here, or a database whose keys were not opened
      if (found.signing && found.sealing) {
        const sealing = wraps.openBytes(found.sealing)
        known.set(account, {
          at: now(),
          keys: {
            signing: wraps.openBytes(found.signing).toString('hex'),
            retired: (found.retired ?? []).map((wrapped) => wraps.openBytes(wrapped).toString('hex')),
            values: valueSeal(sealing, sealed),
            seals: found.seals,
          },
        })
        return
      }
      const by = found.wrapped_by
      const seal = wraps.by(by)
      if (!seal) break
      const fresh = () => seal.seal(randomBytes(KEY_BYTES))
      await ask(REASON, insert, { account, by, signing: fresh(), sealing: fresh() })
    }
    throw new UserError('wrong_secret', `The keys of account ${account} cannot be opened with this SECRET.`)
  }
  return {
    atHand: (account) => known.get(account)?.keys,
    load(account, ask) {
      const age = now() - (known.get(account)?.at ?? Number.NEGATIVE_INFINITY)
      if (age >= 0 && age < KEPT_MS) return null
      const begun = loading.get(account) ?? find(account, ask).finally(() => loading.delete(account))
      loading.set(account, begun)
      return begun
    },
  }
}
