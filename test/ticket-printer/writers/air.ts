import type { Commission, PrintedMoney, Tax, TicketLeg } from '../../../src/features/ticket-printer/ticket-file.ts'
import type { AirDocument, AirEmd, AirFare, AirMco, AirPassenger, AirScenario, AirSegment } from './air-scenarios.ts'

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
/** `05MAR` for 2026-03-05. */
const shortDay = (day: string): string => day.slice(8, 10) + MONTHS[Number(day.slice(5, 7)) - 1]
const longDay = (day: string): string => shortDay(day) + day.slice(0, 4)
const middleDay = (day: string): string => shortDay(day) + day.slice(2, 4)
const sixDigits = (day: string): string => day.slice(2).replaceAll('-', '')
/** The number of an airline with its check digit: the number modulo 7. */
const withDigit = (numeric: string): string => numeric + (Number(numeric) % 7)
const blanks = (count: number): string[] => Array.from({ length: count }, () => '')
/** Currency and amount: left-aligned in fares, right-aligned in EMDs and MCOs. */
const left = (money: PrintedMoney | null): string => (money ? money.currency + money.amount.padEnd(11) : '')
const right = (money: PrintedMoney | null): string => (money ? money.currency + money.amount.padStart(11) : '')
const taxItem = (tax: Tax, indicator: string): string =>
  `${indicator}${tax.currency}${tax.amount.padEnd(9)}${tax.code.padEnd(3)}${(tax.nature ?? '').padEnd(2)}`

/** Writes a scenario, line by line as the tables of the format define them. */
export function writeAir(scenario: AirScenario, lineEnd = '\r'): string {
  const isLast = !scenario.part || scenario.part.number === scenario.part.of
  const lines = [
    ...headerLines(scenario),
    ...segmentLines(scenario),
    ...refundLines(scenario),
    ...scenario.mcos.map(mcoLine),
    ...scenario.emds.flatMap((emd) => emdLines(emd)),
    ...fareLines(scenario),
    ...scenario.passengers.flatMap((passenger, at) => passengerLines(scenario, passenger, at)),
    isLast ? 'ENDX' : 'END',
  ]
  return lines.map((line) => line + lineEnd).join('')
}

function headerLines(scenario: AirScenario): string[] {
  const { part, change, airline, agents, days } = scenario
  const act = change ? `${change.action.padEnd(4)}${shortDay(change.day)};${change.sign}` : ' '.repeat(14)
  return [
    `AIR-BLK${scenario.version};${scenario.option};${scenario.training ? 'T' : ''};247;0000000000;1A0000000;001001`,
    `AMD ${scenario.sequence};${part?.number ?? 1}/${part?.of ?? 1};${act}`,
    '1A0000001;1A0000000',
    `MUC1A ${mucFields(scenario).join(';')}`,
    ...(airline ? [`A-${airline.name};${airline.code.padEnd(3)}${withDigit(airline.numeric)}`] : []),
    ...(days ? ['B-TTP/RT'] : []),
    ...(agents ? [`C-7906/ ${agents.booking}-${agents.ticketing}-I-0--`] : []),
    ...(days ? [`D-${sixDigits(days.created)};${sixDigits(days.changed)};${sixDigits(days.made)}`] : []),
  ]
}

function mucFields({ pnr, office, version, account, locators, passengers, refund }: AirScenario): string[] {
  const offices = [office.id, office.iata ?? '']
  const count = String(passengers.length).padStart(2, '0')
  return [
    pnr ? `${pnr}001` : ' '.repeat(9),
    count + count,
    ...offices,
    ...(refund ? blanks(4) : [...offices, ...offices]),
    ...offices,
    ...blanks(18),
    account ?? '',
    '',
    ...(version === '207' ? [''] : []),
    ...locators.map(({ airline, locator }) => `${airline} ${locator.padEnd(6)}`),
  ]
}

function segmentLines({ segments, unticketed, version }: AirScenario): string[] {
  const flown = segments.flatMap((segment) => (segment.kind === 'surface' ? [] : [segment.leg]))
  const lines = segments.flatMap((segment, at) => {
    const tattoo = String(at + 1).padStart(3, '0')
    if (segment.kind === 'surface') {
      return [`H-000;000O${segment.from};${city(segment.from)};${segment.to};${city(segment.to)};VOID`]
    }
    const { leg } = segment
    const stop = leg.stopover ? 'O' : 'X'
    const place = `${tattoo};${String(at + 2).padStart(3, '0')}`
    const way = `H-${place}${stop}${leg.from};${city(leg.from)};${leg.to};${city(leg.to)}`
    const carrier = leg.airline.padEnd(6) + leg.flight.padEnd(5) + (leg.bookingClass ?? '').padEnd(2).repeat(2)
    if (segment.kind === 'open') return [`${way};${carrier};;${leg.status}01;${leg.baggage}`]
    const operating = leg.operatingAirline
      ? [`Y-${place}${leg.from};${city(leg.from)};${leg.to};${city(leg.to)};${leg.operatingAirline};OPERATOR;;;;;77W;N`]
      : []
    return [`${way};${carrier}${timesOf(segment)};${detailsOf(leg, version)}`, ...operating]
  })
  const others = unticketed.map((leg, at) => unticketedLine(leg, at, version))
  if (flown.length === 0) return [...lines, ...others]
  return ['G-X  ;;ISTLON;', ...lines, ...others]
}

/** A flight without a ticket has two more fields before the countries and the arrival terminal. */
function unticketedLine(leg: TicketLeg, at: number, version: AirScenario['version']): string {
  const place = `${String(at + 1).padStart(3, '0')}X;${String(at + 2).padStart(3, '0')}${leg.stopover ? 'O' : 'X'}${leg.from}`
  const carrier = leg.airline.padEnd(6) + leg.flight.padEnd(5) + (leg.bookingClass ?? '').padEnd(2).repeat(2)
  const times = timesOf({ kind: 'flight', leg })
  const details = detailsOf(leg, version).split(';')
  const shifted = [...details.slice(0, 13), '', ...details.slice(13, 14), '', ...details.slice(14)].join(';')
  return `U-${place};${city(leg.from)};${leg.to};${city(leg.to)};${carrier}${times};${shifted}`
}

const CITIES: Readonly<Record<string, string>> = {
  IST: 'ISTANBUL',
  SAW: 'ISTANBUL SABIHA G',
  LHR: 'LONDON LHR',
  MAN: 'MANCHESTER INTL',
  KWI: 'KUWAIT',
  JFK: 'NEW YORK JFK   NY',
  FRA: 'FRANKFURT INTL',
}
const city = (airport: string): string => (CITIES[airport] ?? 'ELSEWHERE').padEnd(17)

function timesOf({ leg, longDays, halfDays }: Extract<AirSegment, { kind: 'flight' }>): string {
  const [departure, arrival] = [leg.departure ?? '', leg.arrival ?? '']
  const day = longDays ? longDay : shortDay
  const time = (printed: string) => (halfDays ? halfDay(printed) : `${printed.slice(11, 13)}${printed.slice(14)} `)
  return day(departure.slice(0, 10)) + time(departure) + time(arrival) + day(arrival.slice(0, 10))
}

/** `0750P`; noon and midnight have letters of their own. */
function halfDay(printed: string): string {
  const [hour, minute] = [Number(printed.slice(11, 13)), printed.slice(14)]
  const half = minute === '00' && hour % 12 === 0 ? (hour === 0 ? 'M' : 'N') : hour < 12 ? 'A' : 'P'
  return `${String(hour % 12 || 12).padStart(2, '0')}${minute}${half}`
}

function detailsOf(leg: TicketLeg, version: AirScenario['version']): string {
  const terminal = (leg.arrivalTerminal ?? '').padEnd(2)
  return [
    `${leg.status}01`,
    'HK01',
    'M ',
    leg.stops ?? '',
    leg.equipment ?? '',
    '',
    '',
    leg.baggage ?? '',
    (leg.departureTerminal ?? '').padEnd(2),
    '',
    'ET',
    '0400 ',
    'N',
    '1567',
    ...(version === '207' ? ['TR', 'GB'] : []),
    terminal,
  ].join(';')
}

function fareLines(scenario: AirScenario): string[] {
  const { fares, segments, arithmetic, refund, passengers, mark, fareCalculation } = scenario
  if (refund || !passengers.some(({ documents }) => documents.some(({ kind }) => kind === 'ticket'))) return []
  if (Object.keys(fares).length === 0) return []
  const bases = segments.flatMap((each) => (each.kind === 'surface' ? [] : [(each.leg.fareBasis ?? '').padEnd(15)]))
  return [
    ...(fares.K ? fareLinesOf('K-', 'KFT', fares.K) : ['K-']),
    ...(fares.KN ? fareLinesOf('KN-', 'KNT', fares.KN) : []),
    ...(fares.KS ? fareLinesOf('KS-', 'KST', fares.KS) : []),
    ...(mark ? [`SIA${mark};;${mark}T`] : []),
    'L-',
    `M-${bases.join(';')}`,
    `O-${segments.flatMap((each) => (each.kind === 'surface' ? [] : [validityOf(each.leg)])).join(';')};LD05MAR262359`,
    ...(fareCalculation ? [`Q-${fareCalculation};FXB`] : []),
    ...(arithmetic ? [arithmeticLine(arithmetic)] : []),
  ]
}

const validityOf = ({ notValidBefore, notValidAfter }: TicketLeg): string =>
  [notValidBefore, notValidAfter].map((day) => (day ? shortDay(day) : 'XX')).join('')

function fareLinesOf(tag: string, taxTag: string, { id, fare }: AirFare): string[] {
  const items = [
    ...fare.taxes.map((tax) => taxItem(tax, ' ')),
    ...fare.paidTaxes.map((tax) => taxItem(tax, 'O')),
    ...fare.exempt.map((code) => `    EXEMPT   ${code.padEnd(3)}AE`),
  ]
  const rate = fare.rate ? fare.rate.padEnd(11) : ''
  const fields = [`${id}${left(fare.base)}`, left(fare.equivalent), ...blanks(10), left(fare.total), rate, '', '']
  const empty = blanks(60 - items.length)
  return [tag + fields.join(';'), ...(items.length > 0 ? [[`${taxTag}${id}`, ...items, ...empty].join(';')] : [])]
}

function arithmeticLine({
  fareDifference,
  collected,
  penalty,
  residual,
}: NonNullable<AirScenario['arithmetic']>): string {
  return `ATC-${['', '', left(fareDifference), ...blanks(5), left(penalty), left(collected), left(residual), left(collected)].join(';')}`
}

function refundLines({ refund, change }: AirScenario): string[] {
  if (!refund || change?.action) return []
  const { gross, used, refundable, penalty, otherFees, taxTotal, total } = refund
  const amounts = [used, refundable, null, null, penalty, null, otherFees].map((money) => money?.amount ?? '')
  const issued = refund.originallyIssuedOn ? middleDay(refund.originallyIssuedOn) : ''
  const tax = taxTotal ? `XT${taxTotal.amount}` : ''
  const paid = gross ? gross.currency + gross.amount : ''
  return [
    `RFDA;${[issued, 'I', paid, ...amounts, tax, total?.amount ?? ''].join(';')}`,
    `KRF ;${refund.taxes.map((tax) => taxItem(tax, 'Q')).join(';')};`,
  ]
}

function emdLines({ reference, carrier, numeric, services, fare, fareCalculation, ticket }: AirEmd): string[] {
  const coupons = services.map((service, at) => {
    const element = String(at + 7).padStart(3, '0')
    return `EMD${[
      `07${at}`,
      element + carrier,
      withDigit(numeric),
      'AIRLINE OF TEST',
      '01JAN',
      reference,
      service.coupon,
      carrier,
      '',
      carrier,
      service.from,
      service.to,
      'TO-',
      'AT-',
      ticket ? 'A' : 'S',
      service.rfic,
      'AIR TRANSPORTATION',
      service.rfisc,
      service.text,
      ...blanks(8),
      'F',
      right(fare.base),
      'N',
      right(fare.equivalent),
      right(fare.equivalent ?? fare.base),
      '',
      ...fare.taxes.map((tax) => `TX ${tax.currency}${tax.amount.padEnd(9)}${tax.code.padEnd(4)}`),
      ...blanks(99 - fare.taxes.length),
      right(fare.total),
      (fare.rate ?? '').padEnd(11),
      '',
      'I',
      'P1',
      `S${at + 2}`,
    ].join(';')}`
  })
  const joined = services.map(({ coupon }, at) => `ICW${ticket}E${coupon};${reference};L${at + 7}`)
  const calculation = fareCalculation ? [`EMQ-${fareCalculation};0;0;${reference}`] : []
  return [...coupons, ...calculation, ...(ticket ? joined : [])]
}

function mcoLine({ element, carrier, numeric, reason, text, fare }: AirMco): string {
  return `MCO${[
    '019',
    String(element).padStart(3, '0') + carrier,
    withDigit(numeric),
    'AIRLINE OF TEST',
    'IST',
    'TO-AIRLINE OF TEST',
    'AT-ISTANBUL',
    '01JAN',
    'M',
    reason,
    text,
    '**-',
    '',
    'F',
    right(fare.base),
    'N',
    right(fare.equivalent),
    ...fare.taxes.map(
      (tax) => ` ${tax.currency}${tax.amount.padStart(9)}${tax.code.padEnd(3)}${(tax.nature ?? '').padEnd(2)}`,
    ),
    ...blanks(30 - fare.taxes.length),
    '',
    right(fare.total),
    (fare.rate ?? '').padEnd(11),
    ...blanks(5),
    right(fare.base),
    '',
    '',
    'P1',
  ].join(';')}`
}

function passengerLines(scenario: AirScenario, holder: AirPassenger, at: number): string[] {
  const refunded = scenario.refund ? middleDay(scenario.change?.day ?? '') : null
  const { passenger, number, documents } = holder
  const title = passenger.title ? ` ${passenger.title}` : ''
  const ptc = passenger.ptc ? `(${passenger.ptc})` : ''
  const name = `${String(number).padStart(2, '0')}${passenger.lastName}/${passenger.firstName}${title}${ptc}`
  const flyer = passenger.frequentFlyer ? [`FQV TK  FQTV1-${passenger.frequentFlyer};P${number}`] : []
  return [
    `I-${String(at + 1).padStart(3, '0')};${name};;${reservationContacts(holder)};;`,
    ...flyer,
    ...requestLines(holder),
    ...seatLines(scenario, holder),
    ...documents.map(documentLine),
    ...documents.flatMap(({ number: of }) => (refunded ? [`R-${of.slice(0, 3)}-${of.slice(3)};${refunded}`] : [])),
    ...elementLines(scenario, holder),
    ...(at === scenario.passengers.length - 1 ? remarkLines(scenario) : []),
  ]
}

/** The contacts of a passenger are requests to the airlines, or follow the agency's in the reservation. */
const asksAirlines = ({ number }: AirPassenger): boolean => number % 2 === 0

function reservationContacts(holder: AirPassenger): string {
  const { email, phone } = holder.passenger
  const own = asksAirlines(holder) ? [] : [...(phone ? [`M${phone}`] : []), ...(email ? [`E-${email}`] : [])]
  return `AP${['IST 00 000 0000000 - TEST AGENCY - A', ...own].join('//')}`
}

function requestLines(holder: AirPassenger): string[] {
  const { dateOfBirth, gender, nationality, passport, type, email, phone } = holder.passenger
  const day = (printed: string | null | undefined) => (printed ? middleDay(printed) : '')
  const infant = type === 'infant' ? 'I' : ''
  const printed = [
    `TK  HK1/${passport ? 'P' : ''}`,
    passport?.country ?? '',
    passport?.number ?? '',
    nationality ?? '',
    day(dateOfBirth),
    (gender ?? '') + infant,
    day(passport?.expiresOn),
  ]
  const isKnown = dateOfBirth || gender || nationality || passport
  const to = `;P${holder.number}`
  return [
    ...(isKnown ? [`SSR DOCS ${printed.join('/')}/X/Y${to}`] : []),
    ...(email && asksAirlines(holder) ? [`SSR CTCE TK  HK1/${airlineEmail(email)}${to}`] : []),
    ...(phone && asksAirlines(holder) ? [`SSR CTCM TK  HK1/${phone}${to}`] : []),
  ]
}
const airlineEmail = (email: string): string => email.replace('@', '//').replaceAll('_', '..').replaceAll('-', './')

/** A field for each sector, including surface sectors, which the index of a leg does not count. */
function seatLines({ segments }: AirScenario, { passenger, number }: AirPassenger): string[] {
  if (passenger.seats.length === 0) return []
  const flown = segments.filter(({ kind }) => kind !== 'surface')
  const places = segments.map((segment) => {
    const seat = passenger.seats.find(({ leg }) => flown[leg] === segment)?.seat
    return seat ? `/S${seat}.N` : '/'
  })
  return [`S-${String(number).padStart(2, '0')}${places.join(';')}`]
}

/** One for each tag. */
const REMARKS = ['RM ', 'RC ', 'RIR', 'RIF', 'RII']
const remarkLines = ({ remarks }: AirScenario): string[] => remarks.map((remark, at) => `${REMARKS[at]}${remark}`)

function documentLine({ kind, number, conjunctions, reference }: AirDocument): string {
  const last = conjunctions.at(-1)
  const printed = `${number.slice(0, 3)}-${number.slice(3)}${last ? `-${last.slice(-2)}` : ''}`
  if (kind === 'ticket') return `T-K${printed}`
  return kind === 'emd' ? `TMCD${printed};;${reference}` : `TMCM${printed};;${reference}`
}

function elementLines({ deadline, days, refund, change }: AirScenario, holder: AirPassenger): string[] {
  const { documents, commission, payment, tourCode, endorsement, exchange, serviceFee, number } = holder
  const paid = payment?.printed
  const hasTicket = documents.some(({ kind }) => kind === 'ticket')
  const others = documents.filter(({ kind }) => kind !== 'ticket')
  return [
    ...(holder.coupons
      ? [`TBS1-${['1', '2', '3', '4'].map((c) => (holder.coupons?.includes(c) ? c : 0)).join('')}`]
      : []),
    ...(endorsement ? [`FE${endorsement};S2-5;P${number}`] : []),
    ...(commission ? [`FM${commissionText(commission, refund !== null)};S2;P${number}`] : []),
    ...(exchange ? [`FO${exchange.printed};P${number}`] : []),
    ...(paid && (hasTicket || refund) ? [`FP${paid}`] : []),
    ...(tourCode ? [`FT*F*${tourCode};S2;P${number}`] : []),
    ...(paid && !refund ? others.map(({ reference }) => `MFP${paid};;;${reference}`) : []),
    ...(days && !refund && !change ? [tkLine(deadline, days.changed)] : []),
    ...(serviceFee
      ? [
          `TFD21;00000;${middleDay(days?.made ?? '2026-01-01')};ISTTK0000;${serviceFee.currency}${serviceFee.amount};;;FEE;FLT`,
        ]
      : []),
  ]
}

const tkLine = (deadline: string | null, day: string): string =>
  deadline ? `TKTL${shortDay(deadline)}/1200/ISTTK0000` : `TKOK${shortDay(day)}/ISTTK0000//ETTK`

function commissionText({ rate, amount }: Commission, inRefund: boolean): string {
  if (inRefund) return [rate && `${rate}P`, amount && `${amount}A`].filter(Boolean).join('/')
  return `*M*${[rate, amount && `${amount}A`].filter(Boolean).join('/')}`
}
