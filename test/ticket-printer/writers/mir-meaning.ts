import { BLANK_DOCUMENT } from '../../../src/features/ticket-printer/formats/blank.ts'
import {
  type Commission,
  type Exchange,
  type Fare,
  NO_FARE,
  type PrintedMoney,
  type Tax,
  type TicketDocument,
  type TicketFile,
} from '../../../src/features/ticket-printer/ticket-file.ts'
import { lessOf, sumOf } from './any.ts'
import {
  type Box,
  type MirEmd,
  type MirFare,
  type MirPassenger,
  type MirRefund,
  type MirScenario,
  nameOf,
} from './mir-scenario.ts'
import { legsOf, locatorsOf, passengerOf } from './mir-travel-meaning.ts'

const KINDS = { S: 'cash', CK: 'cash', CC: 'card', IN: 'invoice' } as const
const ACTIONS: Readonly<Record<string, TicketFile['action']>> = {
  H: 'issue',
  A: 'issue',
  F: 'issue',
  I: 'exchange',
  V: 'void',
  S: 'void',
  Z: 'void',
  U: 'restore',
  R: 'refund',
  D: 'refund',
  C: 'refund_cancel',
}

const taxesOf = (taxes: readonly Box[], currency: string): Tax[] =>
  taxes.map(({ code, amount }) => ({ currency, amount, code, nature: null }))
const isNothing = (amount: string) => /^[0.]*$/.test(amount)
const orNone = (money: PrintedMoney): PrintedMoney | null => (isNothing(money.amount) ? null : money)
/** Digits of the header as an amount with this number of decimals. */
const pointed = (digits: string, decimals: number): string => {
  const padded = digits.padStart(decimals + 1, '0')
  const whole = padded.slice(0, padded.length - decimals).replace(/^0+(?=\d)/, '')
  return decimals === 0 ? whole : `${whole}.${padded.slice(-decimals)}`
}
const serialAfter = (number: string, count: number): string =>
  number.slice(0, 3) + String((BigInt(number.slice(3)) + BigInt(count)) % 10_000_000_000n).padStart(10, '0')
const conjunctionsOf = (number: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => serialAfter(number, at + 1))

const fareOf = (fare: MirFare): Fare => ({
  ...NO_FARE,
  base: (!fare.mark && fare.base) || null,
  equivalent: fare.equivalent ?? null,
  taxes: taxesOf(fare.taxes, fare.total.currency),
  exempt: fare.exempt ? [fare.exempt] : [],
  fees: fare.carrierFee ? [{ ...fare.carrierFee, code: 'OB', nature: null }] : [],
  total: fare.total,
})

const MARKS = { IT: 'inclusive_tour', BT: 'bulk' } as const

function netFareOf({ net, fares = [] }: MirScenario, { netInLine, taxes, total }: MirFare): Fare | null {
  const { currency } = total
  const base = netInLine ? { currency, amount: netInLine } : fares.length === 1 ? net : undefined
  if (!base) return null
  const sum = sumOf([base.amount, ...taxes.map(({ amount }) => amount)])
  return { ...NO_FARE, base, taxes: taxesOf(taxes, currency), total: { currency, amount: sum } }
}

function paymentOf(scenario: MirScenario, passenger: number): TicketDocument['formOfPayment'] {
  const { payments = [] } = scenario
  const isAlone = scenario.passengers.length === 1
  const theirs = payments.filter(({ passengers }) => isAlone || !passengers || passengers.includes(passenger + 1))
  const kinds = [...new Set(theirs.map(({ type }) => KINDS[type as keyof typeof KINDS] ?? null))]
  const [kind = null] = kinds
  const print = ({ type, card, text }: (typeof payments)[number]) => {
    const number = card && card.number.slice(0, -4).replace(/./g, 'X') + card.number.slice(-4)
    const approval = card?.approval.replace(/.(?=..)/g, 'X')
    return [type, card?.company, number, card?.expires, approval, text].filter(Boolean).join(' ')
  }
  return theirs.length === 0 ? null : { kind: kinds.length > 1 ? 'mixed' : kind, text: theirs.map(print).join(' + ') }
}

function exchangeOf(scenario: MirScenario, passenger: number): Exchange | null {
  const { exchanges = [], apolloExchange: apollo, payments = [], passengers } = scenario
  const item = passengers[passenger]?.exchange
  if (item === undefined) return null
  const exchange = exchanges[item - 1]
  const currency = scenario.fares?.[0]?.total.currency ?? scenario.currency
  const paid = payments.find((each) => passengers.length === 1 || each.passengers?.includes(passenger + 1))
  const additionalCollection = paid ? { currency, amount: paid.amount } : null
  if (apollo) {
    const numbers = [apollo.original, ...conjunctionsOf(apollo.original, apollo.books - 1)]
    return {
      originals: numbers.map((number) => ({ number, coupons: null })),
      additionalCollection,
      fareDifference: null,
      residual: null,
      penalty: orNone({ currency: apollo.currency, amount: apollo.penalty }),
    }
  }
  if (!exchange) return null
  const pay = (digits: string): PrintedMoney => ({
    currency: exchange.currency,
    amount: pointed(digits, scenario.decimals),
  })
  return {
    originals: [{ number: exchange.original, coupons: exchange.coupons.trim() }],
    additionalCollection: exchange.type === 'E' && !paid ? { currency, amount: '0' } : additionalCollection,
    fareDifference: null,
    residual: exchange.type === 'R' ? orNone(pay(exchange.difference)) : null,
    penalty: exchange.penalty ? orNone(pay(exchange.penalty)) : null,
  }
}

function paidTaxesOf({ passengers, exchanges = [] }: MirScenario, passenger: number): Tax[] {
  const exchange = exchanges[(passengers[passenger]?.exchange ?? 0) - 1]
  return exchange ? taxesOf(exchange.taxes, exchange.currency) : []
}

function commissionOf({ commission = '', commissionRate = '', decimals }: MirScenario): Commission | null {
  const rate = isNothing(commissionRate) ? null : pointed(commissionRate, 2)
  const amount = isNothing(commission) ? null : pointed(commission, decimals)
  return rate || amount ? { rate, amount } : null
}

function ticketOf(scenario: MirScenario, passenger: MirPassenger, at: number): TicketDocument[] {
  if (!passenger.serial) return []
  const number = scenario.airline.numeric + passenger.serial
  const bare = {
    ...BLANK_DOCUMENT,
    number,
    kind: 'ticket' as const,
    conjunctions: conjunctionsOf(number, (passenger.books ?? 1) - 1),
    passenger: at,
    airline: scenario.airline.code,
  }
  if (!'HA'.includes(scenario.command)) return [bare]
  const { mco } = scenario
  const fare = scenario.fares?.[(passenger.fare ?? 1) - 1]
  const ticket: TicketDocument = {
    ...bare,
    issuedOn: passenger.ticketedOn ?? scenario.day,
    fare: {
      ...(fare ? fareOf(fare) : NO_FARE),
      paidTaxes: paidTaxesOf(scenario, at),
    },
    fareCalculation: fare?.calculation ?? null,
    fareMark: fare?.mark ? MARKS[fare.mark] : null,
    netFare: fare ? netFareOf(scenario, fare) : null,
    sellingFare: fare?.selling
      ? { ...NO_FARE, ...fare.selling, taxes: taxesOf(fare.taxes, fare.total.currency) }
      : null,
    commission: commissionOf(scenario),
    serviceFee: scenario.serviceFees?.find(({ name }) => name === nameOf(passenger))?.fee ?? null,
    formOfPayment: paymentOf(scenario, at),
    tourCode: scenario.tourCode ?? scenario.agreement ?? null,
    endorsement: (scenario.legs?.length && fare?.endorsements?.join(' ')) || null,
    exchange: exchangeOf(scenario, at),
  }
  if (!mco) return [ticket]
  const service = { coupon: 1, rfic: null, rfisc: null, text: mco.reason, from: null, to: null }
  return [{ ...ticket, kind: 'mco', endorsement: mco.endorsement, associatedWith: mco.ticket, services: [service] }]
}

function emdOf(scenario: MirScenario, emd: MirEmd): TicketDocument {
  const bare = { ...BLANK_DOCUMENT, number: emd.number, kind: 'emd' as const, passenger: emd.passenger - 1 }
  if (!'FHIA'.includes(scenario.command)) return { ...bare, airline: scenario.airline.code }
  const { legs = [] } = scenario
  const detail = emd.coupons.flatMap(({ taxes = [], total }) => taxesOf(taxes, total.currency))
  const together = emd.tax ? [{ ...emd.tax, code: 'XT', nature: null }] : []
  return {
    ...bare,
    airline: emd.airline,
    issuedOn: scenario.day,
    fare: {
      ...NO_FARE,
      base: emd.base,
      equivalent: emd.equivalent ?? null,
      rate: emd.rate ?? null,
      taxes: detail.length > 0 ? detail : together,
      paidTaxes: paidTaxesOf(scenario, scenario.command === 'I' ? emd.passenger - 1 : -1),
      total: emd.total,
    },
    formOfPayment: { kind: KINDS[emd.payment as keyof typeof KINDS] ?? null, text: emd.payment },
    endorsement: emd.endorsement ?? null,
    associatedWith: emd.coupons.find(({ ticket }) => ticket)?.ticket ?? emd.related ?? null,
    services: emd.coupons.map((coupon, at) => ({
      coupon: at + 1,
      rfic: emd.rfic,
      rfisc: coupon.rfisc,
      text: coupon.text,
      from: coupon.from,
      to: legs[coupon.segment - 1]?.to ?? null,
    })),
    exchange: scenario.command === 'I' ? exchangeOf(scenario, emd.passenger - 1) : null,
  }
}

const paidBackBy = ({ paidBack }: MirRefund): TicketDocument['formOfPayment'] =>
  paidBack
    ? {
        kind: KINDS[paidBack.type as keyof typeof KINDS] ?? 'card',
        text: `${paidBack.type} ${paidBack.number.replace(/\d(?=\d{4})/g, 'X')}`.trim(),
      }
    : null

const refundsOf = (scenario: MirScenario): TicketDocument[] =>
  (scenario.refunds ?? []).map((refund) => {
    const { currency } = refund
    const pay = (amount: string): PrintedMoney => ({ currency, amount })
    const further = refund.last ? Number(BigInt(refund.last.slice(0, 13)) - BigInt(refund.number)) : 0
    const { rate = '0', amount = '0' } = refund.commission ?? {}
    const recall = { rate: isNothing(rate) ? null : rate, amount: isNothing(amount) ? null : amount }
    const isDone = scenario.command !== 'C'
    const passenger = scenario.passengers.findIndex((each) => nameOf(each) === refund.name)
    return {
      ...BLANK_DOCUMENT,
      number: refund.number,
      kind: scenario.command === 'D' ? 'emd' : 'ticket',
      conjunctions: conjunctionsOf(refund.number, further),
      passenger,
      airline: scenario.airline.code,
      issuedOn: isDone ? scenario.day : null,
      formOfPayment: isDone ? (paymentOf(scenario, passenger) ?? paidBackBy(refund)) : null,
      refund: isDone
        ? {
            gross: pay(refund.base),
            used: orNone(pay(refund.used)),
            refundable: pay(lessOf(refund.base, refund.used)),
            penalty: orNone(pay(refund.penalty)),
            otherFees: null,
            taxes: taxesOf(refund.taxes, currency),
            taxTotal: null,
            commissionRecall: recall.rate || recall.amount ? recall : null,
            total: pay(refund.total),
            coupons: refund.coupons.trim(),
            originallyIssuedOn: refund.issuedOn,
          }
        : null,
    }
  })

function documentsOf(scenario: MirScenario): TicketDocument[] {
  const { command, passengers, emds = [] } = scenario
  if (scenario.refunds) return refundsOf(scenario)
  const tickets = 'FZDI'.includes(command) ? [] : passengers.flatMap((each, at) => ticketOf(scenario, each, at))
  return [...tickets, ...emds.map((emd) => emdOf(scenario, emd))]
}

/** The expected result of parsing a MIR of this scenario. */
export function meaningOf(scenario: MirScenario): TicketFile {
  const { airline, apollo = false, command } = scenario
  const documents = documentsOf(scenario)
  const isExchange = documents.some(({ exchange }) => exchange !== null)
  const action = ACTIONS[command] ?? 'itinerary'
  const done = documents.length > 0 ? action : 'itinerary'
  return {
    remarks: [
      ...(scenario.remarks ?? []).map((remark) => `FT-${remark}`),
      ...(scenario.mco ? [`${scenario.mco.to} ISTANBUL`] : []),
      ...(scenario.refunds ?? []).flatMap(({ authority }) => (authority ? [`AU:${authority}`] : [])),
    ],
    provider: apollo ? 'apollo' : 'galileo',
    format: 'mir',
    version: '92',
    action: done === 'issue' && isExchange ? 'exchange' : done,
    training: false,
    made: { day: scenario.day, time: scenario.time, zone: apollo ? null : 'UTC' },
    part: null,
    pnr: scenario.pnr === 'ZZZZZZ' ? null : scenario.pnr,
    airlineLocators: locatorsOf(scenario),
    bookingOffice: scenario.bookingOffice || null,
    ticketingOffice: scenario.ticketingOffice || null,
    bookingAgent: scenario.bookingAgent || null,
    ticketingAgent: scenario.ticketingAgent || null,
    iataNumber: scenario.iataNumber || null,
    clientAccount: scenario.account ?? null,
    issuedOn: documents.find(({ issuedOn }) => issuedOn)?.issuedOn ?? scenario.day,
    ticketingDeadline: null,
    bsp: documents.length > 0 && scenario.iataNumber !== '',
    validatingAirline: { code: airline.code, numeric: airline.numeric || null, name: airline.name },
    passengers: scenario.passengers.map((passenger, at) => passengerOf(passenger, at, scenario)),
    legs: legsOf(scenario),
    documents,
    warnings: [],
  }
}
