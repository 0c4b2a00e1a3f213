import type { Tax, TicketDocument, TicketFile } from '../../../src/features/ticket-printer/ticket-file.ts'
import {
  blankIsNull,
  compareKeys,
  compareName,
  type Difference,
  difference,
  each,
  is,
  isoDay,
  keys,
  maskedPayment,
  money,
  notRead,
  plainAmount,
  type Rule,
} from './compare.ts'

type PrintedTax = { ind: string; cur: string; amt: string; code: string; nature: string }
type PrintedFare = {
  issueId: string
  base: readonly [string, string]
  equiv: readonly [string, string] | null
  total: readonly [string, string]
  rate: string
}
type PrintedPassenger = {
  no: string
  name: string
  tickets: readonly { type: string; airline: string; number: string; all: readonly string[] }[]
  misc: readonly string[]
  fm: readonly string[]
  fp: readonly string[]
  fo: readonly string[]
  fh: readonly string[]
  mfp: readonly string[]
  mfm: readonly string[]
  ft: readonly string[]
  tk: readonly string[]
}
type PrintedEmd = {
  ref: string
  coupons: readonly { cpn: string; od: string; type: string; rfic: string; rfisc: string; desc: string }[]
  base: string
  equiv: string
  total: string
}
type PrintedMco = {
  ref: string
  airline: string
  service: string
  base: string
  equiv: string
  taxes: readonly string[]
  total: string
  connTicket: string
}
/** The lines of an AIR, as the samples' expectations name their fields. */
export type AirExpectation = {
  format: string
  version: string
  option: string
  kind: string
  part: string | null
  end: string | null
  pnr: string | null
  airlineLocators: readonly string[] | null
  iata: string | null
  office: string | null
  validatingCarrier: string | null
  agent: string | null
  dates: { pnrCreated: string | null; airCreated: string | null }
  route: readonly string[]
  K?: 'empty' | PrintedFare
  KN?: PrintedFare
  KS?: PrintedFare
  KFTF?: readonly PrintedTax[]
  KFTR?: readonly PrintedTax[]
  KNTB?: readonly PrintedTax[]
  KNTI?: readonly PrintedTax[]
  KSTB?: readonly PrintedTax[]
  KSTI?: readonly PrintedTax[]
  KRF?: readonly PrintedTax[]
  RFD?: Record<string, string>
  emd?: readonly PrintedEmd[]
  mco?: readonly PrintedMco[]
  passengers: readonly PrintedPassenger[]
  note?: readonly string[]
}

const ACTIONS: Readonly<Record<string, string>> = {
  emd: 'issue',
  mco: 'issue',
  refund: 'refund',
  void: 'void',
  'void-cancelled(restored)': 'restore',
  'refund-cancelled': 'refund_cancel',
  'reservation(unticketed)': 'itinerary',
}
/** The links of a line to segments and passengers. */
const ASSOCIATION = /;+[SPDL][\d,;SPDL-]*$/
const plain = (line: string): string => line.replace(ASSOCIATION, '')
const withoutOrigin = (line: string): string => plain(line).replace(/^\*[A-Z]\*/, '')

export function compareAir(expected: AirExpectation, file: TicketFile): Difference[] {
  const tickets = file.documents.filter(({ kind }) => kind === 'ticket')
  /** The tickets of the file, whose passengers all share the fare lines. */
  const ofTickets =
    <Value>(rule: (document: TicketDocument) => Rule<Value>): Rule<Value> =>
    (value, field) =>
      tickets.flatMap((document) => rule(document)(value, `${field} of ${document.number}`))
  const isExchange = expected.passengers.some(({ fo }) => fo.length > 0)
  const isOfServices = expected.kind === 'emd' || expected.kind === 'mco'
  const miscellaneous = (ref: string) => documentOfReference(ref, expected, file)
  return compareKeys(expected, {
    format: is(file.format, () => 'air'),
    version: is(file.version),
    option: notRead('The kind and the action follow from it.'),
    kind: is(file.action, (kind) => (kind === 'ticket' ? (isExchange ? 'exchange' : 'issue') : ACTIONS[kind])),
    part: is(file.part && `${file.part.number}/${file.part.of}`, (part) => (part === '1/1' ? null : part)),
    end: notRead('The suite compares the end with the check for completeness.'),
    pnr: is(file.pnr),
    airlineLocators: is(
      file.airlineLocators.map(({ airline, locator }) => `${airline} ${locator}`),
      (printed) => printed?.map((each) => each.trim()).filter((each) => !each.endsWith(' NOSYNC')),
    ),
    iata: is(file.iataNumber),
    office: is(file.ticketingOffice),
    validatingCarrier: (printed, field) => {
      if (printed === null) return []
      const [name, airline] = printed.split(';')
      const [code, numeric] = airline?.split(' ') ?? []
      return difference(field, { code, numeric: numeric?.slice(0, 3), name }, file.validatingAirline)
    },
    agent: (printed, field) => {
      if (printed === null) return []
      const [booking = '', ticketing = ''] = printed.split('-')
      // If the sign of the ticketing agent is blank, that of the acting agent in the record header counts.
      const sign = blankIsNull(ticketing)
      return [
        ...difference(`${field}, booking`, blankIsNull(booking), file.bookingAgent),
        ...(sign === null ? [] : difference(`${field}, ticketing`, sign, file.ticketingAgent)),
      ]
    },
    dates: keys({
      pnrCreated: notRead('A reading does not have the day of the booking.'),
      airCreated: (day, field) => (day === null ? [] : difference(field, day, file.made?.day)),
    }),
    route: (printed, field) => {
      const flights = printed.filter((each) => !each.endsWith('ARNK'))
      // Miscellaneous documents may have the legs that they are associated with; the route is of tickets.
      if (flights.length === 0 && (isOfServices || file.action === 'itinerary')) return []
      return difference(
        field,
        flights,
        file.legs.map(({ from, to, airline, flight }) => `${from}-${to} ${airline}${flight}`),
      )
    },
    K: ofTickets((document) => (fare, field) => (fare === 'empty' ? [] : fareIs(fare, document.fare, field))),
    KS: ofTickets((document) => (fare, field) => fareIs(fare, document.fare, field)),
    KN: ofTickets((document) => (fare, field) => fareIs(fare, document.netFare, field)),
    KFTF: ofTickets(({ fare }) => is(fare.taxes, taxesOf)),
    KFTR: ofTickets(({ fare }) => (printed, field) => [
      ...difference(field, taxesOf(printed.filter(({ ind }) => ind !== 'O')), fare.taxes),
      ...difference(`${field}, paid`, taxesOf(printed.filter(({ ind }) => ind === 'O')), fare.paidTaxes),
    ]),
    KNTB: ofTickets(({ netFare }) => is(netFare?.taxes, taxesOf)),
    KNTI: ofTickets(({ netFare }) => is(netFare?.taxes, taxesOf)),
    KSTB: ofTickets(({ fare }) => is(fare.taxes, taxesOf)),
    KSTI: ofTickets(({ fare }) => is(fare.taxes, taxesOf)),
    KRF: ofTickets(({ refund }) => is(refund?.taxes, taxesOf)),
    RFD: ofTickets((document) => refundRule(document)),
    emd: (printed, field) => printed.flatMap((emd) => compareEmd(emd, miscellaneous(emd.ref), `${field}.${emd.ref}`)),
    mco: (printed, field) => printed.flatMap((mco) => compareMco(mco, miscellaneous(mco.ref), `${field}.${mco.ref}`)),
    passengers: (printed, field) =>
      printed.flatMap((passenger, at) => comparePassenger(passenger, at, file, `${field}[${at}]`)),
    note: notRead('A remark on the expectation.'),
  })
}

const taxesOf = (printed: readonly PrintedTax[]): readonly Tax[] =>
  printed.map(({ code, nature, cur, amt }) => ({ code, nature: blankIsNull(nature), currency: cur, amount: amt }))

function fareIs(printed: PrintedFare, read: TicketDocument['netFare'], field: string): readonly Difference[] {
  const [base, total] = [money(...printed.base), money(...printed.total)]
  const equivalent = printed.equiv && money(...printed.equiv)
  const { taxes: _taxes, paidTaxes: _paid, exempt: _exempt, fees: _fees, ...fare } = read ?? {}
  return difference(field, { base, equivalent, rate: convertingRate(printed), total }, sorted(fare))
}
/** A rate is kept where it turns the base into the equivalent; the first of two rates, by way of a third currency, does not. */
function convertingRate({ base, equiv, rate }: PrintedFare): string | null {
  if (!equiv || rate === '') return null
  const deviation = (Number(base[1]) * Number(rate)) / Number(equiv[1])
  return Math.abs(deviation - 1) < 0.02 ? rate : null
}
const sorted = (fare: object): object => {
  const { base, equivalent, rate, total } = fare as Record<string, unknown>
  return { base, equivalent, rate, total }
}

function refundRule({ fare: _, refund }: TicketDocument): Rule<Record<string, string>> {
  const amount = (read: { currency: string; amount: string } | null | undefined): Rule<string> =>
    is(read?.amount ?? null, (printed) => blankIsNull(printed.replace(/^[A-Z]{2,3}(?=\d)/, '')))
  return (printed, field) =>
    compareKeys(
      printed,
      {
        source: notRead('How the refund was calculated.'),
        docIssue: is(refund?.originallyIssuedOn, isoDay),
        domIntl: notRead('Domestic or international.'),
        farePaid: is(refund?.gross, (paid: string) => money(paid.slice(0, 3), paid.slice(3))),
        fareUsed: amount(refund?.used),
        fareRefund: amount(refund?.refundable),
        NF: notRead('A refunded net fare is marked by it.'),
        netRefund: notRead('The net fare that is refunded equals the refunded fare in every sample.'),
        cancelFee: amount(refund?.penalty),
        tax: amount(refund?.taxTotal),
        total: amount(refund?.total),
        firstDep: notRead('Blank in every sample.'),
      },
      `${field}.`,
    )
}

/** The EMD or MCO whose number the passenger's block gives for a reference (`D3`, `L4`). */
function documentOfReference(ref: string, expected: AirExpectation, file: TicketFile): TicketDocument | undefined {
  const lines = expected.passengers.flatMap(({ misc }) => misc)
  const line = lines.find((each) => each.endsWith(`;${ref}`))
  return file.documents.find(({ number }) => number === miscellaneousNumber(line ?? ''))
}
/** The 13 digits of `D229-1813526976;;D3`. */
const miscellaneousNumber = (line: string): string => line.replace(/^[A-Z](\d{3})-(\d{10}).*$/, '$1$2')

/** `KWD     19.000` */
const spacedMoney = (printed: string) => {
  const [currency = '', amount = ''] = printed.split(/\s+/)
  return blankIsNull(printed) && money(currency, plainAmount(amount))
}

function compareEmd(printed: PrintedEmd, document: TicketDocument | undefined, at: string): readonly Difference[] {
  if (!document) return [{ field: at, expected: 'an EMD', read: null }]
  return compareKeys(
    printed,
    {
      ref: is(document.kind, () => 'emd'),
      coupons: each(document.services, (coupon, service, field) => [
        ...difference(field, servicesOf(coupon), service),
        ...difference(`${field}.type`, coupon.type === 'A', document.associatedWith !== null),
      ]),
      base: is(document.fare.base, spacedMoney),
      equiv: is(document.fare.equivalent, spacedMoney),
      total: is(document.fare.total, spacedMoney),
    },
    `${at}.`,
  )
}
const servicesOf = ({ cpn, rfic, rfisc, desc, od }: PrintedEmd['coupons'][number]) => ({
  coupon: Number(cpn),
  rfic,
  rfisc,
  text: desc,
  from: od.slice(0, 3),
  to: od.slice(3),
})

function compareMco(printed: PrintedMco, document: TicketDocument | undefined, at: string): readonly Difference[] {
  if (!document) return [{ field: at, expected: 'an MCO', read: null }]
  return compareKeys(
    printed,
    {
      ref: is(document.kind, () => 'mco'),
      airline: is(document.airline),
      service: is(document.services[0]?.text),
      base: is(document.fare.base, spacedMoney),
      equiv: is(document.fare.equivalent, spacedMoney),
      taxes: is(document.fare.taxes.map(({ code }) => code)),
      total: is(document.fare.total, spacedMoney),
      connTicket: is(document.associatedWith, blankIsNull),
    },
    `${at}.`,
  )
}

function comparePassenger(
  printed: PrintedPassenger,
  at: number,
  file: TicketFile,
  field: string,
): readonly Difference[] {
  const person = file.passengers[at]
  const documents = file.documents.filter(({ passenger }) => passenger === at)
  const tickets = documents.filter(({ kind }) => kind === 'ticket')
  const services = documents.filter(({ kind }) => kind !== 'ticket')
  const lastOf =
    <Value>(
      read: (document: TicketDocument) => unknown,
      among: readonly TicketDocument[],
      wanted: (line: string) => Value,
    ) =>
    (lines: readonly string[], name: string) =>
      lines.length === 0 ? [] : among.flatMap((each) => difference(name, wanted(lines.at(-1) ?? ''), read(each)))
  return compareKeys(
    printed,
    {
      no: notRead('The order of the passengers follows from it.'),
      name: (name, name_) => [
        ...compareName(name, person, name_),
        ...difference(`${name_}, type`, /\(([A-Z0-9]{3})\)/.exec(name)?.[1] ?? null, person?.ptc ?? null),
      ],
      tickets: each(tickets, (ticket, read, name) =>
        compareKeys(
          ticket,
          {
            type: notRead('Electronic or paper.'),
            airline: is(read.number.slice(0, 3)),
            number: is(read.number.slice(3)),
            all: is([read.number, ...read.conjunctions].map((number) => number.slice(3))),
          },
          `${name}.`,
        ),
      ),
      misc: is(
        services.map(({ kind, number }) => `${kind} ${number}`),
        (lines) => lines.map((line) => `${line.startsWith('M') ? 'mco' : 'emd'} ${miscellaneousNumber(line)}`),
      ),
      fm: (lines, name) => lines.flatMap((line) => tickets.flatMap((each) => compareCommission(line, each, name))),
      fp: lastOf(
        ({ formOfPayment }) => formOfPayment?.text ?? null,
        hasPayment(file) ? tickets : [],
        (line) => maskedPayment(plain(line)),
      ),
      fo: (lines, name) =>
        lines.flatMap((line) =>
          tickets.flatMap(({ exchange }) => difference(name, exchangedBy(line), exchange?.originals)),
        ),
      fh: notRead('Names a ticket of before, which FO has as well.'),
      mfp: lastOf(
        ({ formOfPayment }) => formOfPayment?.text ?? null,
        services,
        (line) => maskedPayment(plain(line)),
      ),
      mfm: (lines, name) => lines.flatMap((line) => services.flatMap((each) => compareCommission(line, each, name))),
      ft: lastOf(({ tourCode }) => tourCode, tickets, withoutOrigin),
      tk: (lines, name) => lines.flatMap((line) => compareDeadline(line, file, name)),
    },
    `${field}.`,
  )
}

/** Voids and similar files change known documents, and have no payment of their own. */
const hasPayment = ({ action }: TicketFile): boolean =>
  action === 'issue' || action === 'exchange' || action === 'refund'

/**
 * `*M*1.00` percent, `2475.75A` amount, `1.00P/28.28A` the returned commission of a refund. Zero means no commission.
 */
function compareCommission(line: string, { commission, refund }: TicketDocument, field: string): readonly Difference[] {
  const printed = withoutOrigin(line)
  const read = refund ? refund.commissionRecall : commission
  const parts = printed.split('/')
  const rate = parts.find((part) => !part.endsWith('A'))?.replace(/P$/, '')
  const amount = parts.find((part) => part.endsWith('A'))?.slice(0, -1)
  const value = (text: string | null | undefined) => Number(text ?? 0)
  return difference(
    field,
    { rate: value(rate), amount: value(amount) },
    { rate: value(read?.rate), amount: value(read?.amount) },
  )
}

/** `235-2548665584IEV17APR09/72320441/235-33246789256E12`: the ticket given in, its check digit and its coupons. */
function exchangedBy(line: string): readonly { number: string; coupons: string }[] {
  const [, airline, serial, coupons = ''] = /\/(\d{3})-(\d{10})\d[EC](\d+)/.exec(line) ?? []
  return [{ number: `${airline}${serial}`, coupons }]
}

/** `TL08FEB/0900/IEVU23561` is a deadline, `OK16NOV/…` a ticketed reservation. */
function compareDeadline(line: string, file: TicketFile, field: string): readonly Difference[] {
  const day = line.startsWith('TL') ? isoDay(line.slice(2, 7)) : null
  return difference(field, day, file.ticketingDeadline?.slice(5) ?? null)
}
