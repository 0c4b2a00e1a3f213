import type { FormOfPayment } from '../../ticket-file.ts'
import { withoutCards } from '../printed.ts'
import { descendants, element, textAt, type XmlElement } from '../xml/parse-xml.ts'

const KINDS: Readonly<Record<string, FormOfPayment['kind']>> = {
  CA: 'cash',
  CASH: 'cash',
  CC: 'card',
  PAYMENTCARD: 'card',
  CREDITCARD: 'card',
  MS: null,
}

/** How the order was paid; of several ways `mixed`. */
export function formOfPaymentOf(response: XmlElement): FormOfPayment | null {
  const printed = [
    ...descendants(response, 'PaymentTypeCode').map(({ text }) => text),
    ...descendants(response, 'Payment').map(
      (each) => textAt(each, 'Type') ?? textAt(each, 'Type', 'Code') ?? wayOf(each),
    ),
  ]
  const ways = [...new Set(printed.filter((way) => way !== null && way !== ''))] as string[]
  if (ways.length === 0) return null
  const kinds = new Set(ways.map((way) => KINDS[way.toUpperCase().replace(/\s/g, '')] ?? null))
  return { kind: kinds.size > 1 ? 'mixed' : ([...kinds][0] ?? null), text: withoutCards(ways.join(' + ')) }
}

const wayOf = (payment: XmlElement): string | null => element(payment, 'Method')?.children[0]?.name ?? null
