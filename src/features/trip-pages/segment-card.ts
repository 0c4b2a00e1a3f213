import { type Html, type HtmlContent, html } from '../../platform/page/html.ts'
import { priceText } from '../../platform/page/price.ts'
import {
  daysFrom,
  hourOf,
  instantOf,
  localDayOf,
  minutesBetween,
  shortDay,
  shortRange,
} from '../../platform/page/when.ts'
import { picture, placeLink } from './places.ts'
import type { PublicDay, PublicSegment } from './public-trip.store.ts'
import { type End, endOf, flightOf, nameOf } from './reads/segment-names.ts'
import type { Words } from './reads/words.ts'

const timeTag = (time: string): Html => html`<time>${hourOf(time)}</time>`

/** A segment of a day. */
export function segmentCard(segment: PublicSegment, day: PublicDay, words: Words): Html {
  const { type, description, optional, highlighted, firm, cover, price, currency } = segment
  const name = nameOf(segment, words.language)
  const tags = [!firm && words.unconfirmed, optional && words.optional, highlighted && words.highlight]
  return html`<li${highlighted && html` class="special"`}>${hours(segment, day, words)}<div>
<h3><small>${name && words.kinds[type]}${tags.map((tag) => tag && html` <b>${tag}</b>`)}</small> <bdi>${name ?? words.kinds[type]}</bdi></h3>
${picture(cover, 'wide')}${type === 'flight' && flight(segment, words)}${type === 'lodging' ? nights(segment, words) : wholeDays(segment, words)}
${placeLink(segment, day.location, words)}${description && html`<p class="text" dir="auto">${description}</p>`}
${price && currency && html`<p class="price">${priceText(price, currency, words)}</p>`}
</div></li>
`
}

/** The start and end. A stay's nights and a flight's arrival are shown next to them. */
function hours({ type, start, end, to }: PublicSegment, { date }: PublicDay, words: Words): Html | null {
  if (!start || !hourOf(start)) return null
  const showsLater = type === 'lodging' || (type === 'flight' && to)
  return html`<p class="hour">${date && localDayOf(start) !== date && html`<span>${shortDay(localDayOf(start), words)}</span>`}${timeTag(start)}${
    end && hourOf(end) && !showsLater && html`<span>– ${timeTag(end)}</span>${later(start, end, words)}`
  }</p>`
}

function later(start: string | null, end: string | null, words: Words): Html | null {
  const days = start && end ? daysFrom(start, end) : 0
  return days === 0 ? null : html` <span class="later">${words.daysLater(days)}</span>`
}

function flight(segment: PublicSegment, words: Words): Html {
  const { from, to, start, end, minutes } = segment
  const [departs, arrives] = [endOf(from, words.language), endOf(to, words.language)]
  const takes = minutes ?? minutesBetween(instantOf(start, departs.timeZone), instantOf(end, arrives.timeZone))
  const facts = [flightOf(segment), takes ? words.duration(takes) : null].filter(Boolean).join(' · ')
  const ends = [
    from && flightEnd(words.departure, departs, start && timeTag(start)),
    to && flightEnd(words.arrival, arrives, end && html`${timeTag(end)}${later(start, end, words)}`),
  ]
  return html`${facts && html`<p>${facts}</p>`}${(from || to) && html`<dl>${ends}</dl>`}`
}

const flightEnd = (label: string, { code, city, name }: End, time: HtmlContent): Html =>
  html`<div><dt>${label}</dt>${time && html`<dd class="time">${time}</dd>`}<dd>${city ?? code}</dd>${
    name && html`<dd class="soft">${name} (${code})</dd>`
  }</div>`

function nights({ start, end }: PublicSegment, words: Words): Html | null {
  const count = start && end ? daysFrom(start, end) : 0
  if (!end || count < 1) return null
  return html`<p>${words.nights(count)} · ${words.checkOut} ${shortDay(localDayOf(end), words)}${hourOf(end) && html` ${timeTag(end)}`}</p>`
}

/** The days of what takes several, and of which no hour is known. */
function wholeDays({ start, end }: PublicSegment, words: Words): Html | null {
  if (!start || !end || hourOf(start) || daysFrom(start, end) < 1) return null
  return html`<p>${shortRange(localDayOf(start), localDayOf(end), words)}</p>`
}
