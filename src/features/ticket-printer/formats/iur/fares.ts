import { fixed } from '../../../../platform/money.ts'
import type { Fare, PrintedMoney, Tax } from '../../ticket-file.ts'
import { moneyOf, printedText, withoutLikelyCards } from '../printed.ts'
import { added, sumOf, UNCODED } from '../sums.ts'
import type { Warn } from '../warnings.ts'
import { accountedAmounts, accountedFare, warnOfAccounted } from './accounted-fares.ts'
import type { AccountingLine } from './accounting.ts'
import { firstCurrency, TAXES_TOGETHER, warnOfAmount } from './amounts.ts'
import { cutRecord, FEE, type RecordFields, type TICKET } from './columns.ts'
import { type IurFile, type IurRecord, iurRecords } from './records.ts'

type Ticket = RecordFields<typeof TICKET>
/** The part of the ticket's price that is paid now: all of it, only the difference of an exchange, or nothing. */
type Collected = 'all' | 'more' | 'nothing'
export type TicketFare = {
  readonly fare: Fare
  readonly currency: string | null
  readonly collected: Collected
  readonly calculation: string | null
}
type About = { readonly number: string; readonly warn: Warn }
type Taxes = Pick<Fare, 'taxes' | 'paidTaxes' | 'exempt'>

const NOTHING = 'NO ADC'
const MORE = /^([\d.]+) ?A$/
const PAID = /^PD *([\d.]+)$/
const INCLUSIVE = /^(?:IT|BT|BULK)$/
/** The exchange rate in an endorsement. */
const RATE = /\bBSR(\d{1,9}(?:\.\d{1,8})?)/
/** The maximum length of a fare calculation. */
const CALCULATION = 2000

/** The fare of a ticket record. In an exchange the old taxes are separate, and the total is the collected amount. */
export function ticketFare(
  file: IurFile,
  record: IurRecord,
  ticket: Ticket,
  about: About,
  line?: AccountingLine,
): TicketFare {
  const currency = firstCurrency(ticket.totalCurrency, ticket.equivalentCurrency, ticket.baseCurrency)
  const [collected, total] = totalOf(ticket, currency, about)
  const equivalent = equivalentOf(ticket, about, collected === 'all' ? line : undefined)
  const rate = equivalent ? (RATE.exec(record.lines.join('\n').slice(0, CALCULATION))?.[1] ?? null) : null
  const calculation = calculationOf(file, record, ticket)
  const base = baseOf(ticket, about)
  const uncoded = uncodedTax(ticket, currency, equivalent ?? base, total)
  const taxes = uncoded ?? inDetail(taxesOf(ticket, currency, about), calculation)
  const fare = { base, equivalent, rate, ...taxes, fees: [], total }
  return {
    fare: INCLUSIVE.test(ticket.total) ? withAccounted(fare, ticket, line, about) : fare,
    currency,
    collected,
    calculation: printedText(withoutLikelyCards(calculation)),
  }
}

/**
 * The ticket of an inclusive tour does not show its price. Its accounting line has the price in the currency of the
 * sale, which can differ from that of the fare.
 */
function withAccounted(fare: Fare, ticket: Ticket, line: AccountingLine | undefined, { number, warn }: About): Fare {
  if (!line) {
    warnOfAmount(warn, 'total', number, ticket.total)
    return fare
  }
  const currency = line.currency ?? firstCurrency(ticket.totalCurrency, ticket.equivalentCurrency)
  warnOfAccounted(line, currency, number, warn)
  const { base, taxes, total } = accountedFare(accountedAmounts(line, currency))
  return { ...fare, base: fare.base ?? base, taxes: fare.taxes.length > 0 ? fare.taxes : taxes, total }
}

function baseOf(ticket: Ticket, { number, warn }: About): PrintedMoney | null {
  const base = moneyOf(ticket.baseCurrency, ticket.base)
  if (base === null && ticket.base !== '' && !INCLUSIVE.test(ticket.base))
    warnOfAmount(warn, 'fare', number, ticket.base)
  return base
}

/**
 * If the equivalent fare is unreadable, takes it from the net fare in the same currency or from the accounting line.
 */
function equivalentOf(ticket: Ticket, { number, warn }: About, line: AccountingLine | undefined): PrintedMoney | null {
  const { equivalentCurrency: currency, equivalent: printed } = ticket
  if (printed === '') return null
  const found = [printed, ticket.net, line?.fare ?? '']
    .map((each) => moneyOf(currency, each))
    .find((each) => each !== null)
  if (!found) warnOfAmount(warn, 'equivalent fare', number, printed)
  return found ?? null
}

function totalOf(
  { total }: Ticket,
  currency: string | null,
  { number, warn }: About,
): [Collected, PrintedMoney | null] {
  if (total === NOTHING) return ['nothing', moneyOf(currency ?? '', '0')]
  const more = MORE.exec(total)?.[1]
  const money = moneyOf(currency ?? '', more ?? total)
  if (money === null && !INCLUSIVE.test(total)) warnOfAmount(warn, 'total', number, total)
  return [more === undefined ? 'all' : 'more', money]
}

/** One uncoded tax that completes the total; some systems print no other taxes. */
function uncodedTax(
  { tax1, taxCode1, tax2, tax3 }: Ticket,
  currency: string | null,
  price: PrintedMoney | null,
  total: PrintedMoney | null,
): Taxes | null {
  const tax = moneyOf(currency ?? '', tax1)
  if (tax === null || taxCode1 !== '' || tax2 !== '' || tax3 !== '') return null
  const sum = sumOf([price, tax])
  if (!sum || sum.currency !== total?.currency || fixed(sum.amount) !== fixed(total.amount)) return null
  return { taxes: [{ code: UNCODED, ...tax, nature: null }], paidTaxes: [], exempt: [] }
}

function taxesOf(ticket: Ticket, currency: string | null, { number, warn }: About): Taxes {
  const [taxes, paidTaxes, exempt]: [Tax[], Tax[], string[]] = [[], [], []]
  for (const at of [1, 2, 3] as const) {
    const [printed, code] = [ticket[`tax${at}`], ticket[`taxCode${at}`]]
    if (printed === '') continue
    const paid = PAID.exec(printed)?.[1]
    const money = moneyOf(currency ?? '', paid ?? printed)
    if (printed.startsWith('EXEMPT')) exempt.push(code)
    else if (money === null || code === '') warnOfAmount(warn, `tax ${code}`.trim(), number, printed)
    else (paid === undefined ? taxes : paidTaxes).push({ code, ...money, nature: null })
  }
  return { taxes, paidTaxes, exempt }
}

/** The fare calculation that a ticket refers to, otherwise the one for its passenger type. */
function calculationOf(file: IurFile, { lines: [, items = ''] }: IurRecord, { ptc }: Ticket): string {
  const all = iurRecords(file, 'M6')
  const named = (/^(?:\d\d){1,20}$/.test(items.trim()) ? (items.match(/\d\d/g) ?? []) : []).map(
    (item) => all[Number(item) - 1],
  )
  const found = named.filter((each) => each !== undefined)
  const chosen = found.length > 0 ? found : all.filter(({ line }) => line.slice(2, 5) === ptc)
  return chosen
    .slice(0, 20)
    .map(({ line }) => line.slice(7, CALCULATION))
    .join(' ')
    .slice(0, CALCULATION)
}

/** The remaining taxes one by one, if those in the fare calculation add up to their sum. */
function inDetail({ taxes, paidTaxes, exempt }: Taxes, calculation: string): Taxes {
  return {
    taxes: taxes.flatMap((tax) => detailsOf(tax, calculation, ' XT')),
    paidTaxes: paidTaxes.flatMap((tax) => detailsOf(tax, calculation, ' PD')),
    exempt,
  }
}

function detailsOf(tax: Tax, calculation: string, mark: string): Tax[] {
  const at = calculation.lastIndexOf(mark)
  if (tax.code !== TAXES_TOGETHER || at < 0) return [tax]
  const details = detailsIn(calculation.slice(at + mark.length)).map((detail) => ({ ...tax, ...detail }))
  const sum = details.length > 0 ? added(details.map(({ amount }) => amount)) : null
  return sum !== null && fixed(sum) === fixed(tax.amount) ? details : [tax]
}

/** `733QX114IZ`: amounts and codes up to the first other text, without the airports of a passenger facility charge. */
function detailsIn(printed: string): { amount: string; code: string }[] {
  const found: { amount: string; code: string }[] = []
  const detail = /\s*(\d{1,9}(?:\.\d{1,3})?)([A-Z][A-Z\d])(?:\s?[A-Z]{3}\d{1,2}(?:\.\d{1,2})?)*/y
  for (let match = detail.exec(printed); match; match = detail.exec(printed)) {
    const [, amount = '', code = ''] = match
    found.push({ amount, code })
  }
  return found
}

type Fee = RecordFields<typeof FEE>
/** The airlines' own fees by document, or by passenger if no document is printed. */
export function iurFees(file: IurFile, warn: Warn): (number: string, passenger: string) => Tax[] {
  const printed = iurRecords(file, 'MA').map(({ line }) => cutRecord(line, FEE))
  const charged = printed.filter(({ noCharge }) => ['', 'N', '0'].includes(noCharge))
  const fees = Map.groupBy(charged, ({ ticket, passenger }) => ticket || passenger)
  return (number, passenger) =>
    [...(fees.get(number) ?? []), ...(fees.get(passenger) ?? [])].flatMap((fee) => feeOf(fee, number, warn))
}

function feeOf(fee: Fee, number: string, warn: Warn): Tax[] {
  const money = moneyOf(fee.currency, fee.amount)
  const code = fee.code + fee.subCode
  if (money && code) return [{ code, ...money, nature: null }]
  warnOfAmount(warn, `fee ${code}`.trim(), number, fee.amount)
  return []
}
