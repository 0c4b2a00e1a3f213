import type { Passenger } from '../../ticket-file.ts'
import { fullDay } from '../days.ts'
import { birthIn, contactIn, identityOf, phoneIn, type TravelDocument, travelDocumentIn } from '../service-requests.ts'
import { cutRecord, PASSENGER_ITEMS } from './columns.ts'
import { closedRecords, type IurFile, type IurRecord, iurRecords } from './records.ts'

/** The column behind the tag and the item of a message. */
const TEXT = 4
/** `PT-SSR DOCS TK HK1/…`, and `PT-OSI TK CTCM …` with the airline before the code. */
const REQUEST = /^PT-(?:OSI [A-Z\d]{2} +|[A-Z]{3} +)(.{1,300})/
/** `INFT SU KK1 SVOBKK0270Y20FEB/DEMIR/CAN MSTR/20DEC15` */
const INFANT = /^INFT .{1,40}?\/([^/]{1,60})\/([^/]{1,60})\/(\d{2}[A-Z]{3}\d{2,4})/
/** ` TK     337776153            HK TK           1.1  DEMIR/CAN MR` */
const FREQUENT_FLYER = /^ ([A-Z\d]{2}) {2,}([A-Z\d]{4,20}) +HK\b.{0,40}? (\d{1,2})\.\d /
/**
 * A mobile or home phone number of the reservation, with the number of its passenger. Other letters mark those of the
 * agency and others.
 */
const TELEPHONE = /^(.{6,40})-[MH](?:-(\d{1,2})\.\d)?$/
/** At most this many messages are compared with each name. */
const MOST_NAMES = 200

type Named = Pick<Passenger, 'lastName' | 'firstName' | 'type'>
export type Requested = Pick<
  Passenger,
  'dateOfBirth' | 'gender' | 'nationality' | 'passport' | 'email' | 'phone' | 'frequentFlyer'
>
type Message = { readonly item: string; readonly request: string; readonly document: TravelDocument | null }
/** A person named by a message. */
type Person<T> = { readonly last: string; readonly first: string; readonly value: T }

/**
 * The contents of service messages and phone lines for a passenger, found through the items that the passenger's record
 * names.
 */
export function iurRequests(file: IurFile, today: string): (record: IurRecord | undefined, named: Named) => Requested {
  const records = closedRecords(file, 'M9')
  const messages = records.flatMap(({ line }): Message[] => {
    const request = REQUEST.exec(line.slice(TEXT))?.[1]
    return request ? [{ item: line.slice(2, TEXT), request, document: travelDocumentIn(request, today) }] : []
  })
  const documents = messages
    .flatMap(({ document }) => (document ? personOf(document.lastName, document.firstName, document) : []))
    .slice(0, MOST_NAMES)
  const infants = messages.flatMap(({ request }) => infantIn(request, today)).slice(0, MOST_NAMES)
  const flyers = new Map(records.flatMap(({ line }) => frequentFlyerIn(line.slice(TEXT))))
  const telephones = telephonesIn(file)
  const isAlone = iurRecords(file, 'M1').length === 1
  return (record, named) => {
    const listed = new Set(record ? itemsOf(record, 'M9') : [])
    const own = messages.filter(({ item }) => isAlone || listed.has(item))
    const { dateOfBirth, ...identity } = identityOf(documentsOf(own, documents, named))
    const requests = own.map(({ request }) => request)
    const { email, phone } = contactIn(requests)
    // An adult's messages can be about another person's infant; the name decides.
    const birthOfChild = named.type === 'child' ? birthIn(requests, named.type, today) : null
    const number = Number(record?.line.slice(2, TEXT) ?? Number.NaN)
    return {
      ...identity,
      dateOfBirth: dateOfBirth ?? valuesFor(infants, named)[0] ?? birthOfChild,
      email,
      phone: phone ?? telephones.get(number) ?? telephones.get(null) ?? null,
      frequentFlyer: flyers.get(number) ?? null,
    }
  }
}

/** The lines behind a passenger, each with the items of one kind of record; a kind without items may have no line. */
function itemsOf({ line, lines }: IurRecord, wanted: keyof typeof PASSENGER_ITEMS): string[] {
  const counts = cutRecord(line, PASSENGER_ITEMS)
  const printed = lines.map((each) => each.trim()).filter((each) => each !== '')
  const kinds = Object.entries(counts).filter(([, count]) => Number(count) > 0)
  const at = kinds.findIndex(([kind]) => kind === wanted)
  const items = (printed[at] ?? '').match(/\d\d/g) ?? []
  return kinds.length === printed.length && items.length === Number(counts[wanted]) ? items : []
}

/** Documents with the passenger's name, otherwise those in the passenger's own messages. */
function documentsOf(
  own: readonly Message[],
  everyDocument: readonly Person<TravelDocument>[],
  named: Named,
): readonly TravelDocument[] {
  const byName = valuesFor(everyDocument, named)
  if (byName.length > 0) return byName
  return own.flatMap(({ document }) => document ?? []).filter(({ isInfant }) => isInfant === (named.type === 'infant'))
}

const lettersOf = (name: string): string => name.replaceAll(/[^A-Z]/g, '')
const personOf = <T>(lastName: string, firstName: string, value: T): Person<T> => ({
  last: lettersOf(lastName),
  first: lettersOf(firstName),
  value,
})

/** The values of a passenger. First names can be truncated, or be followed by a second one or a title. */
function valuesFor<T>(persons: readonly Person<T>[], named: Named): T[] {
  const [last, first] = [lettersOf(named.lastName), lettersOf(named.firstName)]
  if (first === '') return []
  return persons
    .filter((each) => each.last === last && each.first !== '')
    .filter((each) => each.first.startsWith(first) || first.startsWith(each.first))
    .map(({ value }) => value)
}

/** The infant that an adult carries, with the date of birth. */
function infantIn(request: string, today: string): Person<string>[] {
  const [, lastName = '', firstName = '', printed = ''] = INFANT.exec(request) ?? []
  const born = fullDay(printed, today, true)
  return born ? [personOf(lastName, firstName, born)] : []
}

/** By the number of the passenger; null is for all passengers. */
function telephonesIn({ headerLines }: IurFile): ReadonlyMap<number | null, string> {
  const telephones = headerLines.flatMap((line): [number | null, string][] => {
    const [, printed, item] = TELEPHONE.exec(line.trim()) ?? []
    const phone = printed === undefined ? null : phoneIn(printed.replaceAll(/[[\]]/g, ''))
    return phone ? [[item === undefined ? null : Number(item), phone]] : []
  })
  return new Map(telephones.reverse())
}

function frequentFlyerIn(message: string): [number, string][] {
  const [, airline = '', number = '', item] = FREQUENT_FLYER.exec(message) ?? []
  return item === undefined ? [] : [[Number(item), number.startsWith(airline) ? number : airline + number]]
}
