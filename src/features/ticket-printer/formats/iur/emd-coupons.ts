import { cutRecord, EMD, EMD_COUPON, type RecordFields } from './columns.ts'
import type { IurRecord } from './records.ts'

export type EmdCoupon = RecordFields<typeof EMD_COUPON>

/** A coupon's line: its number, and its fare of 18 columns. */
const COUPON = /^\d\d[ \d.]{18}/
const COUPON_LENGTH = EMD_COUPON.day[0] + EMD_COUPON.day[1] - 1

/** Whether the record has the line of every coupon that it counts, the one that may still be open to its last field. */
export const hasCoupons = (record: IurRecord, open: string | null = null): boolean =>
  couponsOf(record).length >= Number(cutRecord(record.line, EMD).coupons || Number.NaN) &&
  (open === null || open.length >= COUPON_LENGTH)

/** The coupons' lines are those that count on from the first; lines of further taxes and of whom to present it to lie between. */
export function couponsOf({ lines }: IurRecord): EmdCoupon[] {
  const coupons: EmdCoupon[] = []
  for (const line of lines) {
    const coupon = COUPON.test(line) ? cutRecord(line, EMD_COUPON) : null
    if (coupon && Number(coupon.number) === coupons.length + 1) coupons.push(coupon)
  }
  return coupons
}

/** Before the coupons stand the line of the fare calculation and that of the endorsement, blank where there is none. */
export function textsOf({ line, lines }: IurRecord): { calculation: string; endorsement: string } {
  const { hasEndorsement } = cutRecord(line, EMD)
  const end = lines.findIndex((each) => COUPON.test(each))
  const before = lines.slice(0, Math.max(0, end)).map((each) => each.trim())
  const [calculation = '', endorsement = ''] =
    before.length > 1 ? before : hasEndorsement === 'Y' ? ['', ...before] : before
  return { calculation, endorsement }
}
