import { type AccountSecrets, readFormerSecrets } from '../../../platform/account-secrets.ts'
import type { AccountReader } from '../../../platform/db/account-tx.ts'
import { findStrays, readChain, readCheckpoints, readLinks, type StoredLink } from '../chain.store.ts'
import { type ChainKeys, chainKeys, checkpointMac, linkMac, NO_HEAD } from '../chain-mac.ts'

/** Links that are read at once. */
const PAGE = 1_000

/** The head of a chain as the log of the program has it. */
export type LoggedHead = { readonly seq: bigint; readonly mac: string }
export type Verified = {
  readonly account: number
  /** Links that fit, up to the first that does not. */
  readonly chained: number
  /** Entries that are not chained yet. */
  readonly waiting: number
  /** The head, as the log has it once a day. */
  readonly head: string
  /** The first entry that does not fit, and why; null if all fit. */
  readonly problem: string | null
}
type Place = { readonly seq: bigint; readonly mac: Buffer }

/** Compares every entry of an account's audit log with its chain, from the beginning. */
export async function verifyChain(
  reader: AccountReader,
  secrets: AccountSecrets,
  logged: LoggedHead | null = null,
): Promise<Verified> {
  const former = (await reader.all(readFormerSecrets, {})).map(({ secret }) => secret)
  const keys = chainKeys(secrets, reader.account, former)
  let chained = 0
  let at: Place = { seq: 0n, mac: NO_HEAD }
  const walk = async (): Promise<string | null> => {
    for (const { seq, mac, signature } of await reader.all(readCheckpoints, {})) {
      if (!keys.all.some((key) => checkpointMac(key, reader.account, BigInt(seq), mac).equals(signature)))
        return `The checkpoint at link ${seq} has a wrong signature.`
      at = { seq: BigInt(seq), mac }
    }
    let foundLogged = logged === null || at.seq > logged.seq
    for (;;) {
      const links = await reader.all(readLinks, { after: String(at.seq), most: PAGE })
      for (const link of links) {
        const problem = problemOf(link, at, keys)
        if (problem) return problem
        at = { seq: BigInt(link.seq), mac: link.mac }
        chained += 1
        if (logged?.seq === at.seq) {
          if (logged.mac !== at.mac.toString('hex')) return `Link ${at.seq} is not the one that was logged.`
          foundLogged = true
        }
      }
      if (links.length > 0) continue
      const chain = await reader.one(readChain, {})
      if (!chain) return 'The chain has no head.'
      if (BigInt(chain.last_seq) > at.seq) {
        const later = await reader.all(readLinks, { after: String(at.seq), most: 1 })
        if (later.length > 0) continue // it has grown meanwhile
        return `Links after ${at.seq} were removed: the chain has ${chain.last_seq}.`
      }
      if (BigInt(chain.last_seq) !== at.seq || !chain.head.equals(at.mac))
        return `The head of the chain does not fit its last link ${at.seq}.`
      if (!foundLogged) return `Link ${logged?.seq} was logged, and the chain ends at link ${at.seq}.`
      return null
    }
  }
  const problem = (await walk()) ?? (await strayOf(reader))
  const chain = await reader.one(readChain, {})
  return {
    account: reader.account,
    chained,
    waiting: chain?.waiting ?? 0,
    head: `${at.seq}:${at.mac.toString('hex')}`,
    problem,
  }
}

function problemOf({ seq, entry, mac, values }: StoredLink, before: Place, keys: ChainKeys): string | null {
  const next = before.seq + 1n
  if (BigInt(seq) !== next) return `Link ${next} was removed.`
  if (values === null) return `Entry ${entry} (link ${seq}) was removed.`
  if (keys.all.some((key) => linkMac(key, next, before.mac, values).equals(mac))) return null
  return `Entry ${entry} (link ${seq}) is not what was chained: it or its place was changed.`
}

async function strayOf(reader: AccountReader): Promise<string | null> {
  const found = await reader.one(findStrays, {})
  if (found?.added) return `Entry ${found.added} was added past the chain.`
  if (found?.lost) return `Entry ${found.lost} was removed before it was chained.`
  return null
}
