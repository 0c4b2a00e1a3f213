import { clock } from '../pieces/times.ts'
import type { Random } from '../random.ts'
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
  /** When the reminder is or was due, and its status. */
  readonly reminded: string
  readonly reminder: 'scheduled' | 'sent' | 'skipped'
}
type Answer = {
  readonly at: string
  readonly nps: number
  readonly comment: string | null
  readonly ratings: readonly { readonly segment: string; readonly supplier: string; readonly rating: number }[]
  /** Whether a seat should call the customer. */
  readonly isDetractor: boolean
}
/** A sent invitation, its day, and the segments of the trip. */
export type Invited = {
  readonly id: string
  readonly trip: PastTrip
  readonly at: string
  readonly segments: readonly Lived[]
}

type Liked = keyof typeof COMMENTS

/** Detractors by their place among those who answered, the latest first, and what they gave. */
const DETRACTORS = new Map([
  [1, 4],
  [9, 6],
  [18, 2],
  [29, 5],
])
/** What the others gave, one after the other. */
const LIKELIHOODS = [10, 9, 10, 8, 9, 10, 7, 9]
/** The latest invitation has not been opened. */
const OPEN = 0
/** Of ten invitations, the ones without an answer. */
const UNANSWERED = new Set([0, 3, 6])
/** Share of the unanswered invitations that were opened. */
const LEFT = 0.4
const COMMENTED = 0.55
const RATED = 0.95
/** Stars by how the trip was liked. */
const STARS = { delighted: [5, 5, 4, 5, 5, 4], content: [4, 4, 3, 5, 3], disappointed: [2, 1] } as const
/** Days until an answer; those after five follow the reminder. */
const ANSWERED_AFTER = [0, 0, 0, 1, 1, 2, 3, 5, 6]
const [INVITED_AFTER_DAYS, REMINDED_AFTER_DAYS] = [2, 5]
const [EARLIEST, LATEST] = [10 * 60, 22 * 60]
/** Share of the time since the invitation, used where the answer would otherwise lie in the future. */
const SOON = 0.6
const FILLED_IN_SECONDS = { least: 90, most: 500 }

/** Outcomes of invitations, latest first. The latest survey is open, so that its page can be tried. */
export function planSurveys(random: Random, time: Timeline, invited: readonly Invited[]): PastSurvey[] {
  const usedComments: Record<Liked, number> = { delighted: 0, content: 0, disappointed: 0 }
  let answers = 0
  return invited.map(({ id, trip, at, segments }, nth): PastSurvey => {
    const reminded = time.at(dayAfter(trip.end, INVITED_AFTER_DAYS + REMINDED_AFTER_DAYS), '09:00')
    const survey = { id, trip, invited: at, reminded }
    const when = answeredAt(random, time, trip, at)
    if (UNANSWERED.has(nth % 10)) {
      const started = nth !== OPEN && random.chance(LEFT) ? when : null
      return { ...survey, started, answer: null, reminder: Date.parse(reminded) > time.now ? 'scheduled' : 'sent' }
    }
    const nps = DETRACTORS.get(answers) ?? (LIKELIHOODS[answers % LIKELIHOODS.length] as number)
    answers += 1
    const liked = likedBy(nps)
    const words = COMMENTS[liked][trip.language]
    const comments = liked === 'disappointed' || random.chance(COMMENTED)
    const comment = comments ? (words[usedComments[liked]++ % words.length] ?? null) : null
    const ratings = ratingsOf(random, liked, segments)
    return {
      ...survey,
      started: secondsAfter(when, -random.int(FILLED_IN_SECONDS.least, FILLED_IN_SECONDS.most)),
      answer: { at: when, nps, comment, ratings, isDetractor: liked === 'disappointed' },
      reminder: Date.parse(when) > Date.parse(reminded) ? 'sent' : 'skipped',
    }
  })
}

const likedBy = (nps: number): Liked => (nps >= 9 ? 'delighted' : nps >= 7 ? 'content' : 'disappointed')

/** Stars for most of the trip. Disappointed customers were disappointed by the hotel. */
const ratingsOf = (random: Random, liked: Liked, segments: readonly Lived[]) =>
  segments
    .filter(() => random.chance(RATED))
    .map(({ segment, supplier, type }) => ({
      segment,
      supplier,
      rating: random.pick(STARS[liked === 'disappointed' && type !== 'lodging' ? 'content' : liked]),
    }))

/** In the daytime, some time after the invitation and before now. */
function answeredAt(random: Random, time: Timeline, { end }: PastTrip, invited: string): string {
  const day = dayAfter(end, INVITED_AFTER_DAYS + random.pick(ANSWERED_AFTER))
  const at = Date.parse(time.at(day, clock(random.int(EARLIEST, LATEST))))
  const began = Date.parse(invited)
  return new Date(at < time.now ? at : began + SOON * (time.now - began)).toISOString()
}
