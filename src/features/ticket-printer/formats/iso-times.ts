import { isDate, readInstant } from '../../../platform/time.ts'
import type { TicketFile } from '../ticket-file.ts'

const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d)/
const OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/i

/** The day of a date or timestamp as printed, whatever its zone; null if there is none. */
export function printedDay(text: string | null): string | null {
  const day = text?.slice(0, 10) ?? ''
  return isDate(day) ? day : null
}

/** `YYYY-MM-DDTHH:MM` of a timestamp in its printed zone; null if there is none. */
export function printedTime(text: string | null): string | null {
  const match = LOCAL.exec(text ?? '')
  return match && isDate(match[1] as string) ? `${match[1]}T${match[2]}` : null
}

/** When a file was made, from a timestamp: in UTC if it has an offset, otherwise in the office's zone. */
export function madeAt(text: string | null): TicketFile['made'] {
  const offset = OFFSET.test(text ?? '') && (text ?? '').includes(':')
  const utc = offset && text ? readInstant(text.replace(/\.(\d{9})\d+/, '.$1'), 'UTC') : null
  const time = utc ? utc.slice(0, 16) : printedTime(text)
  if (time) return { day: time.slice(0, 10), time: time.slice(11), zone: utc ? 'UTC' : null }
  const day = printedDay(text)
  return day === null ? null : { day, time: null, zone: null }
}
