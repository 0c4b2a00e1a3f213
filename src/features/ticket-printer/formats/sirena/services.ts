import type { TicketService } from '../../ticket-file.ts'
import { element, elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

/** What an EMD or MCO pays for: its coupons, otherwise its type, a word such as `PENALTY` or `EXC_BAGG`. */
export function servicesOf(ticket: TicketXmlElement): readonly TicketService[] {
  const type = element(ticket, 'MCO_TYPE')
  const codes = { rfic: type?.attributes.rfic || null, rfisc: type?.attributes.rfisc || null }
  const coupons = elements(ticket, 'EMDCOUPONS', 'EMDCOUPON')
  if (coupons.length === 0)
    return type && (type.text || codes.rfic || codes.rfisc)
      ? [{ coupon: 1, ...codes, text: type.text || null, from: null, to: null }]
      : []
  return coupons.map((coupon, at) => ({
    coupon: Number(/^\d{1,2}$/.exec(coupon.attributes.number ?? textAt(coupon, 'COUPON_NO') ?? '')?.[0] ?? at + 1),
    rfic: coupon.attributes.rfic || textAt(coupon, 'RFIC') || codes.rfic,
    rfisc: coupon.attributes.rfisc || textAt(coupon, 'RFISC') || codes.rfisc,
    text: textAt(coupon, 'REASON') ?? (type?.text || null),
    from: null,
    to: null,
  }))
}
