import type { FormOfPayment, Passenger, PrintedMoney } from '../../../src/features/ticket-printer/ticket-file.ts'

/** The content of a Sabre IUR. Days are YYYY-MM-DD, times HH:MM; indexes count from 0. */
export type IurScenario = {
  type: '1' | '2' | '3' | 'A' | 'B' | 'F' | 'G'
  made: string
  time: string
  issuedOn: string
  pnr: string
  iata: string
  office: string
  agent: string
  customer: string
  passengers: IurPassenger[]
  flights: IurFlight[]
  tickets: IurTicket[]
  emds: IurEmd[]
  /** Accounting lines before those of the documents: the history of the reservation. */
  history: string[]
  /** The first of the itinerary, the others of the invoice. */
  remarks: string[]
}
export type IurPassenger = {
  last: string
  first: string
  title: string
  ptc: string
  born: string | null
  identity: Pick<Passenger, 'gender' | 'nationality' | 'passport'> | null
  email: string | null
  phone: string | null
  flyer: string | null
  /** For each flight. */
  seats: (string | null)[]
}
export type IurFlight = {
  airline: string
  flight: string
  from: string
  to: string
  departure: string
  arrival: string
  bookingClass: string
  fareBasis: string
  baggage: string
  /** At the place of departure: `O` or `X`; empty at the first. */
  stopover: '' | 'O' | 'X'
  locator: string
  operating: string
  validBefore: string | null
  validAfter: string | null
}
export type IurTicket = {
  passenger: number
  airline: string
  number: string
  /** Bulk or inclusive tour, instead of the fare. */
  mark: '' | 'B' | 'I'
  further: number
  base: PrintedMoney
  equivalent: PrintedMoney | null
  taxes: { code: string; amount: string }[]
  /** For an exchange: the tickets given in, with their coupons, and the old taxes. */
  exchange: {
    number: string
    coupons: string
    indicator: 'A' | 'E' | 'G'
    paid: { code: string; amount: string }[]
  } | null
  total: string
  penalty: string
  commission: { rate: string; amount: string }
  payment: FormOfPayment & { printed: string }
  endorsement: string
  tourCode: string
}
export type IurEmd = {
  passenger: number
  airline: string
  number: string
  associated: string
  issuedOn: string
  rfic: string
  base: PrintedMoney
  equivalent: PrintedMoney | null
  total: string
  calculation: string
  endorsement: string
  /** Each is for a flight of the file that none of its tickets has. */
  coupons: { taxCode: string; tax: string; rfisc: string; text: string; flight: number }[]
}

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
const dayMonth = (day: string): string => day.slice(8, 10) + MONTHS[Number(day.slice(5, 7)) - 1]
const two = (number: number): string => String(number).padStart(2, '0')
const three = (number: number): string => String(number).padStart(3, '0')
const items = (count: number): string => Array.from({ length: count }, (_, at) => two(at + 1)).join('')
/** Types whose flights were ticketed before. */
export const OF_EMDS: readonly string[] = ['A', 'G']
const checkDigit = (number: string): string => (number === '' ? '' : String(BigInt(number) % 7n))

/** Texts at their columns, from 1, in a line of blanks. */
function row(length: number, fields: Readonly<Record<number, string>>): string {
  const line = Array.from({ length }, () => ' ')
  for (const [column, text] of Object.entries(fields)) line.splice(Number(column) - 1, text.length, ...text)
  return line.join('')
}

/** The sum of amounts with the same number of decimals. */
export function added(amounts: readonly string[]): string {
  const decimals = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0))
  const sum = amounts.reduce((total, amount) => total + BigInt(amount.replace('.', '')), 0n)
  const digits = String(sum).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The three tax boxes; if there are more taxes, the third is the sum of the rest. */
function boxes(taxes: readonly { code: string; amount: string }[]): { code: string; amount: string }[] {
  if (taxes.length <= 3) return [...taxes]
  return [...taxes.slice(0, 2), { code: 'XT', amount: added(taxes.slice(2).map(({ amount }) => amount)) }]
}

export type IurLayout = { lineEnd: string; end: string }
const RAW: IurLayout = { lineEnd: '\r\n', end: '\r\f' }

/** Writes an IUR as Sabre does, by default with CR LF between its lines and a CR and a form feed at the end. */
export function writeIur(scenario: IurScenario, layout: IurLayout = RAW): string {
  const sections = {
    M1: scenario.passengers.map((_, at) => passengerRecord(scenario, at)),
    M2: scenario.tickets.map((_, at) => ticketRecord(scenario, at)),
    M3: scenario.flights.map((_, at) => flightRecord(scenario, at)),
    M4: scenario.tickets.length > 0 ? scenario.flights.map(couponRecord) : [],
    M5: accountingRecords(scenario),
    M6: scenario.tickets.map(calculationRecord),
    M7: scenario.remarks.slice(0, 1).map((remark) => [`M701${remark}`]),
    M8: scenario.remarks.slice(1).map((remark, at) => [`M8${two(at + 1)}${remark}`]),
    M9: messagesOf(scenario).map(({ message }, at) => [`M9${two(at + 1)}${message}`]),
    MA: [],
  }
  const counts = Object.values(sections).map((records) => three(records.length))
  const lines = [
    ...headerRecord(scenario, counts.join('')),
    ...Object.values(sections).flat(2),
    ...scenario.emds.flatMap((emd) => emdRecord(scenario, emd)),
  ]
  return lines.map((line) => line + layout.lineEnd).join('') + layout.end
}

function headerRecord(scenario: IurScenario, counts: string): string[] {
  const { made, time, type, customer, iata, pnr, office, agent, issuedOn, flights } = scenario
  const signature = `${office.padEnd(5)}* ${agent.padEnd(3)}`
  const header = row(230, {
    1: `AA${dayMonth(made)}${time.replace(':', '')}M0${type}17`,
    17: customer,
    37: '0000123',
    44: `${iata.slice(0, 2)} ${iata.slice(2, 7)} ${iata.slice(7)}`,
    54: pnr.padStart(8),
    70: '61111111000000000',
    89: `${signature}ABCDEF`,
    117: `${dayMonth(made)} 0600`,
    127: signature,
    139: `000${flights[0] ? dayMonth(flights[0].departure) : ''}`,
    187: counts,
    219: '01',
    221: ` 1401${dayMonth(issuedOn)}`,
  })
  return [header, ...Array<string>(11).fill(''), '0000000000-A', '', '', agent]
}

function passengerRecord(scenario: IurScenario, at: number): string[] {
  const { passengers, flights, tickets } = scenario
  const { last, first, title, born } = passengers[at] as IurPassenger
  const messages = messagesOf(scenario).flatMap(({ passenger }, place) => (passenger === at ? [two(place + 1)] : []))
  const held = tickets.flatMap(({ passenger }, ticket) => (passenger === at ? [two(ticket + 1)] : []))
  const line = row(138, {
    1: `M1${two(at + 1)}${last}/${first} ${title}`,
    69: born ? `DOB${dayMonth(born)}${born.slice(2, 4)}` : '',
    125: `${two(flights.length)}${held.length > 0 ? '1' : ' '}`,
    129: `${two(held.length)}0000${two(messages.length)}`,
  })
  return [line, items(flights.length), held.join(''), '', '', messages.join('')]
}

function ticketRecord({ flights, passengers, tickets }: IurScenario, place: number): string[] {
  const ticket = tickets[place] as IurTicket
  const { base, equivalent, exchange, commission, total } = ticket
  const printed = exchange
    ? [
        ...boxes(exchange.paid).map(({ code, amount }) => [code, `PD ${amount.padStart(4)}`]),
        ...boxes(ticket.taxes).map(({ code, amount }) => [code, amount]),
      ]
    : boxes(ticket.taxes).map(({ code, amount }) => [code, amount])
  const box = (at: number) => (printed[at]?.[1] ?? '').padStart(8) + (printed[at]?.[0] ?? '').padEnd(2)
  const isEven = total === 'NO ADC'
  const line = row(244, {
    1: `M2${two(ticket.passenger + 1)}${(passengers[ticket.passenger] as IurPassenger).ptc}30033792005X 2`,
    33: ticket.mark,
    35: base.currency + base.amount.padStart(8),
    46: box(0) + box(1) + box(2),
    77: isEven ? '   NO ADC' : (equivalent ?? base).currency + total.padStart(8),
    88: ticket.penalty.padStart(11),
    117: equivalent ? equivalent.currency + equivalent.amount.padStart(8) : '',
    128: commission.rate.padStart(8),
    137: commission.amount.padStart(8),
    156: 'F',
    165: ticket.tourCode,
    180: 'IST  N ABCD A AB ABCD A AB',
    228: `${two(flights.length)}01${ticket.airline}${ticket.number.slice(3)}${ticket.further}`,
  })
  const original = exchange
    ? [`${exchange.number}IST01JAN2699999992`, `${exchange.number}/${exchange.coupons}`]
    : ['', '']
  return [
    line,
    items(flights.length),
    two(place + 1),
    ticket.payment.printed,
    ...original,
    ticket.endorsement,
    '',
    '',
    '',
    '',
    '',
  ]
}

function flightRecord({ flights, passengers, type }: IurScenario, at: number): string[] {
  const flight = flights[at] as IurFlight
  const seats = passengers.flatMap(({ seats: each }, holder) => (each[at] ? [`${two(holder + 1)} ${each[at]}N`] : []))
  const days = (Date.parse(flight.arrival.slice(0, 10)) - Date.parse(flight.departure.slice(0, 10))) / 86_400_000
  const line = row(247, {
    1: `M3${two(at + 1)}1 0HK${dayMonth(flight.departure)}AIRN${flight.from}`,
    39: flight.to,
    59: flight.airline + flight.flight.padStart(5) + flight.bookingClass,
    68: flight.departure.slice(11).replace(':', ''),
    73: flight.arrival.slice(11).replace(':', ''),
    78: ' 4.00',
    90: `${days < 0 ? 4 : days}`.repeat(2) + 0,
    111: flight.operating.padEnd(2),
    113: '321001530',
    128: `${two(seats.length)}TERMINAL I`,
    160: 'TERMINAL 2 - NORTH',
    191: '0',
    233: `${OF_EMDS.includes(type) ? ' ' : '1'}00${flight.departure.slice(0, 4)}${flight.locator}`,
  })
  return [line, ...(seats.length > 0 ? seats : ['']), '', '']
}

const couponRecord = (flight: IurFlight, at: number): string[] => [
  row(86, {
    1: `M4${two(at + 1)}ADT${flight.stopover}`,
    10: [flight.validBefore, flight.validAfter].map((day) => (day ? dayMonth(day) : '     ')).join(''),
    20: `OK${flight.baggage}`,
    25: flight.fareBasis,
    48: `1${flight.fareBasis}`,
  }),
]

/** `M50101  TK#2400000001/     60/    6009/   3480/ONE/CA 1.1YILMAZ AYSE MRS/1/F/E` */
function accountingRecords({ history, passengers, tickets, emds }: IurScenario): string[][] {
  const name = (at: number) => {
    const { last, first, title } = passengers[at] as IurPassenger
    return `${at + 1}.1${last} ${first} ${title}`
  }
  const lines = [
    ...tickets.map(({ exchange, ...ticket }) => {
      const fare = exchange?.indicator === 'E' ? '0' : (ticket.equivalent ?? ticket.base).amount
      const tax =
        exchange?.indicator === 'E' || ticket.taxes.length === 0 ? '0' : added(ticket.taxes.map(({ amount }) => amount))
      const amounts = `${ticket.commission.amount.padStart(7)}/${fare.padStart(8)}/${tax.padStart(7)}`
      const start = `${two(ticket.passenger + 1)} ${exchange?.indicator ?? ' '}${ticket.airline}#${ticket.number.slice(3)}`
      const end = `ONE/${ticket.payment.printed} ${name(ticket.passenger)}/${ticket.further + 1}/F/E`
      return `${start}/${amounts}/${end}${exchange ? `-@${exchange.number}/${exchange.coupons}` : ''}`
    }),
    ...emds.map((emd) => {
      const start = `${two(emd.passenger + 1)}  ${emd.airline}#${emd.number.slice(3)}`
      return `${start}/      0/${(emd.equivalent ?? emd.base).amount.padStart(8)}/      0/ONE/CA ${name(emd.passenger)}/1/F/EMD`
    }),
  ]
  return [...history, ...lines].map((line, at) => [`M5${two(at + 1)}${line}`])
}

const calculationRecord = (ticket: IurTicket): string[] => [`M6ADT1    ${calculationOf(ticket)}`]

/** Behind `XT` the taxes that share the third box. */
export function calculationOf({ exchange, taxes }: IurTicket): string {
  const rest = (exchange?.paid ?? taxes).slice(2)
  const mark = exchange ? 'PD ' : 'XT'
  const details = rest.length > 1 ? ` ${mark}${rest.map(({ amount, code }) => amount + code).join('')}` : ''
  return `IST TK PAR133.33TK IST133.33NUC266.66END ROE0.896229${details}`
}

type Message = { passenger: number | null; message: string }
/** The airlines' messages about tickets, followed by those about each passenger. */
function messagesOf({ tickets, flights, passengers }: IurScenario): Message[] {
  const ofTickets = tickets.flatMap(({ airline, number }) =>
    flights.slice(0, 1).map((flight) => {
      const sector = flight.from + flight.to + flight.flight.padStart(4, '0') + flight.bookingClass
      return {
        passenger: null,
        message: `PT-SSR TKNE ${airline} HK1 ${sector}${dayMonth(flight.departure)}/${number}C1`,
      }
    }),
  )
  const ofPassengers = passengers.flatMap((person, passenger) =>
    requestsOf(person, passenger).map((message) => ({ passenger, message })),
  )
  return [...ofTickets, ...ofPassengers]
}

function requestsOf(
  { last, first, title, ptc, born, identity, email, phone, flyer }: IurPassenger,
  at: number,
): string[] {
  const day = (printed: string | null | undefined) => (printed ? dayMonth(printed) + printed.slice(2, 4) : '')
  const { passport, gender, nationality } = identity ?? {}
  const document = [
    passport ? 'P' : '',
    passport?.country ?? '',
    passport?.number ?? '',
    nationality ?? '',
    day(born),
    `${gender}${ptc === 'INF' ? 'I' : ''}`,
    day(passport?.expiresOn),
    last,
    first,
  ]
  return [
    ...(identity ? [`PT-SSR DOCS TK HK1/${document.join('/')}`] : []),
    ...(email ? [`PT-SSR CTCE TK HK1/${email.replace('@', '//').replaceAll('_', '..')}`] : []),
    ...(phone ? [`PT-OSI TK CTCM ${phone}`] : []),
    ...(flyer ? [` TK     ${flyer.slice(2).padEnd(21)}HK TK           ${at + 1}.1  ${last}/${first} ${title}`] : []),
  ]
}

function emdRecord(scenario: IurScenario, emd: IurEmd): string[] {
  const { passengers } = scenario
  const taxes = added(emd.coupons.map(({ tax }) => tax))
  const line = row(238, {
    1: `MG${two(emd.passenger + 1)}${(passengers[emd.passenger] as IurPassenger).ptc}`,
    8: `${dayMonth(emd.issuedOn)}${emd.issuedOn.slice(0, 4)}1014`,
    21: `1S${emd.airline}`,
    26: `${emd.number}${checkDigit(emd.number)}0${emd.associated}${checkDigit(emd.associated.slice(3))}`,
    55: '2',
    72: emd.rfic,
    89: emd.base.currency + emd.base.amount.padStart(18),
    110: taxes.padStart(18),
    146: emd.equivalent ? emd.equivalent.currency + emd.equivalent.amount.padStart(18) : '',
    167: 'CA',
    213: emd.endorsement ? 'Y' : '',
    237: two(emd.coupons.length),
  })
  return [
    line,
    emd.calculation,
    emd.endorsement,
    ...emd.coupons.map((coupon, at) => emdCoupon(coupon, at, emd, scenario.flights[coupon.flight] as IurFlight)),
  ]
}

const emdCoupon = (coupon: IurEmd['coupons'][number], at: number, { base }: IurEmd, flight: IurFlight): string =>
  row(149, {
    1: two(at + 1) + base.amount.padStart(18) + coupon.taxCode.padEnd(3) + coupon.tax.padStart(18),
    42: '00',
    71: coupon.rfisc,
    74: coupon.text,
    124: flight.flight,
    129: flight.from,
    134: flight.to,
    139: dayMonth(flight.departure) + flight.departure.slice(0, 4),
  })
