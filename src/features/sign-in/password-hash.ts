import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError } from '../../platform/http/errors.ts'

/** RFC 9106, the second recommended option: 64 MiB, three passes. It takes a fifth of a second, off the main thread. */
const COST = { memory: 65_536, passes: 3, parallelism: 4 }
const SALT_BYTES = 16
const HASH_BYTES = 32
const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Each holds its memory and a thread that files and host names need as well. */
const AT_ONCE = 2
const RETRY_AFTER_S = 5

/** Where a computation waits: strangers cannot fill the places of people who are known to the cell, who come first. */
export type HashLane = 'known' | 'strangers'
type Lane = { readonly most: number; readonly waiting: (() => void)[] }
/** Strangers wait about three seconds, people who are known at most five. */
const LANES: Readonly<Record<HashLane, Lane>> = {
  known: { most: 30, waiting: [] },
  strangers: { most: 20, waiting: [] },
}
let running = 0

const argon2Of = promisify(argon2) as (algorithm: string, parameters: object) => Promise<Buffer>
/** Hashes in turn: anybody may try to sign in, so neither memory nor the wait may grow with their number. */
async function compute(parameters: object, name: HashLane): Promise<Buffer> {
  const { most, waiting } = LANES[name]
  if (running < AT_ONCE) running++
  else if (waiting.length < most) await new Promise<void>((go) => waiting.push(go))
  else {
    const message = `Too many people are signing in. Try again in ${RETRY_AFTER_S} s.`
    throw new ApiError('unavailable', message, { retryAfter: RETRY_AFTER_S })
  }
  try {
    return await argon2Of('argon2id', parameters)
  } finally {
    const next = LANES.known.waiting.shift() ?? LANES.strangers.waiting.shift()
    if (next)
      next() // passes the place on
    else running--
  }
}
const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
/** The same letters are the same password, however a keyboard composes them. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'))

/** The hash of the password that somebody chooses, who is known by then, with its salt and cost, in the PHC string format. */
export async function hashSeatPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES)
  const hash = await compute({ ...COST, message: bytesOf(password), nonce, tagLength: HASH_BYTES }, 'known')
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(hash)}`
}

/** Whether a password has this hash. Null stands for a seat without a password: it takes as long and never matches. */
export async function isPassword(password: string, hash: string | null, lane: HashLane = 'known'): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', expected = ''] = FORM.exec(hash ?? OF_NO_PASSWORD) ?? []
  const known = Buffer.from(expected, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const parameters = {
    ...cost,
    message: bytesOf(password),
    nonce: Buffer.from(nonce, 'base64'),
    tagLength: known.length,
  }
  return timingSafeEqual(await compute(parameters, lane), known) && hash !== null
}
const OF_NO_PASSWORD = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`
