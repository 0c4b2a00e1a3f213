import type { FormOfPayment } from '../../ticket-file.ts'
import { paidIn } from '../payments.ts'
import { descendants, element, firstTextAt, type TicketXmlElement } from '../xml/parse-xml.ts'

const KINDS: Readonly<Record<string, FormOfPayment['kind']>> = {
  CA: 'cash',
  CASH: 'cash',
  CASHMETHOD: 'cash',
  CC: 'card',
  CARD: 'card',
  PAYMENTCARD: 'card',
  CREDITCARD: 'card',
  INV: 'invoice',
  AGT: 'invoice',
  DIRECTBILL: 'invoice',
  LOYALTYREDEMPTION: 'miles',
}
/** Elements around a payment, in versions 17.2 to 21.3. */
const PAYMENTS = ['Payment', 'PaymentInfo', 'PaymentProcessingSummary', 'PaymentProcessingDetails'] as const
const METHODS = ['Method', 'PaymentMethod', 'PaymentProcessingSummaryPaymentMethod'] as const
const CARD = ['CardCode', 'CardBrandCode', 'CreditCardVendorCode', 'MaskedCardNumber', 'MaskedCardID', 'CardNumber']

/** How the order was paid; `mixed` for several ways. The payment is in the order or beside the answer. */
export function formOfPaymentOf(message: TicketXmlElement): FormOfPayment | null {
  const ways = PAYMENTS.flatMap((name) => descendants(message, name)).flatMap((payment) => wayOf(payment) ?? [])
  return paidIn([...new Map(ways.map((way) => [way.text, way])).values()])
}

function wayOf(payment: TicketXmlElement): FormOfPayment | null {
  const method = METHODS.flatMap((name) => element(payment, name)?.children ?? [])[0]
  const printed = firstTextAt(payment, 'TypeCode', 'Type/Code', 'Type', 'PaymentTypeCode')
  const type = printed ?? firstTextAt(method, 'PaymentTypeCode') ?? method?.name ?? null
  if (type === null) return null
  const kind = KINDS[type.toUpperCase().replace(/\s/g, '')] ?? KINDS[method?.name.toUpperCase() ?? ''] ?? null
  return { kind, text: [type, ...CARD.flatMap((part) => firstTextAt(method, part) ?? [])].join(' ') }
}
