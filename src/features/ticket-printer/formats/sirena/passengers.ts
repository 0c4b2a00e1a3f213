import type { Passenger } from '../../ticket-file.ts'
import { BLANK_PASSENGER } from '../blank.ts'
import { passengerNameOf, typeOfPassenger } from '../names.ts'
import { withoutLikelyCards } from '../printed.ts'
import { element, elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { passengerTypeCode } from './cyrillic-codes.ts'
import { sirenaDay } from './legs.ts'

/** A title behind a name: for a man, for a woman. */
const ADDRESSED = / (Г|ГЖА)$/
/** Passports by the code before their number: domestic, for travel, foreign, and service passports. */
const PASSPORT = /^(?:ПСП|PSP|ПС|PS|НП|NP|ДП|DP|СП|SP)\s?([A-ZА-Я\d]*\d[A-ZА-Я\d]*)$/
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const PHONE = /^\+?[\d ()-]{7,20}$/

type Name = Pick<Passenger, 'lastName' | 'firstName' | 'title'>

export function sirenaPassengerOf(ticket: TicketXmlElement): Passenger {
  const ptc = textAt(ticket, 'PASSENGER_TYPE')
  const passport = PASSPORT.exec(textAt(ticket, 'PASS') ?? '')?.[1]
  const contacts = contactsOf(ticket)
  return {
    ...BLANK_PASSENGER,
    ...nameOf(ticket),
    type: typeOfPassenger(passengerTypeCode(ptc)),
    ptc,
    dateOfBirth: sirenaDay(textAt(ticket, 'BIRTH_DATE')),
    passport: passport ? { number: passport, country: null, expiresOn: null } : null,
    email: contacts.find((contact) => EMAIL.test(contact)) ?? null,
    phone: contacts.find((contact) => PHONE.test(contact)) ?? null,
    frequentFlyer:
      elements(ticket, 'SEGMENTS', 'SEGMENT').flatMap(
        (segment) => element(segment, 'FFP_INFO')?.attributes.number || [],
      )[0] ?? null,
  }
}

/** Notes of agents under the contacts, such as offered prices and how it was paid. */
export const remarksOf = (ticket: TicketXmlElement): readonly string[] =>
  contactsOf(ticket)
    .filter((contact) => !EMAIL.test(contact) && !PHONE.test(contact))
    .map(withoutLikelyCards)

const contactsOf = (ticket: TicketXmlElement): readonly string[] =>
  elements(ticket, 'CONTACTS', 'CONTACT')
    .map(({ text }) => text)
    .filter((text) => text !== '')

/**
 * `SURNAME/FIRST MR`, or with a blank instead of the slash. Version 2 also prints the parts of a long name separately.
 */
function nameOf(ticket: TicketXmlElement): Name {
  const printed = nameIn(textAt(ticket, 'FIO') ?? '')
  const lastName = textAt(ticket, 'SURNAME')
  return lastName === null ? printed : { lastName, firstName: textAt(ticket, 'NAME') ?? '', title: printed.title }
}

function nameIn(printed: string): Name {
  const title = ADDRESSED.exec(printed)?.[1]
  const plain = title ? printed.slice(0, -title.length).trim() : printed
  const name = passengerNameOf(plain.includes('/') ? plain : plain.replace(' ', '/'))
  return title ? { ...name, title } : name
}
