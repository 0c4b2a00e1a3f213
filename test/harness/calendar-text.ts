import { convertIcsCalendar, type IcsEvent } from 'ts-ics'
import { expect } from 'vitest'

const LINE_OCTETS = 75
const TEXT = /^(?:[^\\;,\p{Cc}]|\\[\\;,nN])*$/u
const UTC = /^\d{8}T\d{6}Z$/
const DAY_OR_TIME = /^(?:\d{8}|\d{8}T\d{6}Z?)$/
/** All that our calendars say, and the values that RFC 5545 lets it have. */
const GRAMMAR: Readonly<Record<string, RegExp>> = {
  BEGIN: /^(?:VCALENDAR|VEVENT)$/,
  END: /^(?:VCALENDAR|VEVENT)$/,
  VERSION: /^2\.0$/,
  PRODID: /^-\/\/Backdesk\/\/Trips\/\/EN$/,
  NAME: TEXT,
  'X-WR-CALNAME': TEXT,
  UID: TEXT,
  SEQUENCE: /^\d+$/,
  DTSTAMP: UTC,
  'LAST-MODIFIED': UTC,
  DTSTART: DAY_OR_TIME,
  DTEND: DAY_OR_TIME,
  'X-MICROSOFT-CDO-ALLDAYEVENT': /^(?:TRUE|FALSE)$/,
  'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT': /^(?:TRUE|FALSE)$/,
  TRANSP: /^(?:OPAQUE|TRANSPARENT)$/,
  STATUS: /^(?:TENTATIVE|CONFIRMED|CANCELLED)$/,
  SUMMARY: TEXT,
  DESCRIPTION: TEXT,
  LOCATION: TEXT,
}
const REQUIRED = ['UID', 'DTSTAMP', 'DTSTART']

/** A part of a calendar as written, by the names of its properties. */
export type Written = Readonly<Record<string, string>>
/** An event as written, and as read by another program. */
export type ReadEvent = { readonly written: Written; readonly understood: IcsEvent }

/** The content of a calendar; throws if it does not follow RFC 5545. */
export function readCalendar(text: string): { calendar: Written; events: ReadEvent[] } {
  expect(text).toMatch(/^(?:[^\r\n]+\r\n)+$/)
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(LINE_OCTETS)
  const [calendar, ...written] = partsOf(text.replaceAll('\r\n ', '').trimEnd().split('\r\n')) as [
    Written,
    ...Written[],
  ]
  for (const event of written) expect(Object.keys(event)).toEqual(expect.arrayContaining(REQUIRED))
  const { events = [] } = convertIcsCalendar(undefined, text)
  expect(events.map(({ uid }) => uid)).toEqual(written.map(({ UID }) => UID))
  return { calendar, events: events.map((understood, at) => ({ understood, written: written[at] as Written })) }
}

/** The calendar and each event, which hold each property once. */
function partsOf(lines: readonly string[]): Record<string, string>[] {
  const [parts, open]: [Record<string, string>[], Record<string, string>[]] = [[], []]
  for (const line of lines) {
    const { name = '', value = '' } = /^(?<name>[A-Z-]+)(?:;VALUE=DATE)?:(?<value>.*)$/s.exec(line)?.groups ?? {}
    expect(GRAMMAR[name], line).toBeDefined()
    expect(value).toMatch(GRAMMAR[name] as RegExp)
    if (name.startsWith('DT')) expect(line.includes(';VALUE=DATE:')).toBe(!value.includes('T'))
    if (name === 'BEGIN') {
      expect(value).toBe(open.length === 0 ? 'VCALENDAR' : 'VEVENT')
      open.push({ BEGIN: value })
      parts.push(open.at(-1) as Record<string, string>)
    } else if (name === 'END') expect(open.pop()?.BEGIN).toBe(value)
    else {
      expect(open.at(-1)).not.toHaveProperty(name)
      Object.assign(open.at(-1) as object, { [name]: value })
    }
  }
  expect(open).toEqual([])
  return parts
}

/** `2026-06-12T06:05:00Z`, or a day: readable times of events. */
export const legible = (time: string | undefined): string | undefined =>
  time?.replace(/^(\d{4})(\d\d)(\d\d)/, '$1-$2-$3').replace(/T(\d\d)(\d\d)(\d\d)/, 'T$1:$2:$3')
