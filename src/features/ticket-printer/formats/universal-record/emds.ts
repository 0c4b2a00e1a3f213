import type { Fare, TicketDocument, TicketService } from '../../ticket-file.ts'
import { NO_FARE } from '../../ticket-file.ts'
import { printedDay } from '../iso-times.ts'
import { printedText } from '../printed.ts'
import { descendants, element, elements, type TicketXmlElement } from '../xml/parse-xml.ts'
import { isZeroAmount, prefixedMoney } from './amounts.ts'
import { type StatedDocument, startDocument, statusOf, type UniversalAnswer } from './listed.ts'
import { formOfPaymentFor, paymentsFor } from './payment.ts'
import { printedCommission } from './prices.ts'

/** The code of a tax printed without one. */
const UNCODED = 'XX'
const NUMBER = /^\d{13}$/

/** Electronic miscellaneous documents: complete (`EMDInfo`), or in a list without prices (`EMDSummaryInfo`). */
export const miscellaneousDocuments = (answer: UniversalAnswer): readonly StatedDocument[] =>
  [...descendants(answer.message, 'EMDInfo'), ...descendants(answer.message, 'EMDSummaryInfo')].flatMap((info) =>
    [...elements(info, 'ElectronicMiscDocument'), ...elements(info, 'EMDSummary')].flatMap(
      (printed) => miscellaneous(printed, info, answer) ?? [],
    ),
  )

function miscellaneous(
  printed: TicketXmlElement,
  info: TicketXmlElement,
  answer: UniversalAnswer,
): StatedDocument | null {
  const { attributes } = printed
  const traveller = element(info, 'EMDTravelerInfo')
  const started = startDocument(answer, {
    number: attributes.Number,
    kind: 'emd',
    traveller: undefined,
    name: traveller && element(traveller, 'NameInfo'),
  })
  if (!started) return null
  const coupons = elements(printed, 'EMDCoupon')
  const fare = fareOf(element(info, 'EMDPricingInfo'))
  const associated = attributes.AssociatedTicketNumber ?? ''
  const document: TicketDocument = {
    ...started,
    coupons: coupons.flatMap(({ attributes: { Number: number = '', Status } }) =>
      /^\d{1,2}$/.test(number) && Status ? [{ number: Number(number), status: Status }] : [],
    ),
    airline: attributes.PlatingCarrier ?? started.airline,
    issuedOn: printedDay(attributes.IssueDate ?? null),
    fare,
    commission: printedCommission(element(info, 'EMDCommission') ?? element(info, 'Commission'), fare.total?.currency),
    formOfPayment: formOfPaymentFor(info, paymentsFor(info, undefined)),
    endorsement: printedText(element(info, 'EMDEndorsement')?.text),
    services: coupons.map(serviceOf),
    associatedWith: NUMBER.test(associated) ? associated : null,
  }
  const statuses = new Set(coupons.map((coupon) => statusOf(coupon.attributes.Status)))
  const [ofCoupons = 'issued'] = statuses
  const own = statusOf(attributes.Status)
  return { status: own === 'issued' && statuses.size === 1 ? ofCoupons : own, document }
}

function serviceOf({ attributes }: TicketXmlElement, at: number): TicketService {
  const { Number: number = '', RFIC, RFISC, SvcDescription, RFIDescription, Origin, Destination } = attributes
  return {
    coupon: /^\d{1,2}$/.test(number) ? Number(number) : at + 1,
    rfic: RFIC ?? null,
    rfisc: RFISC ?? null,
    text: printedText(SvcDescription ?? RFIDescription),
    from: Origin ?? null,
    to: Destination ?? null,
  }
}

function fareOf(pricing: TicketXmlElement | undefined): Fare {
  if (!pricing) return NO_FARE
  const { BaseFare, EquivalentFare, TotalFare, TotalTax } = pricing.attributes
  const [base, equivalent, sum] = [prefixedMoney(BaseFare), prefixedMoney(EquivalentFare), prefixedMoney(TotalTax)]
  const listed = elements(pricing, 'TaxInfo').flatMap(({ attributes: { Amount, Category = UNCODED } }) => {
    const money = prefixedMoney(Amount)
    return money ? [{ ...money, code: Category, nature: null }] : []
  })
  const uncoded = sum && !isZeroAmount(sum) ? [{ ...sum, code: UNCODED, nature: null }] : []
  return {
    ...NO_FARE,
    base: base ?? equivalent,
    equivalent: base && equivalent && base.currency !== equivalent.currency ? equivalent : null,
    taxes: listed.length > 0 ? listed : uncoded,
    total: prefixedMoney(TotalFare),
  }
}
