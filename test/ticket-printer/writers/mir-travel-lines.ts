import { dayMonth, lay, shortDay, two } from './mir-fields.ts'
import { type MirLeg, type MirPassenger, nameOf } from './mir-scenario.ts'

export function passengerLines(passenger: MirPassenger): string[] {
  const name = nameOf(passenger)
  const { ptc = 'ADT', serial, books = 1, fare = 1, exchange, moreFiles } = passenger
  const main = lay([
    [0, 3, 'A02'],
    [3, 33, name],
    [36, 11, serial ? '05551780215' : ''],
    [47, 1, serial ? '6' : '0'],
    [48, 10, serial],
    [58, 2, two(serial ? books : 0)],
    [60, 9, serial ? '000001668' : ''],
    [69, 6, ptc],
    [75, 2, two(fare)],
    [77, 2, exchange === undefined ? '' : two(exchange)],
    [79, 1, moreFiles ? 'Y' : 'N'],
  ])
  const remark = passenger.born ? [`NR:P-${shortDay(passenger.born)}`] : []
  const ticketed = passenger.ticketedOn
    ? [`${`SI:BEN:${name}`.padEnd(62)}C35:NTD:${shortDay(passenger.ticketedOn)}`]
    : []
  return [main, ...remark, ...ticketed]
}

function clockOf(moment: string | undefined, halfDays: boolean): string {
  if (moment === undefined) return ''
  const [hour, minute] = [Number(moment.slice(11, 13)), moment.slice(14, 16)]
  if (!halfDays) return `${two(hour)}${minute}`
  return `${String(hour % 12 || 12).padStart(2)}${minute}${hour < 12 ? 'A' : 'P'}`
}

function daysLater(leg: MirLeg): string {
  if (!leg.departure || !leg.arrival) return '2'
  const days = (Date.parse(leg.arrival.slice(0, 10)) - Date.parse(leg.departure.slice(0, 10))) / 86_400_000
  return String(days + 2)
}

export const legLine = (label: string, leg: MirLeg, segment: number): string =>
  lay([
    [0, 3, label],
    [3, 2, two(segment)],
    [5, 2, leg.airline],
    [7, 3, leg.numeric],
    [10, 12, 'AIRLINE NAME'],
    [22, 4, leg.flight, 'right'],
    [26, 2, 'Y'],
    [28, 2, 'HK'],
    [30, 5, leg.departure ? dayMonth(leg.departure) : ''],
    [35, 5, clockOf(leg.departure, leg.halfDays ?? false)],
    [40, 5, clockOf(leg.arrival, leg.halfDays ?? false)],
    [45, 1, daysLater(leg)],
    [46, 3, leg.from],
    [49, 13, `${leg.from} CITY`],
    [62, 3, leg.to],
    [65, 13, `${leg.to} CITY`],
    [78, 1, 'I'],
    [79, 1, 'N'],
    [80, 4, 'M'],
    [84, 1, leg.stopover === false ? 'X' : 'O'],
    [85, 1, '0'],
    [89, 4, '321'],
    [93, 3, leg.terminal],
    [96, 6, '01246F'],
  ])
    .padEnd(103)
    .concat(
      leg.operator ? `AC:${leg.operator.slice(0, 12).padEnd(12)}` : '',
      'TK:YJT:03.05',
      `ANL:${'AIRLINE NAME'.padEnd(24)}`,
      leg.operator ? `ACL:${leg.operator.padEnd(24)}` : '',
      leg.fullDay && leg.departure ? `DDL:${shortDay(leg.departure)}` : '',
    )

/** The identity and contacts of a passenger as requests to the airline, in remarks or in a section of their own. */
export function requestLines(section: 'A14' | 'A15' | 'A20', passenger: MirPassenger, number: number): string[] {
  const { document, email, phone, requestsIn = 'A14' } = passenger
  if (requestsIn !== section) return []
  const { last, first } = passenger
  const requests = [
    ...(document
      ? [
          [
            'DOCS',
            `P/${document.country}/${document.number}/${document.nationality}/${shortDay(document.born)}/${document.sex}/${shortDay(document.expires)}/${last}/${first}`,
          ],
        ]
      : []),
    ...(email ? [['CTCE', email.replace('@', '//')]] : []),
    ...(phone ? [['CTCM', phone]] : []),
  ]
  return requests.map(([code, text]) => {
    if (section === 'A14') return `A14X*//-P${number}/SSR${code}TKHK1/${text}-//`
    return section === 'A15' ? `A1500P${number}/SSR${code}TK HK1/${text}` : `A2000${two(number)}SSR${code}HK1/${text}`
  })
}

export const seatLine = (segment: number, number: number, { seat, isPending }: { seat: string; isPending?: boolean }) =>
  lay([
    [0, 3, 'A22'],
    [3, 2, two(segment)],
    [5, 2, two(number)],
    [8, 4, seat, 'zeros'],
    [12, 2, isPending ? 'PN' : 'HK'],
    [14, 20, 'N'.repeat(20)],
  ])
