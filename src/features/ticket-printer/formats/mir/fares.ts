import { type Fare, NO_FARE, type PrintedMoney, type Tax, type TicketDocument } from '../../ticket-file.ts'
import { printedText } from '../printed.ts'
import { sumOf } from '../sums.ts'
import { inDetail, isCurrencyCode, printedCurrency, printedMoney, taxBoxes, unlessZero } from './amounts.ts'
import { cutLine } from './columns.ts'
import { isMark, mirFareMark } from './fare-calculations.ts'
import type { Mir } from './mir.ts'
import type { Item } from './sections.ts'

const FARE = {
  item: [3, 2],
  baseCurrency: [5, 3],
  base: [8, 12, 'amount'],
  totalCurrency: [20, 3],
  total: [23, 12, 'amount'],
  equivalentCurrency: [35, 3],
  equivalent: [38, 12, 'amount'],
} as const
const AMOUNTS_END = 50
const CURRENCY_WIDTH = 3
/** Apollo prints the net fare between amounts and taxes, Galileo in A21. */
const NET_TAG = { tag: 'NR:', width: 8 } as const
/** A line A28 is a line A07 with the level before its amounts: the selling or the net fare. */
const LEVEL = { at: 5, width: 1, sold: 'S', net: 'N' } as const
const CARRIER_FEES = { item: [5, 2], currency: [7, 3], amount: [10, 12, 'amount'] } as const
/** The code of airline fees for a form of payment or for ticketing. The section does not contain the code. */
const CARRIER_FEE = 'OB'
const NET = { currency: [3, 3], amount: [6, 12], agreement: [18, 20] } as const

/** The printed data of one fare. */
export type PricedFare = {
  readonly fare: Fare
  readonly fareCalculation: string | null
  readonly fareMark: TicketDocument['fareMark']
  readonly netFare: Fare | null
  readonly sellingFare: Fare | null
}
const NO_PRICE: PricedFare = { fare: NO_FARE, fareCalculation: null, fareMark: null, netFare: null, sellingFare: null }

/** The fares of a file by number. If there is only one, it applies to all passengers. */
export function faresOf(mir: Mir, calculations: ReadonlyMap<string, string>): (item: string) => PricedFare {
  const items = mir.items('A07')
  const fees = carrierFeesOf(mir)
  const net = netFareOf(mir, items.length)
  const levels = mir.items('A28').map((item) => levelOf(item, mir))
  const fares = new Map(
    items.map((item) => {
      const { number, base, netAmount, fare } = fareOf(item, mir)
      const level = (wanted: string) =>
        levels.find((each) => each.number === number && each.level === wanted)?.fare ?? null
      const calculation = calculations.get(number) ?? null
      return [
        number,
        {
          fare: { ...fare, fees: fees.get(number) ?? [] },
          fareCalculation: calculation,
          fareMark: mirFareMark(base, calculation),
          netFare: level(LEVEL.net) ?? withTaxesOf(fare, netAmount ?? net),
          sellingFare: level(LEVEL.sold),
        },
      ]
    }),
  )
  const only = fares.size === 1 ? [...fares.values()][0] : undefined
  return (item) => fares.get(item) ?? only ?? NO_PRICE
}

function levelOf({ line, more }: Item, mir: Mir): { number: string; level: string; fare: Fare } {
  const level = line.slice(LEVEL.at, LEVEL.at + LEVEL.width)
  const asFare = line.slice(0, LEVEL.at) + line.slice(LEVEL.at + LEVEL.width)
  const { number, fare } = fareOf({ line: asFare, more }, mir)
  return { number, level, fare }
}

type FareLine = { number: string; base: string; netAmount: PrintedMoney | null; fare: Fare }

function fareOf(item: Item, { warn }: Mir): FareLine {
  const { line } = item
  const fields = cutLine(line, FARE)
  const hasNet = line.startsWith(NET_TAG.tag, AMOUNTS_END)
  const netAt = AMOUNTS_END + NET_TAG.tag.length
  const taxesAt = hasNet ? netAt + NET_TAG.width : AMOUNTS_END
  const printedTaxCurrency = line.slice(taxesAt, taxesAt + CURRENCY_WIDTH).trim()
  const currencies = [fields.totalCurrency, printedTaxCurrency, fields.equivalentCurrency]
  const sold = currencies.find(isCurrencyCode) ?? ''
  const totalCurrency = printedCurrency(fields.totalCurrency, sold, 'total', warn)
  const taxCurrency = printedCurrency(printedTaxCurrency, sold, 'taxes', warn)
  const { taxes, exempt } = taxBoxes(line, taxesAt + CURRENCY_WIDTH, taxCurrency, warn)
  const netAmount = hasNet ? line.slice(netAt, netAt + NET_TAG.width).trim() : ''
  return {
    number: fields.item,
    base: fields.base,
    netAmount: unlessZero(printedMoney(totalCurrency, netAmount, 'net fare', warn)),
    fare: {
      ...NO_FARE,
      base: isMark(fields.base) ? null : printedMoney(fields.baseCurrency, fields.base, 'fare', warn),
      equivalent: isMark(fields.equivalent)
        ? null
        : printedMoney(fields.equivalentCurrency, fields.equivalent, 'equivalent fare', warn),
      taxes: inDetail(taxes, item, taxCurrency, warn),
      exempt,
      total: isMark(fields.total) ? null : printedMoney(totalCurrency, fields.total, 'total', warn),
    },
  }
}

const withTaxesOf = (fare: Fare, net: PrintedMoney | null): Fare | null =>
  net && { ...NO_FARE, base: net, taxes: fare.taxes, exempt: fare.exempt, total: sumOf([net, ...fare.taxes]) }

function carrierFeesOf(mir: Mir): ReadonlyMap<string, readonly Tax[]> {
  return new Map(
    mir.items('A27').map(({ line }) => {
      const { item, currency, amount } = cutLine(line, CARRIER_FEES)
      const fee = unlessZero(printedMoney(currency, amount, "airline's fee", mir.warn))
      return [item, fee ? [{ ...fee, code: CARRIER_FEE, nature: null }] : []]
    }),
  )
}

/** The airline's amount, if it differs from the traveller's. It is not linked to a fare. */
function netFareOf(mir: Mir, fares: number): PrintedMoney | null {
  const [net, ...more] = mir
    .items('A21')
    .map(({ line }) => cutLine(line, NET))
    .filter(({ amount }) => amount !== '')
  if (!net) return null
  if (fares > 1 || more.length > 0) {
    mir.warn('net_fare', 'The file does not state which net fare belongs to which fare. Enter the net fares.')
    return null
  }
  return unlessZero(printedMoney(net.currency, net.amount, 'net fare', mir.warn))
}

/** The contract of a net fare, which the ticket prints as its tour code. */
export const agreementOf = (mir: Mir): string | null =>
  printedText(cutLine(mir.items('A21')[0]?.line ?? '', NET).agreement)
