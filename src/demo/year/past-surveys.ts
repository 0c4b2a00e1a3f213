import { clock } from '../pieces/times.ts'
import { type Random, shuffled } from '../random.ts'
import type { Lived } from './past-trips.store.ts'
import type { PastTrip } from './plan-trips.ts'
import { dayAfter, secondsAfter, type Timeline } from './timeline.ts'
import { COMMENTS } from './words.ts'

/** A survey of the past, with its ratings. */
export type PastSurvey = {
  readonly id: string
  readonly trip: PastTrip
  readonly invited: string
  readonly started: string | null
  readonly answer: Answer | null
  /** When the reminder is or was due, and what became of it. */
  readonly reminded: string
  readonly reminder: 'scheduled' | 'sent' | 'skipped'
}
type Answer = {
  readonly at: string
  readonly nps: number
  readonly comment: string | null
  readonly ratings: readonly { readonly segment: string; readonly supplier: string; readonly rating: number }[]
  /** Whether somebody has to talk to the customer. */
  readonly isDetractor: boolean
}
/** An invitation that was sent, the day of it, and what the trip consisted of. */
export type Invited = {
  readonly id: string
  readonly trip: PastTrip
  readonly at: string
  readonly segments: readonly Lived[]
}

/** Detractors by their place among those who answered, the latest first, and what they gave. */
const DETRACTORS = new Map([
  [1, 4],
  [6, 6],
  [14, 2],
  [24, 5],
])
/** What the others gave, as often as this. */
const LIKELIHOODS = [10, 9, 10, 8, 9, 10, 7, 9]
const DETRACTOR_MOST = 6
const ANSWERED = 0.72
const COMMENTED = 0.55
const RATED = 0.9
/** Stars by how the trip was liked. */
const STARS = { delighted: [5, 5, 4, 5, 5, 4], content: [4, 4, 3, 5, 3], disappointed: [2, 1, 3, 2, 4] } as const
/** Days after which an answer comes; those after five follow the reminder. */
const ANSWERED_AFTER = [0, 0, 0, 1, 1, 2, 3, 5, 6]
const REMINDED_AFTER_DAYS = 5
const [EARLIEST, LATEST] = [10 * 60, 22 * 60]
/** Of the time since the invitation, where the answer would not be past yet. */
const SOON = 0.6

/** What became of invitations, given the latest first. The latest is open, for whoever wants to see its page. */
export function planSurveys(random: Random, time: Timeline, invited: readonly Invited[]): PastSurvey[] {
  const deck = shuffled(random, LIKELIHOODS)
  const told = { delighted: 0, content: 0, disappointed: 0 }
  let answered = 0
  return invited.map(({ id, trip, at, segments }, nth): PastSurvey => {
    const reminded = time.at(dayAfter(trip.end, 2 + REMINDED_AFTER_DAYS), '09:00')
    const answers = nth === 1 || nth === 2 || (nth > 0 && random.chance(ANSWERED))
    const when = answeredAt(random, time, trip, at)
    if (!answers) {
      const started = nth > 0 && random.chance(0.4) ? secondsAfter(when, -random.int(60, 300)) : null
      const reminder = Date.parse(reminded) > time.now ? 'scheduled' : 'sent'
      return { id, trip, invited: at, started, answer: null, reminded, reminder }
    }
    const nps = DETRACTORS.get(answered) ?? (deck[answered % deck.length] as number)
    answered += 1
    const liked = nps >= 9 ? 'delighted' : nps >= 7 ? 'content' : 'disappointed'
    const words = COMMENTS[liked][trip.language]
    const comment = nps <= DETRACTOR_MOST || random.chance(COMMENTED) ? words[told[liked]++ % words.length] : undefined
    const ratings = segments
      .filter(() => random.chance(RATED))
      .map(({ segment, supplier }) => ({ segment, supplier, rating: random.pick(STARS[liked]) }))
    return {
      id,
      trip,
      invited: at,
      started: secondsAfter(when, -random.int(90, 500)),
      answer: { at: when, nps, comment: comment ?? null, ratings, isDetractor: nps <= DETRACTOR_MOST },
      reminded,
      reminder: Date.parse(when) > Date.parse(reminded) ? 'sent' : 'skipped',
    }
  })
}

/** By day, some time after the invitation, and before now. */
function answeredAt(random: Random, time: Timeline, { end }: PastTrip, invited: string): string {
  const day = dayAfter(end, 2 + random.pick(ANSWERED_AFTER))
  const at = Date.parse(time.at(day, clock(random.int(EARLIEST, LATEST))))
  const began = Date.parse(invited)
  return new Date(at < time.now ? at : began + SOON * (time.now - began)).toISOString()
}
