import { parse } from 'csv-parse/sync'
import { type ReadTicketFile, Unreadable } from '../../ticket-file.ts'
import { movedDay } from '../days.ts'
import { moneyOf, printedText } from '../printed.ts'
import { nameIn, type SirenaTicket, sirenaCurrencyOf, sirenaFile } from '../sirena/tickets.ts'

/** Day number 0 of the spreadsheets and databases that these files come from. */
const DAY_ZERO = '1899-12-30'
/** The columns without which no ticket can be read. */
const NEEDED = ['BSONUM', 'OPTYPE', 'GENERAL_CARRIER', 'CURRENCY'] as const
const MOST_CHARACTERS = 64 * 1024
type Row = Readonly<Record<string, string | undefined>>

/** Reads Sirena's tickets as CSV, where the first line names the columns as the XML names its elements. */
export const readTkt: ReadTicketFile = (content) => {
  if (content.length > MOST_CHARACTERS)
    return new Unreadable('The file is longer than 64 thousand characters. Export fewer tickets at once.')
  const [header = [], ...lines] = rowsOf(content)
  const names = header.map((name) => name.trim().toUpperCase())
  if (!NEEDED.every((name) => names.includes(name))) {
    return new Unreadable(
      'The file looks like a TKT, but its first line does not name the columns, so their order is unknown. ' +
        'Send the file to support, so that we can add this layout.',
    )
  }
  const rows = lines.map((line): Row => Object.fromEntries(names.map((name, at) => [name, line[at]])))
  return sirenaFile('tkt', null, rows.map(ticketOf))
}

/** The fields of every line; none where it is no CSV at all. */
function rowsOf(content: string): string[][] {
  const delimiter = content.slice(0, content.search(/[\r\n]|$/)).includes('";"') ? ';' : ','
  try {
    return parse(content, { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true })
  } catch {
    return []
  }
}

function ticketOf(row: Row): SirenaTicket {
  const currency = sirenaCurrencyOf(printedText(row.CURRENCY)) ?? undefined
  const taxes = moneyOf(currency, row.TAXES)
  return {
    type: printedText(row.TYPE) ?? 'ETICKET',
    operation: printedText(row.OPTYPE),
    form: printedText(row.BSONUM),
    carrier: printedText(row.GENERAL_CARRIER),
    name: nameIn(row.FIO?.trim() ?? ''),
    dateOfBirth: dayOf(row.BIRTH_DATE),
    pnr: printedText(row.PNR_LAT) ?? printedText(row.PNR),
    issuedOn: dayOf(row.DEALDATE),
    fare: moneyOf(currency, row.FARE),
    taxes: taxes && Number(taxes.amount) > 0 ? [{ ...taxes, code: 'XT', nature: null }] : [],
    total: moneyOf(currency, row.TOTAL),
    spoilt: [row.FARE, row.TAXES].some((printed) => printedText(printed) !== null && !moneyOf(currency, printed)),
    formOfPayment: null,
    endorsement: null,
    legs: [],
  }
}

/** A day printed as its number. */
function dayOf(printed: string | undefined): string | null {
  const number = printedText(printed) ?? ''
  return /^[1-9]\d{3,4}$/.test(number) ? movedDay(DAY_ZERO, Number(number)) : null
}
