import { movedDay } from '../days.ts'

/** Day 0 of dates in Clarion, the database that writes these files. */
const DAY_ZERO = '1800-12-28'

export function tktDay(printed: string | null): string | null {
  return /^[1-9]\d{4}$/.test(printed ?? '') ? movedDay(DAY_ZERO, Number(printed)) : null
}
