import type { Passenger, TicketDocument } from '../../ticket-file.ts'
import { BLANK_PASSENGER } from '../blank.ts'
import { fullDay } from '../days.ts'
import { passengerNameOf, typeOfPassenger } from '../names.ts'
import { printedText } from '../printed.ts'
import type { Warn } from '../warnings.ts'
import { cutRecord, PASSENGER, type RecordFields } from './columns.ts'
import type { Draft, Reading } from './reading.ts'
import { type IurFile, iurRecords } from './records.ts'

type Printed = RecordFields<typeof PASSENGER>

const BORN = /\bDOB ?(\d{2}[A-Z]{3}(?:\d{4}|\d{2}))\b/
/** In the place of a passenger: the line is for all of them. */
const EVERYBODY = ['AA', 'PP']
const NAMELESS: Printed = { item: '', name: '', remark: '', frequentFlyer: '' }

const printedIn = (file: IurFile): Printed[] => iurRecords(file, 'M1').map(({ line }) => cutRecord(line, PASSENGER))

/** All whom the file names. */
export const passengersIn = ({ file, reference }: Reading): Passenger[] =>
  printedIn(file).map((printed) => passengerOf(printed, null, reference))

/** The documents with their passengers, who are those that have one. */
export function seated(
  reading: Reading,
  drafts: readonly Draft[],
): { passengers: Passenger[]; documents: TicketDocument[] } {
  const all = printedIn(reading.file)
  const byItem = new Map(all.map((printed) => [printed.item, printed]))
  const places = new Map<string, number>()
  const passengers: Passenger[] = []
  const documents = drafts.map(({ holder, ...document }) => {
    const printed = EVERYBODY.includes(holder.item) ? all[0] : byItem.get(holder.item)
    const key = printed?.item ?? ''
    const place = places.get(key) ?? passengers.length
    if (place === passengers.length) {
      warnOf(printed, document.number, reading.warn)
      passengers.push(passengerOf(printed ?? NAMELESS, holder.ptc, reading.reference))
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

const passengerOf = ({ name, remark, frequentFlyer }: Printed, ptc: string | null, reference: string): Passenger => ({
  ...BLANK_PASSENGER,
  ...passengerNameOf(name),
  type: typeOfPassenger(ptc),
  ptc,
  dateOfBirth: fullDay(BORN.exec(remark)?.[1] ?? '', reference, true),
  frequentFlyer: printedText(frequentFlyer),
})
