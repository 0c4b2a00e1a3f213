import type {
  Passenger,
  TicketDocument,
  TicketFile,
  TicketLeg,
} from '../../../src/features/ticket-printer/ticket-file.ts'
import {
  compareKeys,
  type Difference,
  difference,
  each,
  is,
  keys,
  money,
  notRead,
  type Rule,
  taxList,
} from './compare.ts'

type Amount = readonly [string | null, string] | null
type PrintedPerson = {
  surname: string | null
  given: string | null
  title: string | null
  type: string | null
  ref?: string
  printed?: string
}
type PrintedLeg = {
  from: string
  to: string
  carrier: string | null
  flight: string
  class: string | null
  departure: string
  arrival: string | null
  fareBasis: string | null
  operating?: string
  fromTerminal?: string
  toTerminal?: string
  fromCity?: string
  toCity?: string
  fromCityRaw?: string
  toCityRaw?: string
  fromPortRaw?: string
  toPortRaw?: string
  baggage?: string
}
type PrintedTax = {
  code: string
  cur: string
  amt: string
  leg?: number
  orig?: readonly string[]
  vat?: string
  raw?: string
}
type PrintedDocument = {
  number: string
  kind: string
  action: string
  status: string | null
  originalNumber: string | null
  relatedNumber: string | null
  emdReason: string | null
  passenger: PrintedPerson
  issueDate: string | null
  issueTime: string | null
  saleDate: string | null
  legs: readonly PrintedLeg[]
  base: Amount
  equiv: Amount
  taxes: readonly PrintedTax[]
  fees: null
  total: Amount
  commission: { percent: string; amt: string; cur: string } | null
  formOfPayment: readonly { type: string; raw: string; amt: string }[] | null
  validatingCarrier: string
  iata: string | null
  office: string | null
  agent: string | null
  agentName?: string
  checkDigit?: string
  fareCalc?: string
  endorsement?: string
  baggage?: string
  vat?: object
}
type PrintedOrder = {
  orderId?: string
  status?: string
  passengers?: number | readonly PrintedPerson[]
  legs?: number | readonly PrintedLeg[]
  total?: Amount
  base?: Amount
  taxTotal?: Amount
  paid?: Amount
  penalty?: Amount
  paymentTimeLimit?: string
  perPassenger?: readonly object[]
  services?: readonly object[]
}
/** A file of documents, as in the expectations of Sirena, TKT, NDC and Travelport. */
export type DocumentsExpectation = {
  format: string
  version: string | null
  pnr: Record<string, string>
  documents: readonly PrintedDocument[]
  message?: string
  action?: string
  created?: string
  seller?: string
  order?: PrintedOrder
  notes: readonly string[]
}

const FORMATS: Readonly<Record<string, string>> = {
  SIRENA: 'xml',
  TKT: 'tkt',
  NDC: 'ndc_orderview',
  TRAVELPORT: 'xml',
}
/** A Universal Record has the name of its namespace as its version. */
const versionOf = (printed: string | null): string | null => printed?.replace(/^[a-z]+_v(\d+)_(\d+)$/, '$1.$2') ?? null
const moneyOf = (printed: Amount) => (printed?.[0] ? money(printed[0], printed[1]) : null)

export function compareDocuments(expected: DocumentsExpectation, file: TicketFile): Difference[] {
  const first = expected.documents[0]
  return compareKeys(expected, {
    format: is(file.format, (format) => FORMATS[format]),
    version: is(file.version, versionOf),
    pnr: (pnr, field) => compareKeys(pnr, locatorRules(file, pnr), `${field}.`),
    documents: (documents, field) => [
      ...each<PrintedDocument, TicketDocument>(file.documents, (printed, read, at) =>
        compareDocument(printed, read, file, at),
      )(documents, field),
      ...(first
        ? compareLegs(
            documents.flatMap(({ legs }) => legs),
            file.legs,
            `${field}, legs`,
          )
        : []),
    ],
    message: notRead('The name of the message.'),
    action: is(file.action, (action) => (action === 'order' ? 'itinerary' : action)),
    created: is(file.made && `${file.made.day}`, (created) => created.slice(0, 10)),
    seller: notRead('The seller is no office of a GDS.'),
    order: keys<PrintedOrder>({
      orderId: notRead('The locator stands for it.'),
      status: notRead('The status of the order.'),
      passengers: (printed, field) =>
        typeof printed === 'number'
          ? difference(field, printed, file.passengers.length)
          : each<PrintedPerson, Passenger>(file.passengers, comparePerson)(printed, field),
      legs: (printed, field) =>
        typeof printed === 'number'
          ? difference(field, printed, file.legs.length)
          : compareLegs(printed, file.legs, field),
      total: notRead('An amount belongs to a document.'),
      base: notRead('An amount belongs to a document.'),
      taxTotal: notRead('An amount belongs to a document.'),
      paid: notRead('An amount belongs to a document.'),
      penalty: notRead('An amount belongs to a document.'),
      paymentTimeLimit: is(file.ticketingDeadline, (limit) => limit.slice(0, 10)),
      perPassenger: notRead('An amount belongs to a document.'),
      services: notRead('An amount belongs to a document.'),
    }),
    notes: notRead('Remarks on the expectation.'),
  })
}

function locatorRules(file: TicketFile, { airline, carrier, orderId }: Record<string, string>) {
  const rules: Record<string, Rule<string>> = {
    gds: is(file.pnr),
    gdsCyrillic: notRead('The same locator in Cyrillic letters.'),
    airline: (locator, field) =>
      difference(
        field,
        `${carrier ?? first(file)} ${locator}`,
        file.airlineLocators.map((each) => `${each.airline} ${each.locator}`).find((each) => each.endsWith(locator)),
      ),
    carrier: notRead('Compared with the locator.'),
    orderId: (id, field) => (airline === undefined && file.documents.length > 0 ? difference(field, id, file.pnr) : []),
    provider: is(file.provider, (code) => ({ '1G': 'galileo', '1V': 'apollo', '1P': 'worldspan' })[code]),
    system: notRead('The GDS of a file that an agency of another system wrote.'),
    universalRecord: notRead('The locator of Travelport, which no airline and no GDS knows.'),
    airReservation: notRead('The locator of Travelport, which no airline and no GDS knows.'),
  }
  return orderId === undefined ? rules : { ...rules, orderId: rules.orderId as Rule<string> }
}
const first = ({ validatingAirline, legs }: TicketFile) => validatingAirline?.code ?? legs[0]?.airline

function compareDocument(
  printed: PrintedDocument,
  read: TicketDocument,
  file: TicketFile,
  at: string,
): readonly Difference[] {
  const person = file.passengers[read.passenger]
  const isRefund = printed.action === 'refund'
  const { fare, refund } = read
  const isAirlineCode = printed.validatingCarrier.length === 2
  return compareKeys(
    printed,
    {
      number: is(read.number),
      kind: is(read.kind),
      action: is(file.action),
      status: notRead('The action follows from it.'),
      originalNumber: is(read.exchange?.originals[0]?.number ?? null),
      relatedNumber: is(read.associatedWith),
      emdReason: is(read.services[0]?.text ?? null),
      passenger: (passenger, field) => comparePerson(passenger, person, field),
      issueDate: (day, field) => (day === null ? [] : difference(field, day, read.issuedOn ?? file.issuedOn)),
      issueTime: (time, field) => (time === null || file.made === null ? [] : difference(field, time, file.made.time)),
      saleDate: (day, field) => (isRefund ? difference(field, day, refund?.originallyIssuedOn) : []),
      legs: notRead('All documents of a file share its legs, which are compared once.'),
      // In a refund the amounts are the refunded ones.
      base: is(isRefund ? (fare.base ?? refund?.gross) : fare.base, moneyOf),
      equiv: is(isRefund ? (fare.equivalent ?? refund?.gross) : fare.equivalent, moneyOf),
      taxes: is(taxList(isRefund ? (refund?.taxes ?? []) : fare.taxes), (taxes) =>
        taxes.map(({ code, cur, amt }) => `${code} ${cur} ${amt}`).toSorted(),
      ),
      fees: is(fare.fees, () => []),
      total: is(isRefund ? refund?.total : fare.total, moneyOf),
      commission: (commission, field) =>
        difference(field, Number(commission?.percent ?? 0), Number(read.commission?.rate ?? 0)),
      formOfPayment: (ways, field) =>
        (ways ?? []).flatMap(({ type, raw }) => [
          ...difference(`${field}, kind`, type.toLowerCase(), read.formOfPayment?.kind ?? null),
          ...difference(
            `${field}, text has ${raw}`,
            true,
            read.formOfPayment?.text.toUpperCase().includes(raw.toUpperCase()) ?? false,
          ),
        ]),
      validatingCarrier: is(isAirlineCode ? file.validatingAirline?.code : file.validatingAirline?.numeric),
      iata: is(file.iataNumber),
      office: is(file.ticketingOffice),
      agent: is(file.ticketingAgent),
      agentName: notRead('The sign of the agent is kept.'),
      checkDigit: notRead('It is checked, and told only where it fails.'),
      fareCalc: is(read.fareCalculation),
      endorsement: is(read.endorsement),
      baggage: (baggage, field) =>
        file.legs.flatMap((leg, nth) => difference(`${field} of leg ${nth}`, baggage, leg.baggage)),
      vat: notRead('Part of the amounts, and added to none.'),
    },
    `${at}.`,
  )
}

function comparePerson(printed: PrintedPerson, read: Passenger | undefined, at: string): readonly Difference[] {
  return compareKeys(
    printed,
    {
      surname: is(read?.lastName, (name) => name ?? ''),
      given: is(read?.firstName, (name) => name ?? ''),
      title: is(read?.title),
      type: (type, field) => (type === null ? [] : difference(field, type, read?.ptc ?? 'ADT')),
      ref: notRead('A key of the file.'),
      printed: notRead('The name in one line.'),
    },
    `${at}.`,
  )
}

/** Each document of a file can have all its legs. */
function compareLegs(printed: readonly PrintedLeg[], read: readonly TicketLeg[], field: string): readonly Difference[] {
  const once = [...new Map(printed.map((leg) => [JSON.stringify(leg), leg])).values()]
  return each<PrintedLeg, TicketLeg>(read, compareLeg)(once, field)
}

function compareLeg(printed: PrintedLeg, read: TicketLeg, at: string): readonly Difference[] {
  return compareKeys(
    printed,
    {
      from: is(read.from),
      to: is(read.to),
      carrier: is(read.airline, (carrier) => carrier ?? ''),
      flight: is(read.flight),
      class: is(read.bookingClass),
      departure: is(read.departure, (time) => (time.includes('T') ? time : null)),
      arrival: is(read.arrival),
      fareBasis: is(read.fareBasis),
      operating: is(read.operatingAirline ?? read.airline),
      fromTerminal: is(read.departureTerminal),
      toTerminal: is(read.arrivalTerminal),
      fromCity: notRead('The airport is kept.'),
      toCity: notRead('The airport is kept.'),
      fromCityRaw: notRead('The airport is kept.'),
      toCityRaw: notRead('The airport is kept.'),
      fromPortRaw: notRead('The airport is kept.'),
      toPortRaw: notRead('The airport is kept.'),
      baggage: is(read.baggage),
    },
    `${at}.`,
  )
}
