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
  money,
  notRead,
  plainAmount,
  taxList,
} from './compare.ts'

type PrintedPassenger = {
  name: string
  ptc: string
  ticket: string
  books: string
  exchangeItem: string
  moreMirs: string
  invoice: string
}
type PrintedFare = {
  f: string
  cur: string
  base: string
  tcur: string
  total: string
  ecur: string
  eq: string
  tx: string
}
/** The sections of a MIR, as the samples' expectations name their fields. */
export type MirExpectation = {
  format: string
  kind: string
  cmd: string
  date: string
  time: string
  seq: string
  declaredSize: string
  validatingCarrier: string
  pnr: string
  iata: string
  pcc: readonly [string, string]
  agent: readonly [string, string]
  cur: string
  partyFare: string
  decimals: string
  commAmt: string
  commRate: string
  tour: string
  passengers: readonly PrintedPassenger[]
  segments: readonly string[]
  A07: readonly PrintedFare[]
  IT: readonly (readonly [string, readonly (readonly [string, string])[]])[]
  A11?: readonly string[]
  A27?: readonly string[]
  airlineLocators: readonly (readonly [string, string])[]
}

const scaled = (printed: string, decimals: string): number => Number(printed) / 10 ** Number(decimals)

export function compareMir(expected: MirExpectation, file: TicketFile): Difference[] {
  const { documents } = file
  const isVoid = file.action === 'void'
  const hasTickets = expected.passengers.some(({ ticket }) => ticket !== '')
  const sum = (amountOf: (document: TicketDocument) => string | undefined) =>
    documents.reduce((total, document) => total + Number(amountOf(document) ?? 0), 0)
  return compareKeys(expected, {
    format: is(file.format, () => 'mir'),
    kind: is(file.action, (kind) => (kind === 'void' ? 'void' : hasTickets ? 'issue' : 'itinerary')),
    cmd: notRead('The kind follows from it.'),
    date: is(file.made?.day, isoDay),
    time: is(file.made?.time, printedClock),
    seq: notRead('The number of the file in the printer.'),
    declaredSize: notRead('The length of the file.'),
    validatingCarrier: is(file.validatingAirline && `${file.validatingAirline.code} ${file.validatingAirline.numeric}`),
    pnr: is(file.pnr, (pnr) => (/^Z+$/.test(pnr) ? null : pnr)),
    iata: is(file.iataNumber),
    pcc: is([file.bookingOffice, file.ticketingOffice], (offices) => offices.map(blankIsNull)),
    agent: is([file.bookingAgent, file.ticketingAgent], (signs) => signs.map(blankIsNull)),
    cur: notRead('The currency of the fare of the whole party, which A07 has for each passenger.'),
    partyFare: (printed, field) =>
      hasTickets && !isVoid
        ? difference(
            field,
            scaled(printed, expected.decimals),
            sum(({ fare }) => (fare.equivalent ?? fare.base)?.amount),
          )
        : [],
    decimals: notRead('The amounts of the header have so many.'),
    commAmt: (printed, field) =>
      documents.flatMap(({ number, commission }) =>
        difference(`${field} of ${number}`, scaled(printed, expected.decimals), Number(commission?.amount ?? 0)),
      ),
    commRate: (printed, field) =>
      documents.flatMap(({ number, commission }) =>
        difference(`${field} of ${number}`, scaled(printed, '2'), Number(commission?.rate ?? 0)),
      ),
    tour: (printed, field) =>
      documents.flatMap(({ number, tourCode }) => difference(`${field} of ${number}`, blankIsNull(printed), tourCode)),
    passengers: each(file.passengers, (passenger, read, field) => comparePassenger(passenger, read, file, field)),
    segments: each(file.legs, (printed, leg, field) => compareSegment(printed, leg, expected.date, field)),
    A07: (fares, field) =>
      isVoid
        ? []
        : fares.flatMap((fare, at) =>
            documents.flatMap((document) =>
              compareFare(fare, expected.IT, document, `${field}[${at}] of ${document.number}`),
            ),
          ),
    IT: notRead('They stand for the XT of A07, and are compared with it.'),
    A11: (lines, field) => (isVoid ? [] : lines.flatMap((line) => comparePayment(line, documents, sum, field))),
    A27: is(
      documents.flatMap(({ fare }) => fare.fees),
      (lines) => lines.filter((line) => line.startsWith('A27Y')),
    ),
    airlineLocators: is(file.airlineLocators.map(({ airline, locator }) => [airline, locator])),
  })
}

function comparePassenger(
  printed: PrintedPassenger,
  read: TicketFile['passengers'][number],
  file: TicketFile,
  at: string,
): readonly Difference[] {
  const document = file.documents.find(({ passenger }) => file.passengers[passenger] === read)
  return compareKeys(
    printed,
    {
      name: (name, field) => compareName(name, read, field),
      ptc: is(read.ptc, blankIsNull),
      ticket: is(document?.number ?? null, (ticket) => (ticket ? `${file.validatingAirline?.numeric}${ticket}` : null)),
      books: is(document ? document.conjunctions.length + 1 : 0, Number),
      exchangeItem: is(document?.exchange ?? null, (item) => (item === '' ? null : item)),
      moreMirs: notRead('Tells of other files.'),
      invoice: notRead('The number of the invoice in the GDS.'),
    },
    `${at}.`,
  )
}

const SEGMENT =
  /^\d\d (\w\w)\(\d*\) (\d+)(\w) (\w\w) (\d\d[A-Z]{3}) (\d+[APNM]?)-(\d+[APNM]?) di(\d) (\w{3})-(\w{3}) xo=(\w?) eq=(\w*) bag=(\w*)$/
const DAY_MS = 86_400_000
/** The indicator for an arrival on the day of departure. */
const SAME_DAY = 2

/** `02 S7(421) 4063M HK 03APR 0655-1015 di2 DME-MAD xo=X eq=319 bag=` */
function compareSegment(printed: string, leg: TicketLeg, made: string, field: string): readonly Difference[] {
  const [
    ,
    airline,
    flight,
    bookingClass,
    status,
    day,
    departure,
    arrival,
    days,
    from,
    to,
    stopover,
    equipment,
    baggage,
  ] = SEGMENT.exec(printed) ?? []
  const year = Number(isoDay(made).slice(0, 4))
  const left = [year, year + 1].map((each) => `${each}-${isoDay(day ?? '')}`).find((each) => each >= isoDay(made)) ?? ''
  const arrived = new Date(Date.parse(left) + (Number(days) - SAME_DAY) * DAY_MS).toISOString().slice(0, 10)
  const wanted = {
    airline,
    flight,
    bookingClass,
    status,
    departure: `${left}T${printedClock(departure ?? '')}`,
    arrival: `${arrived}T${printedClock(arrival ?? '')}`,
    from,
    to,
    stopover: stopover === 'O',
    equipment,
    // Without one in the segment, the baggage is that of the fare.
    ...(baggage ? { baggage } : {}),
  }
  const read = Object.fromEntries(Object.keys(wanted).map((key) => [key, leg[key as keyof TicketLeg]]))
  return difference(field, wanted, read)
}

const TAX = /T\d:\s*([\d.]+)([A-Z0-9]{2})/g

function compareFare(
  printed: PrintedFare,
  details: MirExpectation['IT'],
  { fare }: TicketDocument,
  at: string,
): readonly Difference[] {
  const boxes = [...printed.tx.matchAll(TAX)].map(([, amount = '', code = '']) => ({ amount, code }))
  const detailed = details.flatMap(([, taxes]) => taxes.map(([amount, code]) => ({ amount, code })))
  const taxes = detailed.length > 0 ? [...boxes.filter(({ code }) => code !== 'XT'), ...detailed] : boxes
  return compareKeys(
    printed,
    {
      f: notRead('The number of the fare.'),
      cur: is(fare.base?.currency),
      base: is(fare.base?.amount, plainAmount),
      tcur: is(fare.total?.currency),
      total: is(fare.total?.amount, plainAmount),
      ecur: is(fare.equivalent?.currency ?? null, blankIsNull),
      eq: is(fare.equivalent?.amount ?? null, blankIsNull),
      tx: is(taxList(fare.taxes), (text) =>
        taxes.map(({ code, amount }) => `${code} ${text.slice(0, 3)} ${amount}`).toSorted(),
      ),
    },
    `${at}.`,
  )
}

/** `A11S         6475N …`: the kind of payment, and the amount for the whole party. */
function comparePayment(
  line: string,
  documents: readonly TicketDocument[],
  sum: (amountOf: (document: TicketDocument) => string | undefined) => number,
  field: string,
): readonly Difference[] {
  const [, kind, amount] = /^A11([A-Z]+)\s+([\d.]+)N/.exec(line) ?? []
  return [
    ...difference(
      `${field}, amount`,
      Number(amount),
      sum(({ fare }) => fare.total?.amount),
    ),
    ...documents.flatMap(({ number, formOfPayment }) =>
      difference(
        `${field}, kind of ${number}`,
        { S: 'cash', CC: 'card', IN: 'invoice' }[kind ?? ''],
        formOfPayment?.kind,
      ),
    ),
    ...difference(
      `${field}, currency`,
      1,
      new Set(documents.map(({ fare }) => money(fare.total?.currency ?? '', '').currency)).size,
    ),
  ]
}
