import { type Fare, NO_FARE, type PrintedMoney } from '../../ticket-file.ts'
import { moneyOf } from '../printed.ts'
import { type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

/** What a total is made of beside the fare. Pegasus prints no tax codes: a charge has its name, shortened. */
const CHARGES = [
  { name: 'TAX', code: 'TAX' },
  { name: 'SURCHARGE', code: 'SURCHARGE' },
  { name: 'SERVICE_FEE', code: 'SERVICE' },
  { name: 'FF_AMOUNT', code: 'FF' },
  { name: 'OTHER_AMOUNT', code: 'OTHER' },
] as const
const AMOUNTS = ['FARE', 'TOTAL_AMOUNT', ...CHARGES.map(({ name }) => name)]

export function fareOfTicket(ticket: TicketXmlElement): Fare {
  const taxes = CHARGES.flatMap(({ name, code }) => {
    const charge = moneyAt(ticket, name)
    return charge && Number(charge.amount) > 0 ? [{ ...charge, code, nature: null }] : []
  })
  return { ...NO_FARE, base: moneyAt(ticket, 'FARE'), taxes, total: moneyAt(ticket, 'TOTAL_AMOUNT') }
}

/** Whether an amount is printed that cannot be read. */
export const isFareSpoilt = (ticket: TicketXmlElement): boolean =>
  AMOUNTS.some((name) => textAt(ticket, name) !== null && !moneyAt(ticket, name))

const moneyAt = (ticket: TicketXmlElement, name: string): PrintedMoney | null =>
  moneyOf(textAt(ticket, 'CURRENCY') ?? undefined, textAt(ticket, name) ?? undefined)
