import { MIR_HEADER } from '#client/ticket-file/signatures.ts'
import { Unreadable } from '../../ticket-file.ts'
import { fullDay, printedClock } from '../days.ts'
import { printedText } from '../printed.ts'
import { cutLine } from './columns.ts'

/** The lengths of the five header lines without line ends. Offsets below count a line end as one character. */
const WIDTHS = [80, 63, 96, 51, 48] as const
const COLUMNS = {
  system: [2, 2],
  type: [8, 2],
  size: [10, 5],
  day: [20, 7],
  time: [27, 5],
  airline: [32, 2],
  numeric: [34, 3],
  airlineName: [37, 24],
  firstTravel: [61, 7],
  bookingOffice: [81, 4],
  ticketingOffice: [85, 4],
  iataNumber: [89, 9],
  pnr: [98, 6],
  otherLocator: [104, 6],
  otherAirline: [110, 2],
  bookingAgent: [113, 6],
  ticketingAgent: [120, 2],
  currency: [145, 3],
  partyFare: [148, 12],
  decimals: [160, 1],
  commission: [214, 8],
  commissionRate: [222, 4],
  tourCode: [226, 15],
  isExchange: [248, 1],
  command: [253, 1],
} as const
const COUNTS_AT = 294
const COUNT_WIDTH = 3
/** The sections that the header counts, in order. */
const COUNTED = 'A00 A01 A02 A03 A04 A05 A06 A07 A10 A11 A12 A13 A14 A15 A16 A17'.split(' ')
/** Sections that an agency can switch off are counted anyway; seats have moved to A22. */
const OPTIONAL = ['A00', 'A01', 'A03', 'A05', 'A06', 'A12', 'A13', 'A15', 'A16', 'A17']
const REQUIRED = COUNTED.map((section, at) => ({ section, at: COUNTS_AT + at * COUNT_WIDTH })).filter(
  ({ section }) => !OPTIONAL.includes(section),
)
/** Replaces the locator in voids and refunds without the reservation. */
const NO_PNR = 'ZZZZZZ'
const NO_OFFICE = '    '

export type MirHeader = ReturnType<typeof fieldsOf>

/** The header of a MIR, or why it cannot be parsed. `today` decides the century. */
export function readMirHeader(lines: readonly string[], today: string): MirHeader | Unreadable {
  if (!MIR_HEADER.test(lines[0] ?? ''))
    return new Unreadable('The file is not a MIR: it does not begin with T51G or T51V.', 'unknown_format')
  if (lines.length < WIDTHS.length) {
    return new Unreadable('The file ends within the header of the MIR. Send the complete file again.', 'incomplete')
  }
  // Editors have replaced the blanks before the office of a void by a tab.
  const printed = lines.slice(0, WIDTHS.length).map((line) => withoutTab(line.trimEnd()))
  const isDamaged = printed.some((line, at) => line.length > (WIDTHS[at] ?? 0)) || !/^\d{48}$/.test(printed[4] ?? '')
  if (isDamaged) {
    return new Unreadable(
      'The header of the MIR is damaged: its five lines do not have the right widths. Send the MIR again.',
      'damaged',
    )
  }
  return fieldsOf(printed.map((line, at) => line.padEnd(WIDTHS[at] ?? 0)).join('\n'), today)
}

const withoutTab = (line: string): string => (line.startsWith('\t') ? NO_OFFICE + line.slice(1) : line)

function fieldsOf(header: string, today: string) {
  const fields = cutLine(header, COLUMNS)
  const digits = fields.iataNumber.replaceAll(' ', '')
  const day = fullDay(fields.day, today)
  return {
    ...fields,
    isApollo: fields.system === '1V',
    size: Number(fields.size),
    day,
    time: printedClock(fields.time),
    firstTravel: fullDay(fields.firstTravel, day ?? today),
    numeric: /^\d{3}$/.test(fields.numeric) ? fields.numeric : null,
    iataNumber: /^\d{8}$/.test(digits) ? digits : null,
    pnr: fields.pnr === NO_PNR ? null : printedText(fields.pnr),
    decimals: /^[0-4]$/.test(fields.decimals) ? Number(fields.decimals) : 2,
    /** The least number of items in each section that cannot be switched off. */
    counts: REQUIRED.map(({ section, at }) => ({ section, items: Number(header.slice(at, at + COUNT_WIDTH)) })),
  }
}
