import { printedClock } from '../../../src/features/ticket-printer/formats/days.ts'
import type { TicketDocument, TicketFile, TicketLeg } from '../../../src/features/ticket-printer/ticket-file.ts'
import {
  blankIsNull,
  compareKeys,
  compareName,
  type Difference,
  difference,
  each,
  is,
  isoDay,
  maskedPayment,
  money,
  notRead,
} from './compare.ts'

type PrintedTicket = {
  it: string
  ptc: string
  cur: string
  fare: string
  t1: string
  t2: string
  t3: string
  tcur: string
  tots: string
  ecur: string
  eq: string
  cpc: string
  cam: string
  net: string
  ttax: string
  vc: string
  tk: string
  cj: string
  fop: string
  origIssue: string
  exchange: string
  endorse: string
}
/** The records of an IUR, as the samples' expectations name their fields. */
export type IurExpectation = {
  format: string
  type: string
  version: string
  date: string
  time: string
  pnr: string
  iata: string
  invoice: string
  prevInvoiced: string
  dup: string
  pcc: readonly [string, string]
  sine: readonly [string, string]
  passengers: readonly { item: string; name: string }[]
  M2: readonly PrintedTicket[]
  M3: readonly string[]
  M5: readonly string[]
  MG: readonly string[]
  note?: string
}

/** An IUR prints the airline of a ticket by its two letters. */
const AIRLINES: Readonly<Record<string, string>> = { SU: '555', TK: '235', '7W': '461', OS: '257' }

export function compareIur(expected: IurExpectation, file: TicketFile): Difference[] {
  const { documents, legs } = file
  const isExchange = expected.M2.some(({ exchange }) => exchange !== '')
  const isSale = expected.M2.length > 0
  return compareKeys(expected, {
    format: is(file.format, () => 'iur'),
    type: is(file.action, (type) => {
      if (type === 'F') return 'void'
      return type === '3' ? 'itinerary' : isExchange ? 'exchange' : 'issue'
    }),
    version: is(file.version),
    date: is(file.made?.day.slice(5), isoDay),
    time: is(file.made?.time, printedClock),
    pnr: is(file.pnr),
    iata: is(file.iataNumber, (printed) => printed.replaceAll(' ', '')),
    invoice: notRead('The number of the invoice in the GDS.'),
    prevInvoiced: notRead('Whether the reservation had an invoice before.'),
    dup: notRead('Whether the file was sent again, which its documents tell.'),
    pcc: is([file.bookingOffice, file.ticketingOffice]),
    sine: is([file.bookingAgent, file.ticketingAgent]),
    // A passenger without a document in this file can be left out.
    passengers: (printed, field) =>
      file.passengers.flatMap((read, at) => {
        const names = printed.filter(({ name }) => compareName(name, read, field).length === 0)
        return difference(`${field} has ${read.lastName} [${at}]`, true, names.length > 0)
      }),
    M2: (tickets, field) =>
      isSale
        ? each<PrintedTicket, TicketDocument>(documents, (ticket, read, at) =>
            compareTicket(ticket, read, expected, file, at),
          )(tickets, field)
        : [],
    M3: (segments, field) => compareSegments(segments, legs, file, field),
    // The accounting lines repeat the whole history of the reservation; without M2 they are the documents.
    M5: (lines, field) => {
      const numbers = lines.map((line) => ACCOUNTED.exec(line)?.[3] ?? '')
      return isSale
        ? documents.flatMap(({ number }) =>
            difference(`${field} has ${number}`, true, numbers.includes(number.slice(3))),
          )
        : each<string, TicketDocument>(documents, (line, read, at) => compareAccounted(line, read, file, at))(
            lines,
            field,
          )
    },
    MG: is(documents.filter(({ kind }) => kind === 'emd')),
    note: notRead('A remark on the expectation.'),
  })
}

/** ` PD 2112YQ` for a tax paid before, `    2112YQ` for a new one. */
const TAX_BOX = /^\s*(PD)?\s*([\d.]+)([A-Z0-9]{2})$/

function compareTicket(
  printed: PrintedTicket,
  document: TicketDocument,
  { passengers }: IurExpectation,
  file: TicketFile,
  at: string,
): readonly Difference[] {
  const { fare } = document
  const always = {
    it: (item: string, field: string): readonly Difference[] =>
      compareName(
        passengers.find((each) => each.item === item)?.name ?? '',
        file.passengers[document.passenger],
        field,
      ),
    tk: is<string>(document.number.slice(3)),
    vc: is<string>(document.number.slice(0, 3), (airline) => AIRLINES[airline]),
    cj: is<string>(document.conjunctions.length, Number),
  }
  // The amounts of a void are those of the sale that it reverses.
  if (file.action === 'void')
    return Object.entries(always).flatMap(([key, rule]) => rule(printed[key as keyof typeof always], `${at}.${key}`))
  const taxes = [printed.t1, printed.t2, printed.t3].flatMap((box) => {
    const [, paid, amount = '', code = ''] = TAX_BOX.exec(box) ?? []
    return amount ? [{ paid: paid !== undefined, amount, code }] : []
  })
  const wasPaid = taxes.some(({ paid }) => paid)
  const readTaxes = wasPaid ? fare.paidTaxes : fare.taxes
  const box =
    (nth: number) =>
    (_: string, field: string): readonly Difference[] => {
      const tax = taxes[nth]
      if (!tax) return []
      const others = taxes.filter(({ code }) => code !== 'XT').map(({ code }) => code)
      const named = readTaxes.filter(({ code }) => (tax.code === 'XT' ? !others.includes(code) : code === tax.code))
      return difference(
        field,
        Number(tax.amount),
        named.reduce((sum, { amount }) => sum + Number(amount), 0),
      )
    }
  const isCurrency = printed.ecur !== '' && /^\d/.test(printed.eq)
  return compareKeys(
    printed,
    {
      ...always,
      ptc: notRead('The passenger has it.'),
      cur: is(fare.base?.currency),
      fare: is(fare.base?.amount),
      t1: box(0),
      t2: box(1),
      t3: box(2),
      tcur: is(fare.total?.currency, (currency) => currency || printed.ecur),
      tots: is(fare.total?.amount, (total) => (total.startsWith('NO ADC') ? '0' : total.trim())),
      ecur: is(fare.equivalent?.currency, (currency) => (isCurrency ? currency : undefined)),
      eq: is(fare.equivalent?.amount, (amount) => (isCurrency ? amount : undefined)),
      cpc: is(Number(document.commission?.rate ?? 0), Number),
      cam: is(Number(document.commission?.amount ?? 0), Number),
      net: (net, field) =>
        net === '' || net === printed.eq ? [] : difference(field, net, document.netFare?.base?.amount),
      ttax: (total, field) =>
        total === ''
          ? []
          : difference(
              field,
              Number(total),
              fare.taxes.reduce((sum, { amount }) => sum + Number(amount), 0),
            ),
      fop: is(document.formOfPayment?.text, maskedPayment),
      origIssue: notRead('The first ticket of several exchanges.'),
      exchange: is(document.exchange?.originals ?? [], (original) =>
        original === '' ? [] : [{ number: original.slice(0, 13), coupons: original.slice(14) }],
      ),
      endorse: is(document.endorsement, blankIsNull),
    },
    `${at}.`,
  )
}

const SEGMENT =
  /^\d\d p\d st(\w\w) (\d\d[A-Z]{3}) AIR (\w{3})-(\w{3}) (\w\w)(\d+) (\w) (\d{4})-(\d{4}) el=[\d.]* dc=(\d) eq=(\w*) tkd=(1?) yr=(\d{4}) loc=(\w*) len\d+$/
const DAY_MS = 86_400_000

/** `01 p1 stHK 20MAR AIR SVO-CDG SU2450 N 0845-1045 el=4.00 dc=0 eq=321 tkd=1 yr=2016 loc=OHCHEL len247` */
function compareSegments(
  segments: readonly string[],
  legs: readonly TicketLeg[],
  file: TicketFile,
  field: string,
): readonly Difference[] {
  const parts = segments.map((segment) => SEGMENT.exec(segment) ?? [])
  const ticketed = parts.filter((part) => part[12] === '1')
  // An itinerary has no ticketed flight, and a void needs none.
  if (file.action === 'itinerary' || (file.action === 'void' && legs.length === 0)) return []
  const wanted = ticketed.length > 0 ? ticketed : parts
  const flights = wanted.map(
    ([, status, day, from, to, airline, flight, bookingClass, departure, arrival, days, equipment, , year]) => {
      const left = `${year}-${isoDay(day ?? '')}`
      const arrived = new Date(Date.parse(left) + Number(days) * DAY_MS).toISOString().slice(0, 10)
      return {
        status,
        from,
        to,
        airline,
        flight,
        bookingClass,
        departure: `${left}T${printedClock(departure ?? '')}`,
        arrival: `${arrived}T${printedClock(arrival ?? '')}`,
        equipment,
      }
    },
  )
  const read = legs.map(({ status, from, to, airline, flight, bookingClass, departure, arrival, equipment }) => ({
    status,
    from,
    to,
    airline,
    flight,
    bookingClass,
    departure,
    arrival,
    equipment,
  }))
  const locators = new Set(wanted.map((part) => `${part[5]} ${part[14]}`))
  return [
    ...difference(field, flights, read),
    ...difference(
      `${field}, locators`,
      [...locators],
      file.airlineLocators.map(({ airline, locator }) => `${airline} ${locator}`),
    ),
  ]
}

const ACCOUNTED =
  /^M5\d\d(\d\d) .(\w\w)#(\d{10})\/ *([\d.]*)\/ *([\d.]*)\/ *([\d.]*)\/\w{3}\/(\S+) \d+\.\d+.*\/(\d)\/[DFT]\/E/

/** `M50101  SU#6563641690/     60/    6009/   3480/ONE/CA 1.1SURNAME FIRST MRS/1/F/E` */
function compareAccounted(line: string, document: TicketDocument, file: TicketFile, at: string): readonly Difference[] {
  const [, passenger, airline, number, commission, fare = '', taxes = '', payment = '', books] =
    ACCOUNTED.exec(line) ?? []
  const { formOfPayment, conjunctions } = document
  const currency = document.fare.base?.currency
  const amounts = currency
    ? difference(`${at}, fare`, money(currency, fare), document.fare.base)
    : difference(
        `${at}, amounts in a warning`,
        true,
        file.warnings.some(({ message }) => [document.number, fare, taxes].every((each) => message.includes(each))),
      )
  return [
    ...difference(`${at}, number`, `${AIRLINES[airline ?? '']}${number}`, document.number),
    ...difference(`${at}, passenger`, Number(passenger) - 1, document.passenger),
    ...difference(`${at}, commission`, Number(commission), Number(document.commission?.amount ?? 0)),
    ...amounts,
    ...difference(`${at}, payment`, maskedPayment(payment), formOfPayment?.text),
    ...difference(`${at}, documents`, Number(books), conjunctions.length + 1),
  ]
}
