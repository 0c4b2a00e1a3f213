import { type DocumentAction, type ReadTicketFile, type TicketDocument, Unreadable } from '../../ticket-file.ts'
import { BLANK_FILE } from '../blank.ts'
import { fullDay, lastDay, printedClock } from '../days.ts'
import { printedText as filled } from '../printed.ts'
import { tairDocuments } from './documents.ts'
import { tairLegs } from './legs.ts'
import { at, freeText, type TairRecord, taggedText, tairRecords } from './records.ts'

/** Office, IATA number, day, time and agent: `1AB99999992/05MAR261130YA`. */
const OFFICE = /^(.{3})(\d{8}| {8}) ?\/(\d{2}[A-Z]{3}\d{0,2})(\d{4})(.{0,2})/
/** Many times what the largest transaction needs. */
const MOST_CHARACTERS = 128 * 1024

/** Reads the international TAIR of Worldspan, as far as its layout is known: no file of an agency has been seen yet. */
export const readTair: ReadTicketFile = (text, today) => {
  if (text.length > MOST_CHARACTERS) return unknownLayout('it contains more than one transaction')
  const records = tairRecords(text)
  const [head] = records
  if (head?.id !== '1') return unknownLayout('it has no record 1')
  const ticketing = officeOf(records, 'TL-')
  if (!ticketing) return unknownLayout('record 3 has no ticketing office')
  if (records.some((record) => record.id === 'A' && !at(record, 2).includes('/'))) {
    return unknownLayout('record A has no name in its second field')
  }
  const day = fullDay(ticketing.day, today) ?? lastDay(ticketing.day, today)
  if (day === null) return unknownLayout('record 3 has no ticketing date')
  const booking = officeOf(records, 'BL-')
  const [code = null, numeric = null] = taggedText(find(records, '9'), 'V-')?.split('/') ?? []
  const airline = { code: pattern(code, /^[A-Z\d]{2}$/), numeric: pattern(numeric, /^\d{3}$/), name: null }
  const made = tairDocuments(records, { airline: airline.code, numeric: airline.numeric, day })
  if (made.documents.length === 0 && made.warnings.some(({ code: what }) => what === 'document_number')) {
    return unknownLayout('record A has no document number in its place')
  }
  return {
    ...BLANK_FILE,
    provider: 'worldspan',
    format: 'tair',
    action: actionOf(records, made.documents),
    version: filled(at(head, 1)),
    made: { day, time: printedClock(ticketing.time), zone: null },
    pnr: taggedText(head, 'FA-'),
    bookingOffice: booking?.office ?? null,
    ticketingOffice: ticketing.office,
    bookingAgent: booking?.agent ?? null,
    ticketingAgent: ticketing.agent,
    iataNumber: ticketing.iataNumber,
    clientAccount: filled(freeText(find(records, '2'))),
    issuedOn: made.documents[0]?.issuedOn ?? null,
    bsp: ticketing.iataNumber !== null,
    validatingAirline: airline.code === null && airline.numeric === null ? null : airline,
    passengers: made.passengers,
    legs: tairLegs(records, day),
    documents: made.documents,
    warnings: made.warnings,
  }
}

const unknownLayout = (why: string): Unreadable =>
  new Unreadable(
    `The file looks like a TAIR with an unknown layout: ${why}. Send the file to support.`,
    'unknown_format',
  )

const find = (records: readonly TairRecord[], id: string): TairRecord | undefined =>
  records.find((record) => record.id === id)

const pattern = (value: string | null, form: RegExp): string | null =>
  value !== null && form.test(value) ? value : null

function officeOf(records: readonly TairRecord[], tag: string) {
  const printed = records
    .filter(({ id }) => id === '3')
    .map((record) => taggedText(record, tag))
    .find((each) => each !== null)
  const [, office = '', iataNumber = '', day = '', time = '', agent = ''] = OFFICE.exec(printed ?? '') ?? []
  if (day === '') return null
  return { office: filled(office), iataNumber: pattern(iataNumber, /^\d{8}$/), day, time, agent: filled(agent) }
}

function actionOf(records: readonly TairRecord[], documents: readonly TicketDocument[]): DocumentAction {
  if (documents.length === 0) return 'itinerary'
  if (records.some(({ id }) => id === 'J')) return 'refund'
  return documents.some(({ exchange }) => exchange) ? 'exchange' : 'issue'
}
