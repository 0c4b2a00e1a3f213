import type { Passenger } from '../../ticket-file.ts'
import { BLANK_PASSENGER } from '../blank.ts'
import { printedDay } from '../iso-times.ts'
import { typeOfPassenger } from '../names.ts'
import { element, elements, firstTextAt, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { type Contacts, contactsOf } from './contacts.ts'
import { refsOf } from './references.ts'

/** The passengers of an order, and the ids by which the order refers to them. */
export type Travellers = { readonly passengers: readonly Passenger[]; readonly ids: readonly string[] }

/** Elements with the name of a passenger: in version 15.2, in later ones, and if only the identity document has it. */
const NAMED = ['Individual', 'Name', 'IdentityDoc'] as const
const GENDERS: Readonly<Record<string, string>> = { MALE: 'M', FEMALE: 'F' }
/** Types of passports. Other identity documents are not kept. */
const PASSPORTS: ReadonlySet<string> = new Set(['PT', 'PP', 'P', 'PASSPORT'])
const PASSPORT_NUMBER = /^[A-Z\d]{3,20}$/i

export function travellersOf(response: TicketXmlElement): Travellers {
  const contacts = contactsOf(response)
  const printed = [
    ...elements(response, 'Passengers', 'Passenger'),
    ...elements(response, 'DataLists', 'PassengerList', 'Passenger'),
    ...elements(response, 'DataLists', 'PaxList', 'Pax'),
  ]
  return {
    passengers: printed.map((each) => passengerOf(each, contacts)),
    ids: printed.map((each) => each.attributes.PassengerID ?? each.attributes.ObjectKey ?? textAt(each, 'PaxID') ?? ''),
  }
}

function passengerOf(printed: TicketXmlElement, contacts: Contacts): Passenger {
  const individual = NAMED.flatMap((name) => element(printed, name) ?? [])[0]
  const ptc = textAt(printed, 'PTC')
  const gender = firstTextAt(individual, 'GenderCode', 'Gender')
  const given = ['GivenName', 'Given', 'MiddleName', 'Middle'].flatMap((name) =>
    individual ? elements(individual, name) : [],
  )
  const theirs = refsOf(printed, 'ContactInfoRef', 'ContactInfoRefID').flatMap((id) => contacts.get(id) ?? [])
  return {
    ...BLANK_PASSENGER,
    lastName: textAt(individual, 'Surname') ?? '',
    firstName: given.flatMap(({ text }) => text || []).join(' '),
    title: firstTextAt(individual, 'NameTitle', 'TitleName', 'Title'),
    type: typeOfPassenger(ptc),
    ptc,
    dateOfBirth: printedDay(firstTextAt(individual, 'Birthdate') ?? textAt(printed, 'Birthdate')),
    gender: gender && (GENDERS[gender.toUpperCase()] ?? gender),
    nationality: firstTextAt(printed, 'CitizenshipCountryCode', 'IdentityDoc/CitizenshipCountryCode'),
    passport: passportOf(printed),
    email: theirs.find(({ email }) => email !== null)?.email ?? null,
    phone: theirs.find(({ phone }) => phone !== null)?.phone ?? null,
    frequentFlyer: frequentFlyerOf(printed),
  }
}

function passportOf(printed: TicketXmlElement): Passenger['passport'] {
  const documents = [...elements(printed, 'IdentityDocument'), ...elements(printed, 'IdentityDoc')]
  const passport = documents.find((document) =>
    PASSPORTS.has(firstTextAt(document, 'IdentityDocumentType', 'IdentityDocTypeCode')?.toUpperCase() ?? ''),
  )
  const number = firstTextAt(passport, 'IdentityDocumentNumber', 'IdentityDocID')
  if (number === null || !PASSPORT_NUMBER.test(number)) return null
  return {
    number,
    country: firstTextAt(passport, 'IssuingCountryCode'),
    expiresOn: printedDay(firstTextAt(passport, 'ExpiryDate')),
  }
}

function frequentFlyerOf(printed: TicketXmlElement): string | null {
  const account = element(printed, 'LoyaltyProgramAccount')
  const number = textAt(account, 'AccountNumber')
  const airline = firstTextAt(account, 'Airline/AirlineDesignator', 'LoyaltyProgram/Carrier/AirlineDesigCode')
  return number === null ? null : `${airline ?? ''}${number}`
}
