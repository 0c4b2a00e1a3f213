import { type TicketFileFormat, Unreadable } from '../ticket-file.ts'

/** How files of each system begin, and their name. A reader detects several files of its own format by itself. */
const BEGINNINGS: readonly { readonly formats: readonly TicketFileFormat[]; readonly name: string; begins: RegExp }[] =
  [
    { formats: ['air'], name: 'Amadeus AIR', begins: /(?:AIR-)?BLK\d{3};/ },
    { formats: ['mir'], name: 'MIR', begins: /T51[GV](?:7733|5880)\d{7}/ },
    {
      formats: ['iur'],
      name: 'Sabre IUR',
      begins: /AA\d{2}(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\d{4}M0[0-9A-Z]/,
    },
    {
      formats: ['ndc_orderview', 'xml'],
      name: 'XML',
      begins: /<(?:\?xml\s|TICKETS?[\s>]|(?:[\w.-]{1,40}:)?(?:Envelope|(?:IATA_)?Order[A-Z][a-z]{2,20}RS)[\s>])/,
    },
  ]
const FORMATS = BEGINNINGS.flatMap(({ formats }) => formats)

/** At the beginning of a line, where transports can leave control characters and a few blanks. */
const atLineStart = (patterns: readonly RegExp[]): RegExp =>
  new RegExp(`(?:^|[\\0-\\x1f]) {0,4}(?:${patterns.map(({ source }) => source).join('|')})`)
const othersThan = (format: TicketFileFormat) => BEGINNINGS.filter(({ formats }) => !formats.includes(format))
const ANY_OTHER: ReadonlyMap<TicketFileFormat, RegExp> = new Map(
  FORMATS.map((format) => [format, atLineStart(othersThan(format).map(({ begins }) => begins))]),
)

/** Refuses a file that also contains a file of another system, which would be lost; null if it does not. */
export function severalSystems(file: string, format: TicketFileFormat): Unreadable | null {
  if (!ANY_OTHER.get(format)?.test(file)) return null
  const own = BEGINNINGS.filter(({ formats }) => formats.includes(format))
  const others = othersThan(format).filter(({ begins }) => atLineStart([begins]).test(file))
  const names = [...own, ...others].map(({ name }) => name).join(', ')
  return new Unreadable(
    `The file contains files of several systems (${names}). Send each one in a separate file.`,
    'several_files',
  )
}
