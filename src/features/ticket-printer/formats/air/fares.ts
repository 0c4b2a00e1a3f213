import { type Fare, NO_FARE, type Tax, type TicketDocument } from '../../ticket-file.ts'
import { printedText } from '../printed.ts'
import { sumOf } from '../sums.ts'
import type { Warn } from '../warnings.ts'
import { isSameMoney, moneyBeside, moneyInText } from './amounts.ts'
import { field, type Line } from './lines.ts'

/** The published, selling and net fare, each with its taxes, in order of preference for the traveller's price. */
const FAMILIES = [
  { fare: 'K-', taxes: 'KFT' },
  { fare: 'KS-', taxes: 'KST' },
  { fare: 'KN-', taxes: 'KNT' },
] as const
type Family = (typeof FAMILIES)[number]
/** A family whose line is not empty. */
type PrintedFare = Family & { readonly line: Line }
/** Issue identifiers of tickets issued in exchange. */
const REISSUED = ['R', 'W']
/** Marks of fares that a ticket does not print, and the same letters where SIA defines how a net fare is printed. */
const MARKS: Readonly<Record<string, TicketDocument['fareMark']>> = { B: 'bulk', W: 'bulk', I: 'inclusive_tour' }
const TOTAL = 12
const RATES = [13, 14] as const
const RATE = /^\d{1,10}(?:\.\d{1,10})?$/
/** The maximum number of taxes in a list. A ticket has one list. */
const MAX_TAXES = 60
const MAX_LISTS = 2
/** `OBT01EUR5.00`; the currency is left out if it equals that of the sum. */
const FEE = /^(OB[A-Z0-9]{0,3})\s*([A-Z]{3})?\s*(\d[\d.]*)$/

export type AirFares = {
  readonly fare: Fare
  readonly netFare: Fare | null
  readonly sellingFare: Fare | null
  readonly fareMark: TicketDocument['fareMark']
  /** Whether the fare has the mark of a reissue. */
  readonly isReissue: boolean
}
export type LinesOfTag = (tag: string) => readonly Line[]

/** The fares of one passenger. The published fare of a net-fare ticket is empty. */
export function readFares(of: LinesOfTag, warn: Warn): AirFares {
  const readable = FAMILIES.flatMap((family) => {
    const line = of(family.fare).find(({ fields }) => fields.some((each) => each.trim() !== ''))
    return line ? [{ ...family, line, isPublished: family === FAMILIES[0] }] : []
  })
  const [first] = readable
  const hasPublished = first?.isPublished === true
  const fareAt = (printed: PrintedFare | undefined) => (printed ? readFare(printed, hasPublished, of, warn) : null)
  const ids = readable.map(({ line }) => field(line, 0).slice(0, 1))
  const beside = (tag: Family['fare']) => fareAt(readable.find((each) => each !== first && each.fare === tag))
  return {
    fare: fareAt(first) ?? NO_FARE,
    netFare: beside('KN-'),
    sellingFare: beside('KS-'),
    fareMark: [...ids, field(of('SIA')[0], 0).slice(0, 1)].map((id) => MARKS[id] ?? null).find(Boolean) ?? null,
    isReissue: ids.some((id) => REISSUED.includes(id)),
  }
}

/** `FEUR318.00     ;KWD104.000    ;;;;;;;;;;;KWD230.150    ;0.32512198 ;;` */
function readFare({ line, taxes }: PrintedFare, hasPublished: boolean, of: LinesOfTag, warn: Warn): Fare {
  const printed = { base: field(line, 0).slice(1), equivalent: field(line, 1), total: field(line, TOTAL) }
  const currency = [printed.total, printed.equivalent, printed.base]
    .map((each) => each.slice(0, 3).trim())
    .find(Boolean)
  return {
    base: moneyInText(printed.base, 'fare', warn),
    equivalent: moneyInText(printed.equivalent, 'equivalent fare', warn),
    rate: rateOf(RATES.map((at) => field(line, at))),
    ...taxesOf(listedTaxes(taxes, hasPublished, of), of, currency ?? '', warn),
    fees: feesOf(of('ATF-')[0], warn),
    total: moneyInText(printed.total, 'total', warn),
  }
}

/** Two rates convert through a third currency, so neither is from the fare's currency to the sale's. */
export function rateOf(printed: readonly string[]): string | null {
  const rates = printed.map((each) => each.trim()).filter((each) => RATE.test(each))
  return rates.length === 1 ? (rates[0] ?? null) : null
}

type Taxes = Pick<Fare, 'taxes' | 'paidTaxes' | 'exempt'>

function taxesOf(listed: readonly Line[], of: LinesOfTag, currency: string, warn: Warn): Taxes {
  if (listed.length > 0) {
    const items = listed.slice(0, MAX_LISTS).flatMap((line) => line.fields.slice(1, MAX_TAXES + 1))
    return taxesIn(items.map(taxItemOf), currency, warn)
  }
  // Paper tickets print three boxes, the last of which is the sum of the others. They have no indicator.
  const boxes = FAMILIES.some((each) => of(each.taxes).length > 0) ? [] : of('TAX-').flatMap((line) => line.fields)
  return taxesIn(
    boxes.map((box) => taxItemOf(` ${box}`)),
    currency,
    warn,
  )
}

/** Without a published fare, its list of taxes can belong to another fare. */
function listedTaxes(tag: Family['taxes'], hasPublished: boolean, of: LinesOfTag): readonly Line[] {
  const own = of(tag)
  return own.length > 0 || hasPublished ? own : of(FAMILIES[0].taxes)
}

export type TaxItem = {
  readonly indicator: string
  readonly currency: string
  readonly amount: string
  readonly code: string
  readonly nature: string
}
/** Digits alone are the end of an amount that is too long for its column. */
const TAX_CODE = /^(?=.*[A-Z])[A-Z0-9]{2,4}$/
/** ` KWD61.700   YQ AC`: indicator, currency, amount, code and nature. */
export const taxItemOf = (printed: string): TaxItem => ({
  indicator: printed.slice(0, 1).trim(),
  currency: printed.slice(1, 4).trim(),
  amount: printed.slice(4, 13).trim(),
  code: printed.slice(13, 16).trim(),
  nature: printed.slice(16, 18).trim(),
})

/**
 * Splits taxes into those to pay, those paid with the old document (`O`, or `PD` in place of a currency), and
 * exemptions.
 */
export function taxesIn(items: readonly TaxItem[], currency: string, warn: Warn): Taxes {
  const printed = items.filter((item) => item.amount !== '')
  const isPaid = (item: TaxItem) => item.indicator === 'O' || item.currency === 'PD'
  const due = printed.filter((item) => item.amount !== 'EXEMPT')
  return {
    taxes: airTaxList(
      due.filter((item) => !isPaid(item)),
      warn,
    ),
    paidTaxes: airTaxList(
      due.filter(isPaid).map((item) => (item.currency === 'PD' ? { ...item, currency } : item)),
      warn,
    ),
    exempt: printed.filter((item) => item.amount === 'EXEMPT' && item.code !== '').map((item) => item.code),
  }
}

export const airTaxList = (items: readonly TaxItem[], warn: Warn): Tax[] =>
  items.flatMap((item) => {
    const money = moneyBeside(item.currency, item.amount, `tax ${item.code}`.trim(), warn)
    const isCoded = TAX_CODE.test(item.code)
    if (money && !isCoded) warn('tax_code', 'A tax has no code and was left out. Enter it by hand.')
    return money && isCoded ? [{ code: item.code, nature: printedText(item.nature), ...money }] : []
  })

/** `EUR5.00;EUR505.00;OBT01EUR5.00`: the sum of the fees, the total including them, and each fee. */
function feesOf(line: Line | undefined, warn: Warn): Tax[] {
  const sum = moneyInText(field(line, 0), 'sum of the airline fees', warn)
  if (!sum) return []
  const fees = (line?.fields ?? []).slice(2).flatMap((printed) => {
    const [, code, currency = sum.currency, amount = ''] = FEE.exec(printed.trim()) ?? []
    const money = code ? moneyBeside(currency, amount, `airline fee ${code}`, warn) : null
    return code && money ? [{ code, nature: null, ...money }] : []
  })
  const added = sumOf(fees)
  return added && isSameMoney(added, sum) ? fees : [{ code: 'OB', nature: null, ...sum }]
}
