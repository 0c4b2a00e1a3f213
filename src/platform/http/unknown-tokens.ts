import { setTimeout as sleep } from 'node:timers/promises'
import { WINDOW_S } from './rate-limit.ts'

const UNKNOWN_TOKENS_PER_MINUTE = 60
const UNKNOWN_TOKEN_DELAY_MS = 1_000

/** Refuses unknown tokens: late where an address sends many of them. `now` is milliseconds since the epoch. */
export function refuseUnknown(now: () => number): (address: string, refusal: Error) => Promise<never> {
  const unknownTokens = countUnknownTokens(now)
  return async (address, refusal) => {
    if (unknownTokens(address) > UNKNOWN_TOKENS_PER_MINUTE) await sleep(UNKNOWN_TOKEN_DELAY_MS)
    throw refusal
  }
}

/** Unknown tokens, by the address that sent them, in the current minute. */
function countUnknownTokens(now: () => number): (address: string) => number {
  let minute = 0
  const counts = new Map<string, number>()
  return (address) => {
    const current = Math.floor(now() / 1000 / WINDOW_S)
    if (current !== minute) {
      minute = current
      counts.clear()
    }
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    return count
  }
}
