import { type Fare, NO_FARE, type PrintedMoney, type TicketDocument, type TicketService } from '../../ticket-file.ts'
import { printedText, withoutLikelyCards } from '../printed.ts'
import { sumOf, UNCODED } from '../sums.ts'
import type { Warn } from '../warnings.ts'
import { isSameMoney, moneyInText } from './amounts.ts'
import { rateOf, type TaxItem, taxesIn, taxItemOf } from './fares.ts'
import { numericIn } from './header.ts'
import { type Air, everyLine, field, type Line } from './lines.ts'

/** Fields of EMD: one coupon, and the amounts of its whole document. */
const EMD = {
  carrier: 1,
  numeric: 2,
  document: 5,
  coupon: 6,
  from: 10,
  to: 11,
  rfic: 15,
  rfisc: 17,
  text: 18,
  issue: 27,
  base: 28,
  equivalent: 30,
  taxes: [33, 132],
  charges: [],
  total: 132,
  rates: [133, 134],
} as const
/** Fields of MCO. */
const MCO = {
  carrier: 1,
  numeric: 2,
  reason: 9,
  text: 10,
  issue: 13,
  base: 14,
  equivalent: 16,
  taxes: [17, 47],
  charges: [47, 57],
  total: 48,
  rates: [49, 50],
  connected: 51,
} as const
/** The issue identifier of a document issued in exchange. */
const REISSUED = 'R'

/** A miscellaneous document from its own lines; its number is printed with the passenger. */
export type Miscellaneous = Pick<TicketDocument, 'fare' | 'fareCalculation' | 'services' | 'associatedWith'> & {
  readonly carrier: string | null
  readonly isReissue: boolean
}

const NOTHING: ReadonlyMap<string, Miscellaneous> = new Map()

/** By the identifiers in the passenger's lines: `D9` for EMDs, `L4` for MCOs. */
export function readMiscellaneous(air: Air, warn: Warn): ReadonlyMap<string, Miscellaneous> {
  if (!air.every.has('EMD') && !air.every.has('MCO')) return NOTHING
  const coupons = Map.groupBy(everyLine(air, 'EMD'), (line) => field(line, EMD.document).trim())
  const tickets = new Map(everyLine(air, 'ICW').map((line) => [line.document, ticketIn(field(line, 0))] as const))
  const calculations = new Map(everyLine(air, 'EMQ-').map((line) => [line.document, freeText(field(line, 0))] as const))
  const emds = [...coupons].map(([key, lines]) => {
    const beside = { associatedWith: tickets.get(key) ?? null, fareCalculation: calculations.get(key) ?? null }
    return [key, { ...readEmd(lines, warn), ...beside }] as const
  })
  const mcos = everyLine(air, 'MCO').map((line) => [`L${elementOf(line)}`, readMco(line, warn)] as const)
  return new Map([...emds, ...mcos])
}

/** The 13-digit number in `2292400000001E1`, which can have a hyphen behind the airline. */
export function ticketIn(printed: string): string | null {
  const [, airline, serial] = /^(\d{3})-?(\d{10})(?!\d)/.exec(printed.trim()) ?? []
  return airline && serial ? airline + serial : null
}

/** `004SU`: element 4 and the airline. */
const elementOf = (line: Line): number => Number(/^\d{1,4}/.exec(field(line, MCO.carrier))?.[0] ?? Number.NaN)

const carrierOf = (line: Line | undefined): string | null =>
  printedText(field(line, EMD.carrier).replace(/^\d{1,4}/, ''))

/** Each coupon repeats the price of the whole document. */
function readEmd(lines: readonly Line[], warn: Warn): Omit<Miscellaneous, 'associatedWith' | 'fareCalculation'> {
  const [first] = lines
  numericIn(field(first, EMD.numeric), warn)
  return {
    carrier: carrierOf(first),
    isReissue: field(first, EMD.issue).trim() === REISSUED,
    services: lines.map(serviceOf),
    fare: fareOf(first, EMD, emdTaxOf, warn),
  }
}

const serviceOf = (line: Line, at: number): TicketService => ({
  coupon: Number(/^\d$/.exec(field(line, EMD.coupon).trim())?.[0] ?? at + 1),
  rfic: printedText(field(line, EMD.rfic)),
  rfisc: printedText(field(line, EMD.rfisc)),
  text: freeText(field(line, EMD.text)),
  from: printedText(field(line, EMD.from)),
  to: printedText(field(line, EMD.to)),
})

function readMco(line: Line, warn: Warn): Miscellaneous {
  numericIn(field(line, MCO.numeric), warn)
  const [rfic, service] = [printedText(field(line, MCO.reason)), freeText(field(line, MCO.text))]
  return {
    carrier: carrierOf(line),
    isReissue: field(line, MCO.issue).trim() === REISSUED,
    associatedWith: ticketIn(field(line, MCO.connected)),
    fareCalculation: null,
    services: [{ coupon: 1, rfic, rfisc: null, text: service, from: null, to: null }],
    fare: fareOf(line, MCO, taxItemOf, warn),
  }
}

const freeText = (printed: string): string | null => printedText(withoutLikelyCards(printed))

/**
 * `TX KWD1.000    YQ  `: a mark of two characters precedes the indicator, and a four-character code replaces the
 * nature.
 */
const emdTaxOf = (printed: string): TaxItem => ({
  ...taxItemOf(printed.slice(2)),
  code: printed.slice(15, 19).trim(),
  nature: '',
})

function fareOf(
  line: Line | undefined,
  at: typeof EMD | typeof MCO,
  taxOf: (printed: string) => TaxItem,
  warn: Warn,
): Fare {
  const taxes = (line?.fields ?? []).slice(...at.taxes).filter((printed) => printed.trim() !== '')
  const fare = {
    ...NO_FARE,
    base: moneyInText(field(line, at.base), 'value', warn),
    equivalent: moneyInText(field(line, at.equivalent), 'equivalent value', warn),
    rate: rateOf(at.rates.map((rate) => field(line, rate))),
    ...taxesIn(taxes.map(taxOf), '', warn),
    total: moneyInText(field(line, at.total), 'total', warn),
  }
  return withCharges(
    fare,
    at.charges.flatMap((charge) => moneyInText(field(line, charge), 'charge', warn) ?? []),
  )
}

/** Charges have no codes. They count as taxes if the total includes them, and otherwise as fees. */
function withCharges(fare: Fare, printed: readonly PrintedMoney[]): Fare {
  const charges = printed.map((money) => ({ code: UNCODED, nature: null, ...money }))
  if (charges.length === 0 || fare.total === null) return fare
  const whole = sumOf([fare.equivalent ?? fare.base, ...fare.taxes, ...charges])
  return whole && isSameMoney(whole, fare.total)
    ? { ...fare, taxes: [...fare.taxes, ...charges] }
    : { ...fare, fees: charges }
}
