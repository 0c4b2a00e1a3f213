import { documentOf, type Page } from '../../platform/page/document.ts'
import { type Html, type HtmlContent, html } from '../../platform/page/html.ts'
import { agencyHeader } from '../../platform/page/look.ts'
import { dayRange, hourOf, localDayOf, longDay, shortDay } from '../../platform/page/when.ts'
import { picture, townOf } from './places.ts'
import type { PublicDay, PublicTrip, SegmentType } from './public-trip.store.ts'
import { nameOf } from './reads/segment-names.ts'
import type { Words } from './reads/words.ts'
import { segmentCard } from './segment-card.ts'

/** From this number of days on, the page has a list of links to them. */
const DAYS_TO_JUMP = 3

/** What takes several days: a stay, or a cruise. */
type Long = {
  readonly type: SegmentType
  readonly name: string
  readonly from: string
  readonly to: string
  readonly hour: string | null
}

/** The itinerary of a trip, day by day. `calendar` is the address of its calendar; null if there is none. */
export function itineraryPage(trip: PublicTrip, words: Words, calendar: string | null): Page {
  const { agency, title, days, destinations, cover } = trip
  const longs = longsOf(days, words)
  const jumps = days.length >= DAYS_TO_JUMP
  return documentOf(
    {
      language: words.language,
      title: `${title} · ${agency}`,
      look: trip,
      preview: { title: destinations.length > 0 ? destinations.join(' · ') : agency, picture: cover },
    },
    html`${jumps && html`<a class="skip" href="#day-${days[0]?.number ?? ''}">${words.skip}</a>`}
${agencyHeader(trip)}
<main>
${overview(trip, words, calendar)}
${jumps && dayList(days, words)}
${days.map((day) => daySection(day, longs, words))}
</main>
<footer><p>${words.localTimes}</p><p dir="auto">${agency}</p></footer>`,
  )
}

function overview(trip: PublicTrip, words: Words, calendar: string | null): Html {
  const { title, start, end, destinations, summary, cover, travelers, cancelled } = trip
  return html`${picture(cover, 'cover')}
<h1 dir="auto">${title}</h1>
${start && html`<p class="dates">${dayRange(start, end ?? start, words)}</p>`}
<p class="printed">${words.localTimes}</p>
${destinations.length > 0 && html`<p class="soft">${bdis(destinations, ' · ')}</p>`}
${cancelled && html`<p class="notice">${words.cancelled}</p>`}
${summary && html`<p class="summary text" dir="auto">${summary}</p>`}
${travelers?.length ? html`<dl class="people"><dt>${words.travelers}</dt><dd>${bdis(travelers, ', ')}</dd></dl>` : null}
${calendar && html`<a class="button" href="${calendar}">${words.calendar}</a>`}`
}

const between = (parts: readonly HtmlContent[], sign: string): HtmlContent[] =>
  parts.flatMap((part, at) => (at > 0 ? [sign, part] : [part]))
/** Names side by side, each written in its own direction. */
const bdis = (names: readonly string[], sign: string): HtmlContent[] =>
  between(
    names.map((name) => html`<bdi>${name}</bdi>`),
    sign,
  )

const dayList = (days: readonly PublicDay[], words: Words): Html =>
  html`<nav aria-label="${words.days}"><ol>${days.map(
    ({ number, date }) =>
      html`<li><a href="#day-${number}">${date ? shortDay(date, words) : words.day(number)}</a></li>`,
  )}</ol></nav>`

function daySection(day: PublicDay, longs: readonly Long[], words: Words): Html {
  const { number, date, title, description, cover, segments } = day
  const location = townOf(day, words)
  const heading = date ? longDay(date, words) : words.day(number)
  const above = [date && html`${words.day(number)}`, location && html`<bdi>${location}</bdi>`].filter((part) => part)
  const leaving = longs.filter(({ type, to }) => type === 'lodging' && to === date)
  const lasting = longs.filter(
    ({ type, from, to }) => date && from < date && (type === 'lodging' ? date < to : date <= to),
  )
  return html`<section class="day" id="day-${number}">
<header>${above.length > 0 && html`<p class="soft">${between(above, ' · ')}</p>`}<h2>${heading}</h2>
${title && html`<p class="about" dir="auto">${title}</p>`}</header>
${picture(cover, 'wide')}${description && html`<p class="text" dir="auto">${description}</p>`}
${leaving.map((stay) => longLine(words.checkOut, stay, stay.hour))}
${segments.length > 0 && html`<ol role="list">${segments.map((segment) => segmentCard(segment, day, words))}</ol>`}
${lasting.map((long) => longLine(long.type === 'lodging' ? words.overnight : words.kinds[long.type], long))}
</section>
`
}

const longLine = (label: string, { name }: Long, hour: string | null = null): Html =>
  html`<p class="stay">${label}${hour && ` ${hour}`}: <bdi>${name}</bdi></p>`

/** The segments of the whole trip: a day also shows those that began earlier. */
const longsOf = (days: readonly PublicDay[], { language }: Words): Long[] =>
  days.flatMap(({ segments }) =>
    segments.flatMap((segment) => {
      const { type, start, end } = segment
      const name = nameOf(segment, language)
      const isLong = type === 'lodging' || (start && !hourOf(start))
      if (!isLong || !start || !end || !name) return []
      return [{ type, name, from: localDayOf(start), to: localDayOf(end), hour: hourOf(end) }]
    }),
  )
