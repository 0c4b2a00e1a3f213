import {
  escape as escapeText,
  ICalCalendar,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator'
import { airport } from '../../geography/airports.ts'
import { daysFrom, hourOf, instantOf, localDayOf } from '../../platform/page/when.ts'
import type { PublicDay, PublicSegment, PublicTrip } from './public-trip.store.ts'
import { endOf, flightOf, nameOf } from './reads/segment-names.ts'
import type { Words } from './reads/words.ts'

const MS_A_DAY = 86_400_000
const PRODUCT = { company: 'Backdesk', product: 'Trips', language: 'EN' }
/** Characters that RFC 5545 forbids in a text: control characters, except line ends. */
const CONTROLS = /[^\n\P{Cc}]/gu

/**
 * The trip as an iCalendar object: items with a time at that instant, others and stays on their days. A trip without
 * segments has one event, since a calendar may not be empty.
 */
export function calendarOf(trip: PublicTrip, words: Words): string {
  const calendar = new ICalCalendar({
    name: escapeText(plain(trip.title).replaceAll('\n', ' '), false),
    prodId: PRODUCT,
  })
  for (const day of trip.days) {
    for (const segment of day.segments) {
      const span = spanOf(segment, day)
      if (span) calendar.createEvent({ ...span, ...aboutOf(segment, trip, words) })
    }
  }
  if (calendar.length() === 0 && trip.start) calendar.createEvent(wholeTrip(trip, trip.start))
  return `${calendar}\r\n`
}

function wholeTrip({ id, title, end, updated, cancelled }: PublicTrip, start: string): ICalEventData {
  const changed = new Date(updated)
  const status = cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED
  return { ...wholeDays(start, end, false), id, stamp: changed, lastModified: changed, status, summary: plain(title) }
}

const plain = (text: string): string => text.replace(/\r\n?/g, '\n').replace(CONTROLS, ' ')

function aboutOf(segment: PublicSegment, { cancelled }: PublicTrip, words: Words): Partial<ICalEventData> {
  const { id, type, firm, description, place, address, from, updated } = segment
  const changed = new Date(updated)
  const name = nameOf(segment, words.language)
  const code = type === 'flight' ? flightOf(segment) : null
  const location = type === 'flight' ? endOf(from, words.language).name : [place, address].filter(Boolean).join(', ')
  const status = firm ? ICalEventStatus.CONFIRMED : ICalEventStatus.TENTATIVE
  return {
    id,
    stamp: changed,
    lastModified: changed,
    status: cancelled ? ICalEventStatus.CANCELLED : status,
    summary: plain([code, name === code ? null : name].filter(Boolean).join(' ') || words.kinds[type]),
    ...(description && { description: plain(description) }),
    ...(location && { location: plain(location) }),
  }
}

const zoneOf = (code: string | null): string | null => (code && airport(code)?.timeZone) || null

type Span = Pick<ICalEventData, 'start' | 'end' | 'allDay' | 'floating' | 'transparency'>

/** When a segment is; null where not even its day is known. */
function spanOf(segment: PublicSegment, { date, timeZone }: PublicDay): Span | null {
  const { type, start, end, from, to } = segment
  const [first, last] = [start ? localDayOf(start) : date, end ? localDayOf(end) : null]
  if (type === 'lodging' || !start || !hourOf(start))
    return first === null ? null : wholeDays(first, last, type === 'lodging')
  const zones = type === 'flight' ? [zoneOf(from), zoneOf(to)] : [timeZone, timeZone]
  const [begins, ends] = [instantOf(start, zones[0] ?? null), instantOf(end, zones[1] ?? null)]
  if (begins) return until({ start: begins }, begins, ends)
  // On no clock in particular: a calendar shows it at this hour wherever it is looked at.
  const [asUtc, endAsUtc] = [instantOf(start, 'UTC'), instantOf(end, 'UTC')]
  return asUtc && until({ start: asUtc, floating: true }, asUtc, endAsUtc)
}

const until = (span: Span, begins: Date, ends: Date | null): Span =>
  ends && ends > begins ? { ...span, end: ends } : span

/** From the first to the last day; the end of a stay is exclusive. The events do not mark the traveller as busy. */
function wholeDays(first: string, last: string | null, isStay: boolean): Span {
  const days = Math.max(1, daysFrom(first, last ?? first) + (isStay ? 0 : 1))
  const start = new Date(`${first}T00:00Z`)
  const end = new Date(start.getTime() + days * MS_A_DAY)
  return { start, end, allDay: true, transparency: ICalEventTransparency.TRANSPARENT }
}
