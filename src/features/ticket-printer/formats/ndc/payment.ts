import type { FormOfPayment } from '../../ticket-file.ts'
import { paidIn } from '../payments.ts'
import { descendants, element, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

const KINDS: Readonly<Record<string, FormOfPayment['kind']>> = {
  CA: 'cash',
  CASH: 'cash',
  CC: 'card',
  PAYMENTCARD: 'card',
  CREDITCARD: 'card',
}

/** How the order was paid; of several ways `mixed`. */
export function formOfPaymentOf(response: TicketXmlElement): FormOfPayment | null {
  const printed = [
    ...descendants(response, 'PaymentTypeCode').map(({ text }) => text),
    ...descendants(response, 'Payment').map(
      (each) => textAt(each, 'Type') ?? textAt(each, 'Type', 'Code') ?? wayOf(each),
    ),
  ]
  const ways = printed.flatMap((way) => way || [])
  return paidIn(ways.map((text) => ({ kind: KINDS[text.toUpperCase().replace(/\s/g, '')] ?? null, text })))
}

const wayOf = (payment: TicketXmlElement): string | null => element(payment, 'Method')?.children[0]?.name ?? null
