import { networkOf } from '../../platform/access/source-address.ts'
import type { Database } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { Mac } from '../../platform/signed-text.ts'
import { countAttempt, forgetAttempt, lockSubjects } from './attempts.store.ts'
import { folded } from './folded-email.ts'

/** Who tries to sign in, and as whom. */
export type Attempt = {
  /** Or what else guesses are counted for. */
  readonly email: string
  readonly address: string
  /** Somebody has signed in from this network to a seat with this e-mail before. */
  readonly isKnownNetwork: boolean
  /** The id of a browser that this person has signed in to before. */
  readonly device: string | null
}

/** Failures that cost nothing; each one after them doubles the wait. */
const FREE = {
  /** Of a browser that the person has signed in to. Nothing else counts for it, so no other person can lock it out. */
  device: 5,
  /** Of one network, as one person. */
  pair: 5,
  /** Of one network, as anybody: the same password tried on many people. */
  network: 20,
  /** As one person, from anywhere. It binds strange networks alone, so that a stranger cannot lock out a person from theirs. */
  person: 50,
}

/**
 * Bounds guesses at passwords. An attempt is counted before the password is looked at, so that many at once are counted
 * as well, and a right one is taken back.
 */
export function signInAttempts(db: Database, mac: Mac) {
  function countedFor({ email, address, isKnownNetwork, device }: Attempt) {
    const network = networkOf(address)
    const person = folded(email)
    if (device !== null) return [{ subject: mac('known device', `${device} ${person}`), free: FREE.device }]
    return [
      { subject: mac('pair', `${network} ${person}`), free: FREE.pair },
      { subject: mac('network', network), free: FREE.network },
      ...(isKnownNetwork ? [] : [{ subject: mac('person', person), free: FREE.person }]),
    ]
  }
  function subjectsOf(attempt: Attempt) {
    const all = countedFor(attempt).sort((a, b) => Buffer.compare(a.subject, b.subject))
    return { subjects: all.map(({ subject }) => subject), free: all.map(({ free }) => free) }
  }
  /** Counts an attempt; throws where it comes too soon after others that failed. */
  async function begin(attempt: Attempt): Promise<void> {
    const { subjects, free } = subjectsOf(attempt)
    const wait = await db.asSystem('count an attempt to sign in', async (tx) => {
      await tx.all(lockSubjects, { subjects })
      return tx.one(countAttempt, { subjects, free })
    })
    if (!wait || wait.seconds <= 0) return
    const message = `Too many failed attempts. Try again in ${wait.seconds} s.`
    throw new ApiError('rate_limited', message, { retryAfter: wait.seconds })
  }
  async function takeBack(attempt: Attempt): Promise<void> {
    const { subjects } = subjectsOf(attempt)
    await db.askSystem('forget an attempt to sign in', forgetAttempt, { subjects })
  }
  return {
    begin,
    /** Looks at a guess, which counts unless it is right or could not be looked at. Answers null where it is wrong. */
    async guard<T>(attempt: Attempt, look: () => Promise<T | null>): Promise<T | null> {
      await begin(attempt)
      const right = await look().catch(async (error) => {
        await takeBack(attempt)
        throw error
      })
      if (right !== null) await takeBack(attempt)
      return right
    },
  }
}
