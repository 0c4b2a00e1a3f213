import { type Fare, NO_FARE, type PrintedMoney, type Tax } from '../../ticket-file.ts'
import { sumOf } from '../sums.ts'
import { inDetail, printedMoney, taxBoxes, unlessZero } from './amounts.ts'
import { cutLine } from './columns.ts'
import type { Mir } from './mir.ts'
import type { Item } from './sections.ts'

const FARE = {
  item: [3, 2],
  baseCurrency: [5, 3],
  base: [8, 12],
  totalCurrency: [20, 3],
  total: [23, 12],
  equivalentCurrency: [35, 3],
  equivalent: [38, 12],
  taxCurrency: [50, 3],
} as const
const BOXES_AT = 53
const CARRIER_FEES = { item: [5, 2], currency: [7, 3], amount: [10, 12] } as const
/** What airlines' fees for a form of payment or for ticketing are coded as. The section tells no code. */
const CARRIER_FEE = 'OB'
const NET = { currency: [3, 3], amount: [6, 12] } as const

export type MirFares = { readonly of: (item: string) => Fare; readonly netOf: (fare: Fare) => Fare | null }

/** The fares of a file by their numbers. Where there is one alone, it is everybody's. */
export function faresOf(mir: Mir): MirFares {
  const fees = carrierFeesOf(mir)
  const fares = new Map(
    mir.items('A07').map((item) => {
      const { item: number, ...fare } = fareOf(item, mir)
      return [number, { ...fare, fees: fees.get(number) ?? [] }]
    }),
  )
  const only = fares.size === 1 ? [...fares.values()][0] : undefined
  const net = netFareOf(mir, fares.size)
  return {
    of: (item) => fares.get(item) ?? only ?? NO_FARE,
    netOf: (fare) =>
      net && { ...NO_FARE, base: net, taxes: fare.taxes, exempt: fare.exempt, total: sumOf([net, ...fare.taxes]) },
  }
}

function fareOf(item: Item, { warn }: Mir): Fare & { item: string } {
  const fields = cutLine(item.line, FARE)
  const currency = fields.taxCurrency || fields.totalCurrency
  const { taxes, exempt } = taxBoxes(item.line, BOXES_AT, currency, warn)
  return {
    ...NO_FARE,
    item: fields.item,
    base: printedMoney(fields.baseCurrency, fields.base, 'fare', warn),
    equivalent: printedMoney(fields.equivalentCurrency, fields.equivalent, 'equivalent fare', warn),
    taxes: inDetail(taxes, item, currency, warn),
    exempt,
    total: printedMoney(fields.totalCurrency, fields.total, 'total', warn),
  }
}

function carrierFeesOf(mir: Mir): ReadonlyMap<string, readonly Tax[]> {
  return new Map(
    mir.items('A27').map(({ line }) => {
      const { item, currency, amount } = cutLine(line, CARRIER_FEES)
      const fee = unlessZero(printedMoney(currency, amount, "airline's fee", mir.warn))
      return [item, fee ? [{ ...fee, code: CARRIER_FEE, nature: null }] : []]
    }),
  )
}

/** What the airline gets for the fare, where that is another amount than the traveller's. It names no fare. */
function netFareOf(mir: Mir, fares: number): PrintedMoney | null {
  const [item, ...more] = mir.items('A21')
  if (!item) return null
  if (fares > 1 || more.length > 0) {
    mir.warn('net_fare', 'The file does not state which net fare belongs to which fare. Enter the net fares.')
    return null
  }
  const { currency, amount } = cutLine(item.line, NET)
  return unlessZero(printedMoney(currency, amount, 'net fare', mir.warn))
}
