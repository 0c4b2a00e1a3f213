import type { Passenger } from '../../ticket-file.ts'
import { fullDay } from '../days.ts'
import { contactIn, identityOf, phoneIn, type TravelDocument, travelDocumentIn } from '../service-requests.ts'
import { cutRecord, PASSENGER_ITEMS } from './columns.ts'
import { closedRecords, type IurFile, type IurRecord, iurRecords } from './records.ts'

/** Behind the tag and the item of a message. */
const TEXT = 4
/** `PT-SSR DOCS TK HK1/…`, and `PT-OSI TK CTCM …` with the airline before the code. */
const REQUEST = /^PT-(?:OSI [A-Z\d]{2} +|[A-Z]{3} +)(.{1,300})/
/** `INFT SU KK1 SVOBKK0270Y20FEB/DEMIR/CAN MSTR/20DEC15` */
const INFANT = /^INFT .{1,40}?\/([^/]{1,60})\/([^/]{1,60})\/(\d{2}[A-Z]{3}\d{2,4})/
/** `CHLD TK HK1/28MAY15` */
const CHILD = /^CHLD .{1,20}?\/(\d{2}[A-Z]{3}\d{2,4})/
/** ` TK     337776153            HK TK           1.1  DEMIR/CAN MR` */
const FREQUENT_FLYER = /^ ([A-Z\d]{2}) {2,}([A-Z\d]{4,20}) +HK\b.{0,40}? (\d{1,2})\.\d /
/** A telephone of the reservation: mobile or at home, and whose it is. Those of the agency and others have other letters. */
const TELEPHONE = /^(.{6,40})-[MH](?:-(\d{1,2})\.\d)?$/

type Named = Pick<Passenger, 'lastName' | 'firstName' | 'type'>
export type Requested = Pick<
  Passenger,
  'dateOfBirth' | 'gender' | 'nationality' | 'passport' | 'email' | 'phone' | 'frequentFlyer'
>

/** What service messages and telephones say of a passenger, who has the messages that its record names. */
export function requestsFor(file: IurFile, record: IurRecord | undefined, named: Named, today: string): Requested {
  const records = closedRecords(file, 'M9')
  const messages = records.map(textOf)
  const isAlone = iurRecords(file, 'M1').length === 1
  const listed = record ? itemsOf(record, 'M9') : []
  const own = records.filter(({ line }) => isAlone || listed.includes(line.slice(2, TEXT)))
  const requests = requestsIn(own.map(textOf))
  const everyRequest = requestsIn(messages)
  const { dateOfBirth, ...identity } = identityOf(documentsOf(requests, everyRequest, named, today))
  const { email, phone } = contactIn(requests)
  return {
    ...identity,
    dateOfBirth: dateOfBirth ?? birthIn(requests, everyRequest, named, today),
    email,
    phone: phone ?? telephoneIn(file, record),
    frequentFlyer: frequentFlyerIn(messages, record),
  }
}

const textOf = ({ line }: IurRecord): string => line.slice(TEXT)
const requestsIn = (messages: readonly string[]): string[] =>
  messages.flatMap((message) => REQUEST.exec(message)?.[1] ?? [])

/** The lines behind a passenger, each with the items of one kind of record; a kind without any may have no line. */
function itemsOf({ line, lines }: IurRecord, wanted: keyof typeof PASSENGER_ITEMS): string[] {
  const counts = cutRecord(line, PASSENGER_ITEMS)
  const printed = lines.map((each) => each.trim()).filter((each) => each !== '')
  const kinds = Object.entries(counts).filter(([, count]) => Number(count) > 0)
  const at = kinds.findIndex(([kind]) => kind === wanted)
  const items = (printed[at] ?? '').match(/\d\d/g) ?? []
  return kinds.length === printed.length && items.length === Number(counts[wanted]) ? items : []
}

/** Documents with the passenger's name, or else those of the passenger's own messages. */
function documentsOf(
  requests: readonly string[],
  everyRequest: readonly string[],
  named: Named,
  today: string,
): TravelDocument[] {
  const documentsIn = (texts: readonly string[]) =>
    texts.map((text) => travelDocumentIn(text, today)).filter((document) => document !== null)
  const byName = documentsIn(everyRequest).filter((document) => isSameName(document, named))
  return byName.length > 0
    ? byName
    : documentsIn(requests).filter(({ isInfant }) => isInfant === (named.type === 'infant'))
}

const lettersOf = (name: string): string => name.replaceAll(/[^A-Z]/g, '')
/** First names may be cut, or have a second one or a title behind them. */
function isSameName(printed: { lastName: string; firstName: string }, named: Named): boolean {
  const [one, other] = [lettersOf(printed.firstName), lettersOf(named.firstName)]
  const isSameFirst = one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one))
  return isSameFirst && lettersOf(printed.lastName) === lettersOf(named.lastName)
}

/** Of an infant by the message about whom an adult carries, of a child by its own. */
function birthIn(
  requests: readonly string[],
  everyRequest: readonly string[],
  named: Named,
  today: string,
): string | null {
  const infants = everyRequest.flatMap((request) => {
    const [, lastName = '', firstName = '', born = ''] = INFANT.exec(request) ?? []
    return isSameName({ lastName, firstName }, named) ? [born] : []
  })
  const children = named.type === 'child' ? requests.map((request) => CHILD.exec(request)?.[1] ?? '') : []
  return [...infants, ...children].map((born) => fullDay(born, today, true)).find((day) => day !== null) ?? null
}

const itemOf = (record: IurRecord | undefined): number => Number(record?.line.slice(2, TEXT) ?? Number.NaN)

/** The passenger's own telephone, or one of the reservation. */
function telephoneIn({ headerLines }: IurFile, record: IurRecord | undefined): string | null {
  const telephones = headerLines.flatMap((line) => {
    const [, number = '', item] = TELEPHONE.exec(line.trim()) ?? []
    const phone = phoneIn(number.replaceAll(/[[\]]/g, ''))
    return phone ? [{ phone, item }] : []
  })
  const own = telephones.find(({ item }) => item !== undefined && Number(item) === itemOf(record))
  return (own ?? telephones.find(({ item }) => item === undefined))?.phone ?? null
}

function frequentFlyerIn(messages: readonly string[], record: IurRecord | undefined): string | null {
  const numbers = messages.flatMap((message) => {
    const [, airline = '', number = '', item] = FREQUENT_FLYER.exec(message) ?? []
    return Number(item) === itemOf(record) ? [number.startsWith(airline) ? number : airline + number] : []
  })
  return numbers[0] ?? null
}
