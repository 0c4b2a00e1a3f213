import { dayMonth, lay, money, shortDay, two } from './mir-fields.ts'
import {
  basisLine,
  calculationLines,
  couponLine,
  emdLines,
  exchangeLines,
  fareLines,
  paymentLine,
  refundLines,
  sellingLines,
} from './mir-lines.ts'
import { type Amount, type MirFare, type MirPassenger, type MirScenario, nameOf, numberOf } from './mir-scenario.ts'
import { legLine, passengerLines, requestLines, seatLine } from './mir-travel-lines.ts'

const COUNTED = 'A00 A01 A02 A03 A04 A05 A06 A07 A10 A11 A12 A13 A14 A15 A16 A17'.split(' ')

/** A section with its items, each a line and its continuation lines. */
type Section = readonly [label: string, items: readonly (readonly string[])[]]

/** The number of a leg's segment; a surface sector has its own number. */
const segmentOf = (leg: number, surfaceAfter = 0): number => leg + (surfaceAfter > 0 && leg >= surfaceAfter ? 2 : 1)

/** The sections of passengers and flights. */
function travelSections({ account, passengers, legs = [], otherLegs = [], surfaceAfter }: MirScenario): Section[] {
  const flights = legs.flatMap((leg, at) => {
    const line = legLine('A04', leg, segmentOf(at, surfaceAfter))
    return at + 1 === surfaceAfter ? [[line], [`A04${two(at + 2)}ARNK`]] : [[line]]
  })
  const flyers = passengers.flatMap((passenger) => (passenger.flyer ? [[flyerLine(passenger, passenger.flyer)]] : []))
  return [
    ['A00', account ? [[`A00${account}`]] : []],
    ['A02', passengers.map(passengerLines)],
    ['A03', flyers],
    ['A04', flights],
    ['A05', otherLegs.map((leg, at) => [legLine('A05', leg, 90 + at).slice(0, 84)])],
  ]
}

const flyerLine = (passenger: MirPassenger, { airline, number }: NonNullable<MirPassenger['flyer']>): string =>
  lay([
    [0, 3, 'A03'],
    [3, 21, nameOf(passenger)],
    [24, 2, airline],
    [27, 20, number, 'right'],
    [47, 1, 'N'],
  ])

/** The sections of prices and payments. */
function priceSections(scenario: MirScenario): Section[] {
  const { legs = [], fares = [], exchanges = [], apolloExchange, payments = [], surfaceAfter } = scenario
  const { locators = [], remarks = [] } = scenario
  return [
    ['A07', fares.map((fare, at) => fareLines(fare, at + 1))],
    [
      'A08',
      fares.flatMap((fare, item) =>
        legs.map((leg, at) => [basisLine(fare, item + 1, leg, segmentOf(at, surfaceAfter))]),
      ),
    ],
    ['A09', fares.map((fare, at) => calculationLines('A09', fare, at + 1))],
    [
      'A10',
      apolloExchange
        ? [[apolloExchangeLine(apolloExchange)]]
        : exchanges.map((exchange, at) => exchangeLines(exchange, at + 1, scenario.iataNumber)),
    ],
    ['A11', payments.map((payment) => [paymentLine(payment)])],
    ['A12', contactLines(scenario).map((line) => [line])],
    [
      'A14',
      [
        ...requestsIn('A14', scenario),
        ...remarks.map((remark) => `A14FT-${remark}`),
        ...locators.map(({ airline, locator }) => `A14VL-0620${dayMonth(scenario.day)}MUCRM${airline}${locator}`),
      ].map((line) => [line]),
    ],
    ['A15', requestsIn('A15', scenario).map((line) => [line])],
  ]
}

function contactLines({ contact }: MirScenario): string[] {
  const email = contact?.email ? [`A12ISTE*${contact.email.replace('@', '//')}`] : []
  const phone = contact?.phone ? [`A12ISTM*${contact.phone} MOBILE`] : []
  return ['A12ISTT *00 000 000 0000-AGENCY', ...email, ...phone]
}

const requestsIn = (section: 'A14' | 'A15' | 'A20', scenario: MirScenario): string[] =>
  scenario.passengers.flatMap((passenger, at) => requestLines(section, passenger, numberOf(scenario, at)))

const apolloExchangeLine = (apollo: NonNullable<MirScenario['apolloExchange']>): string =>
  lay([
    [0, 3, 'A10'],
    [3, 2, '01'],
    [5, 13, apollo.original],
    [19, 2, two(apollo.books)],
    [34, 1, apollo.type],
    [35, 3, apollo.currency],
    [38, 12, apollo.total, 'zeros'],
    [50, 9, apollo.penalty, 'zeros'],
    [59, 9, '000000.00'],
  ])

/** The sections that only some files have. */
function otherSections(scenario: MirScenario): Section[] {
  const { mco, net, agreement, refunds = [], fares = [], emds = [], serviceFees = [] } = scenario
  return [
    ['A19', mco ? [mcoLines(mco)] : []],
    ['A20', requestsIn('A20', scenario).map((line) => [line])],
    ['A21', net || agreement ? [[lay([[0, 3, 'A21'], ...money(3, net), [18, 20, agreement]])]] : []],
    ['A22', seatLines(scenario).map((line) => [line])],
    ['A23', refunds.map(refundLines)],
    ['A24', fares.map((fare, at) => calculationLines('A24', fare, at + 1))],
    ['A27', fares.flatMap((fare, at) => (fare.carrierFee ? [[carrierFeeLine(fare, fare.carrierFee, at + 1)]] : []))],
    ['A28', fares.map((fare, at) => sellingLines(fare, at + 1)).filter((lines) => lines.length > 0)],
    ['A29', emds.map(emdLines)],
    ['A30', emds.flatMap((emd) => emd.coupons.map((coupon, at) => [couponLine(emd, coupon, at + 1)]))],
    [
      'A32',
      serviceFees.map(({ name, number, fee }) => [
        lay([
          [0, 3, 'A32'],
          [3, 55, name],
          [58, 13, number],
        ]),
        lay([...money(0, fee), ...money(15, fee), [30, 12, '0.00', 'right']]),
      ]),
    ],
  ]
}

const seatLines = (scenario: MirScenario): string[] =>
  scenario.passengers.flatMap(({ seats = [] }, at) =>
    seats.map((seat) => seatLine(segmentOf(seat.leg, scenario.surfaceAfter), numberOf(scenario, at), seat)),
  )

const mcoLines = (mco: NonNullable<MirScenario['mco']>): string[] => [
  lay([
    [0, 3, 'A19'],
    [3, 3, 'MCO'],
    [6, 40, mco.to],
    [46, 15, 'ISTANBUL'],
  ]),
  'ST:',
  `EB:${mco.endorsement}`,
  'R1:',
  `TN:${mco.ticket}`,
  `RI:${mco.reason}`,
]

const carrierFeeLine = ({ total }: MirFare, fee: Amount, item: number): string =>
  lay([[0, 3, 'A27'], [3, 1, 'Y'], [5, 2, two(item)], ...money(7, fee), ...money(22, total)])

function headerOf(scenario: MirScenario, sections: readonly Section[], size: number): string[] {
  const { airline, currency, apollo } = scenario
  const isTicket = !'VR'.includes(scenario.command)
  return [
    lay([
      [0, 10, apollo ? 'T51V588092' : 'T51G773392'],
      [10, 5, String(size), 'zeros'],
      [15, 5, '00272'],
      [20, 7, shortDay(scenario.day)],
      [27, 5, scenario.time.replace(':', '')],
      [32, 2, airline.code],
      [34, 3, airline.numeric],
      [37, 24, airline.name],
      [61, 7, scenario.firstTravel ? shortDay(scenario.firstTravel) : ''],
      [68, 12, 'FE2C34FE2EF2'],
    ]),
    lay([
      [0, 4, scenario.bookingOffice],
      [4, 4, scenario.ticketingOffice],
      [8, 9, scenario.iataNumber],
      [17, 6, scenario.pnr],
      [23, 6, scenario.otherLocator?.locator],
      [29, 2, scenario.otherLocator?.airline],
      [32, 6, scenario.bookingAgent],
      [38, 1, 'N'],
      [39, 2, scenario.ticketingAgent],
      [41, 2, 'AG'],
      [43, 20, `${isTicket ? shortDay(scenario.day) : ''.padEnd(7)}001${''.padEnd(7)}001`],
    ]),
    lay([
      [0, 3, currency],
      [3, 12, scenario.partyFare ?? '', 'zeros'],
      [15, 1, String(scenario.decimals)],
      [16, 3, currency],
      [19, 50, '00000000  '.repeat(5)],
      [69, 8, scenario.commission ?? '', 'zeros'],
      [77, 4, scenario.commissionRate ?? '', 'zeros'],
      [81, 15, scenario.tourCode],
    ]),
    lay(
      [
        [0, 4, `${scenario.resent ? 'Y' : 'N'}NNY`],
        [4, 6, `N5${scenario.exchanges || scenario.apolloExchange ? 'Y' : 'N'}NYA`],
        [10, 1, 'Y'],
        [11, 1, scenario.command],
        [13, 4, 'NNNX'],
        [20, 2, 'TR'],
      ],
      51,
    ),
    COUNTED.map((section) =>
      String(sections.find(([label]) => label === section)?.[1].length ?? 0).padStart(3, '0'),
    ).join(''),
  ]
}

/**
 * Writes a MIR from a scenario, by the tables of the format. Offsets count from the beginning of a line, and texts are
 * cut to their width, as the systems do. The file ends with an empty line and a form feed.
 */
export function writeMir(scenario: MirScenario, ends: '\r' | '\n' | '\r\n' = '\r', tail = '\f'): string {
  const sections = [...travelSections(scenario), ...priceSections(scenario), ...otherSections(scenario)]
  const body = sections.flatMap(([, items]) => (items.length > 0 ? [...items.flat(), ''] : []))
  const lines = (size: number) => [...headerOf(scenario, sections, size), '', ...body]
  const size = `${lines(0).join('\r')}\r\f`.length
  return lines(size).join(ends) + ends + tail
}
