import type { Exchange, FileWarning, FormOfPayment, Passenger, TicketDocument } from '../../ticket-file.ts'
import { BLANK_DOCUMENT, BLANK_PASSENGER } from '../blank.ts'
import { fullDay, lastDay } from '../days.ts'
import { passengerNameOf, typeOfPassenger } from '../names.ts'
import { paidIn } from '../payments.ts'
import { checkDigitHolds, printedText, withoutLikelyCards } from '../printed.ts'
import { unknownCollection, unreadableAmount } from '../warnings.ts'
import {
  isSpoilt,
  isSpoiltFare,
  isSpoiltRefund,
  joinedMoney,
  refundOf,
  tairCommission,
  tairFare,
  tairFees,
} from './money.ts'
import { at, freeText, type TairRecord, taggedText } from './records.ts'

type Made = {
  readonly passengers: readonly Passenger[]
  readonly documents: readonly TicketDocument[]
  readonly warnings: readonly FileWarning[]
}
type Office = { readonly airline: string | null; readonly numeric: string | null; readonly day: string }
/** A passenger's record with those that follow it up to the next. */
type Block = { readonly passenger: TairRecord; readonly rest: readonly TairRecord[] }

const PAYMENTS: Readonly<Record<string, FormOfPayment['kind']>> = { CA: 'cash', CK: 'cash', CC: 'card', AR: 'invoice' }
const EMD_SKIPPED = 3
/** Where a passenger has no ticket because the transaction is of an EMD alone. */
const ONLY_EMD = 'J'
/** `ET-2352400000001-12-…`: the refunded document and its coupons. */
const REFUNDED = /^(\d{13})\d?(?:-([1-4]{1,4}))?/

export function tairDocuments(records: readonly TairRecord[], office: Office): Made {
  const blocks = blocksOf(records)
  const places = new Map(blocks.map(({ passenger }, place) => [nameNumber(at(passenger, 1)), place]))
  const formOfPayment = paymentOf(records)
  const commissions = records.filter(({ id }) => id === '8')
  const documents: TicketDocument[] = []
  const warnings: FileWarning[] = []
  for (const [passenger, block] of blocks.entries()) {
    const commission = commissions.find((record) => ['', at(block.passenger, 3)].includes(at(record, 1)))
    for (const made of [...ticketsOf(block, office, commission), ...emdsOf(block, places, office)]) {
      if ('message' in made) warnings.push(made)
      else documents.push({ ...BLANK_DOCUMENT, formOfPayment, airline: office.airline, passenger, ...made })
    }
  }
  return { passengers: blocks.map(passengerOf), documents, warnings }
}

function blocksOf(records: readonly TairRecord[]): readonly Block[] {
  const starts = records.flatMap(({ id }, place) => (id === 'A' ? [place] : []))
  return starts.map((start, place) => {
    const [passenger, ...rest] = records.slice(start, starts[place + 1]) as [TairRecord, ...TairRecord[]]
    return { passenger, rest }
  })
}

/** The name may end in `*CHD`, which says no more than the type does. */
function passengerOf(block: Block): Passenger {
  const ptc = printedText(at(block.passenger, 3))
  return { ...BLANK_PASSENGER, ...passengerNameOf(at(block.passenger, 2)), type: typeOfPassenger(ptc), ptc }
}

type Part = Omit<Partial<TicketDocument>, 'number' | 'kind'> & Pick<TicketDocument, 'number' | 'kind'>

function ticketsOf({ passenger, rest }: Block, office: Office, commission?: TairRecord): (Part | FileWarning)[] {
  const written = at(passenger, 6)
  const refund = rest.find(({ id }) => id === 'J')
  const [, refunded, coupons = null] = REFUNDED.exec(taggedText(refund, 'ET-') ?? '') ?? []
  if (refunded && refund) {
    const document = { number: refunded, kind: 'ticket', refund: refundOf(refund, coupons) } as const
    return isSpoiltRefund(refund) ? [document, unreadableAmount(refunded)] : [document]
  }
  if (written === '' || written === ONLY_EMD) return []
  const number = numberOf(written, office.numeric)
  if (number === null) return [notANumber(written)]
  const [fare, fees, endorsement] = ['G', 'Y', 'E'].map((wanted) => rest.find(({ id }) => id === wanted))
  const part: Part = {
    number,
    kind: 'ticket',
    issuedOn: dayOf(at(passenger, 7), office.day),
    endorsement: printedText(withoutLikelyCards(freeText(endorsement))),
    ...(fare ? { fare: { ...tairFare(fare), fees: tairFees(fees) } } : {}),
    commission: tairCommission(commission),
    exchange: exchangeOf(rest),
    refund: refund ? refundOf(refund, null) : null,
  }
  const message = `The file does not contain the fare of ${number}. Enter it by hand.`
  const unpriced: FileWarning[] = fare || refund ? [] : [{ code: 'price_unknown', message }]
  return [
    part,
    ...unpriced,
    ...(rest.some((record) => SPOILT[record.id]?.(record)) ? [unreadableAmount(number)] : []),
    ...(part.exchange?.additionalCollection === null ? [unknownCollection(number)] : []),
    ...badCheckDigit(number, written),
  ]
}

/** By the ids of records that hold amounts: whether one is there that cannot be read. */
const SPOILT: Readonly<Record<string, (record: TairRecord) => boolean>> = {
  G: isSpoiltFare,
  J: isSpoiltRefund,
  X: (record) => isSpoilt(record, ['TF-', 'AP-']),
  Y: (record) => isSpoilt(record, ['TOB-']),
}

/** The number before a name, `01` or `1`. */
const nameNumber = (printed: string): string => printed.replace(/^0+/, '')

/** An EMD names its passenger by a number, which is that of a place; else it is of the passenger before it. */
function emdsOf({ rest }: Block, places: ReadonlyMap<string, number>, office: Office): (Part | FileWarning)[] {
  return rest.flatMap((record): (Part | FileWarning)[] => {
    if (record.id !== '-E') return []
    const written = taggedText(record, 'EMD-')?.slice(EMD_SKIPPED) ?? ''
    const [airline, numeric = null] = taggedText(record, 'VC-')?.split('/') ?? []
    const number = numberOf(written, numeric)
    if (number === null) return [notANumber(written)]
    const named = taggedText(record, 'NN-')
    const owner = named === null ? undefined : places.get(nameNumber(named))
    const payment = taggedText(record, 'FP1-')
    const service = {
      rfic: taggedText(record, 'RFI-'),
      rfisc: null,
      text: taggedText(record, 'TS-'),
      from: null,
      to: null,
    }
    return [
      {
        number,
        kind: 'emd',
        airline: airline && /^[A-Z\d]{2}$/.test(airline) ? airline : office.airline,
        issuedOn: office.day,
        fare: { ...BLANK_DOCUMENT.fare, total: joinedMoney(taggedText(record, 'TL-')) },
        services: [{ coupon: 1, ...service }],
        ...(owner !== undefined && { passenger: owner }),
        ...(payment !== null && { formOfPayment: paidIn([wayOf(payment)]) }),
      },
      ...(isSpoilt(record, ['TL-']) ? [unreadableAmount(number)] : []),
      ...badCheckDigit(number, written),
    ]
  })
}

const notANumber = (written: string): FileWarning => ({
  code: 'document_number',
  message: `"${written}" is not a document number. The document was left out.`,
})

/** 13 digits, or the 10 behind the airline's; a check digit may follow. */
function numberOf(written: string, numeric: string | null): string | null {
  const digits = written.replace(/[\s-]/g, '')
  if (/^\d{13,14}$/.test(digits)) return digits.slice(0, 13)
  return /^\d{10}$/.test(digits) && numeric !== null && /^\d{3}$/.test(numeric) ? numeric + digits : null
}

function badCheckDigit(number: string, written: string): FileWarning[] {
  const digit = written.replace(/[\s-]/g, '').slice(13)
  if (digit === '' || checkDigitHolds(number, digit)) return []
  return [{ code: 'check_digit', message: `The check digit ${digit} of ${number} is wrong. Check the number.` }]
}

const dayOf = (printed: string, reference: string): string =>
  fullDay(printed, reference) ?? lastDay(printed, reference) ?? reference

/** The documents given in stand in `D`, what was paid for it in `X`. */
function exchangeOf(rest: readonly TairRecord[]): Exchange | null {
  const originals = rest.filter(({ id }) => id === 'D').flatMap(originalOf)
  const record = rest.find(({ id }) => id === 'X')
  if (!record && originals.length === 0) return null
  const money = (tag: string) => joinedMoney(taggedText(record, tag))
  return { originals, additionalCollection: money('TF-'), fareDifference: null, residual: null, penalty: money('AP-') }
}

function originalOf(record: TairRecord): Exchange['originals'][number][] {
  const written = record.fields.map((field) => field.trim()).find((field) => field !== '') ?? ''
  const number = numberOf(written.slice(1), null)
  return number === null ? [] : [{ number, coupons: null }]
}

function paymentOf(records: readonly TairRecord[]): FormOfPayment | null {
  const printed = records.flatMap((record) => (record.id === '7' ? [at(record, 1)] : []))
  return paidIn(printed.filter((way) => way !== '').map(wayOf))
}

const wayOf = (printed: string): FormOfPayment => ({ kind: PAYMENTS[printed.slice(0, 2)] ?? null, text: printed })
