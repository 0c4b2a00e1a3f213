import type { FormOfPayment, PrintedMoney } from '../../ticket-file.ts'
import { paidIn } from '../payments.ts'
import { maskedCode } from '../printed.ts'
import { descendants, elements, type TicketXmlElement } from '../xml/parse-xml.ts'
import { prefixedMoney } from './amounts.ts'

const KINDS: Readonly<Record<string, FormOfPayment['kind']>> = {
  Cash: 'cash',
  Check: 'cash',
  Credit: 'card',
  Debit: 'card',
  Card: 'card',
  Invoice: 'invoice',
  Requisition: 'invoice',
  AgencyPayment: 'invoice',
}
const CARDS = new Set(['CreditCard', 'DebitCard'])

/** The payments to which a pricing refers; all payments if it refers to none. */
export function paymentsFor(
  message: TicketXmlElement,
  pricing: TicketXmlElement | undefined,
): readonly TicketXmlElement[] {
  const all = descendants(message, 'Payment')
  const refs = new Set((pricing ? elements(pricing, 'PaymentRef') : []).map(({ attributes }) => attributes.Key))
  const own = all.filter(({ attributes }) => refs.has(attributes.Key))
  return own.length > 0 ? own : all
}

/** The forms of payment of these payments; without a payment, all forms in the answer. */
export function formOfPaymentFor(
  message: TicketXmlElement,
  payments: readonly TicketXmlElement[],
): FormOfPayment | null {
  const forms = descendants(message, 'FormOfPayment')
  const refs = new Set(payments.map(({ attributes }) => attributes.FormOfPaymentRef))
  const used = forms.filter(({ attributes }) => refs.has(attributes.Key))
  return paidIn((used.length > 0 ? used : forms).map(formOf))
}

/** The amount of the payment, if there is only one. */
export const onlyPayment = (payments: readonly TicketXmlElement[]): PrintedMoney | null =>
  payments.length === 1 ? prefixedMoney(payments[0]?.attributes.Amount) : null

/** `Cash`, or a form with details: `Credit VI 4111…/2029-11/ABC123`, a requisition, the ticket given in. */
function formOf(printed: TicketXmlElement): FormOfPayment {
  const type = printed.attributes.Type ?? ''
  const details = printed.children.map(({ name, attributes }) => {
    const { Type, Number: number, ExpDate, ApprovalCode, Category, Text } = attributes
    const parts = CARDS.has(name)
      ? [[Type, number].filter(Boolean).join(' '), ExpDate, ApprovalCode && maskedCode(ApprovalCode)]
      : [Category, Text ?? number]
    return parts.filter(Boolean).join(CARDS.has(name) ? '/' : ' ')
  })
  return { kind: KINDS[type] ?? null, text: [type, ...details].join(' ').trim() }
}
