import { cutRecord, EMD, EMD_COUPON, type RecordFields } from './columns.ts'
import type { IurRecord } from './records.ts'

export type EmdCoupon = RecordFields<typeof EMD_COUPON>

/** The line of a coupon: its number, and its fare of 18 columns. */
const COUPON = /^\d\d[ \d.]{18}/
const COUPON_LENGTH = EMD_COUPON.day[0] + EMD_COUPON.day[1] - 1

/**
 * Whether the record has a complete line for every coupon that it counts; `open` is the last line of an unterminated
 * file.
 */
export const hasCoupons = (record: IurRecord, open: string | null = null): boolean =>
  couponsOf(record).length >= Number(cutRecord(record.line, EMD).coupons || Number.NaN) &&
  (open === null || open.length >= COUPON_LENGTH)

/**
 * The lines of coupons, which count from 1. Lines of further taxes and of where to present the coupon stand between
 * them.
 */
export function couponsOf({ lines }: IurRecord): EmdCoupon[] {
  const coupons: EmdCoupon[] = []
  for (const line of lines) {
    const coupon = COUPON.test(line) ? cutRecord(line, EMD_COUPON) : null
    if (coupon && Number(coupon.number) === coupons.length + 1) coupons.push(coupon)
  }
  return coupons
}

/** The lines of the fare calculation and of the endorsement stand before the coupons; a missing one is blank. */
export function textsOf({ line, lines }: IurRecord): { calculation: string; endorsement: string } {
  const { hasEndorsement } = cutRecord(line, EMD)
  const end = lines.findIndex((each) => COUPON.test(each))
  const before = lines.slice(0, Math.max(0, end)).map((each) => each.trim())
  const [calculation = '', endorsement = ''] =
    before.length > 1 ? before : hasEndorsement === 'Y' ? ['', ...before] : before
  return { calculation, endorsement }
}
