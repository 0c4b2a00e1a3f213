import type { FormOfPayment } from '../../ticket-file.ts'
import { paidIn } from '../payments.ts'
import { elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

const KINDS: Readonly<Record<string, FormOfPayment['kind']>> = {
  CA: 'cash',
  НА: 'cash',
  CC: 'card',
  ПК: 'card',
  INV: 'invoice',
  IN: 'invoice',
}
/** The kind, its owner, and its series and number. */
const PARTS = ['TYPE', 'ORG', 'DOCSER', 'DOCNUM', 'DOCINFO'] as const

export const sirenaPaymentOf = (ticket: TicketXmlElement): FormOfPayment | null =>
  paidIn(
    elements(ticket, 'FOPS', 'FOP').flatMap((payment): FormOfPayment[] => {
      const type = textAt(payment, 'TYPE')
      const text = PARTS.flatMap((part) => textAt(payment, part) ?? []).join(' ')
      return text === '' ? [] : [{ kind: KINDS[type ?? ''] ?? null, text }]
    }),
  )
