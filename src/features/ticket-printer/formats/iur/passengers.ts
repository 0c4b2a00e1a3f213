import type { Passenger, TicketDocument } from '../../ticket-file.ts'
import { BLANK_PASSENGER } from '../blank.ts'
import { fullDay } from '../days.ts'
import { passengerNameOf, typeOfPassenger } from '../names.ts'
import { printedText } from '../printed.ts'
import type { Warn } from '../warnings.ts'
import { cutRecord, PASSENGER, type RecordFields } from './columns.ts'
import type { Draft, Reading } from './reading.ts'
import { type IurRecord, iurRecords } from './records.ts'
import { iurRequests, type Requested } from './requests.ts'

type Printed = RecordFields<typeof PASSENGER> & { readonly record?: IurRecord }

const BORN = /\bDOB ?(\d{2}[A-Z]{3}(?:\d{4}|\d{2}))\b/
/** Codes that replace a passenger in lines for all passengers. */
const EVERYBODY = ['AA', 'PP']
const NAMELESS: Printed = { item: '', name: '', remark: '', frequentFlyer: '' }
/** `01 09CN`: the item of a passenger, the seat, and whether smoking is allowed there. */
const SEAT = /^(\d\d) (\d{1,3}[A-Z])/

/**
 * The documents with their passengers. Only passengers with a document are included; without documents, all passengers
 * of the file.
 */
export function seated(
  reading: Reading,
  drafts: readonly Draft[],
  seats: readonly (readonly string[])[],
): { passengers: Passenger[]; documents: TicketDocument[] } {
  const all = iurRecords(reading.file, 'M1').map(
    (record): Printed => ({ ...cutRecord(record.line, PASSENGER), record }),
  )
  const requests = iurRequests(reading.file, reading.reference)
  const personOf = (printed: Printed, ptc: string | null) => {
    const named = { ...passengerNameOf(printed.name), type: typeOfPassenger(ptc) }
    return passengerOf(reading, printed, { ...named, ptc }, requests(printed.record, named), seats)
  }
  if (drafts.length === 0) return { passengers: all.map((printed) => personOf(printed, null)), documents: [] }
  const byItem = new Map(all.map((printed) => [printed.item, printed]))
  const places = new Map<string, number>()
  const passengers: Passenger[] = []
  const documents = drafts.map(({ holder, ...document }) => {
    const printed = EVERYBODY.includes(holder.item) ? all[0] : byItem.get(holder.item)
    const key = printed?.item ?? ''
    const place = places.get(key) ?? passengers.length
    if (place === passengers.length) {
      warnOf(printed, document.number, reading.warn)
      passengers.push(personOf(printed ?? NAMELESS, holder.ptc))
      places.set(key, place)
    }
    return { ...document, passenger: place }
  })
  return { passengers, documents }
}

function warnOf(printed: Printed | undefined, number: string, warn: Warn): void {
  if (printed === undefined)
    warn('unknown_passenger', `The file does not name the passenger of document ${number}. Enter the name.`)
}

function passengerOf(
  { reference }: Reading,
  { item, remark, frequentFlyer }: Printed,
  named: Pick<Passenger, 'lastName' | 'firstName' | 'title' | 'type' | 'ptc'>,
  requested: Requested,
  seats: readonly (readonly string[])[],
): Passenger {
  return {
    ...BLANK_PASSENGER,
    ...named,
    ...requested,
    dateOfBirth: fullDay(BORN.exec(remark)?.[1] ?? '', reference, true) ?? requested.dateOfBirth,
    frequentFlyer: printedText(frequentFlyer) ?? requested.frequentFlyer,
    seats: seats.flatMap((lines, leg) =>
      lines.flatMap((line) => {
        const [, holder, seat] = SEAT.exec(line) ?? []
        return seat && holder === item ? [{ leg, seat }] : []
      }),
    ),
  }
}
