import { descendants, elements, firstTextAt, type TicketXmlElement } from '../xml/parse-xml.ts'
import { listedById } from './references.ts'

/** The contacts of an order, by the ids that passengers refer to. */
export type Contacts = ReadonlyMap<string, { readonly email: string | null; readonly phone: string | null }>

export function contactsOf(response: TicketXmlElement): Contacts {
  const printed = [
    ...elements(response, 'DataLists', 'ContactList', 'ContactInformation'),
    ...elements(response, 'DataLists', 'ContactInfoList', 'ContactInfo'),
  ]
  const contacts = listedById(printed, 'ContactID', 'ContactInfoID')
  return new Map(
    [...contacts].map(([id, contact]) => [id, { email: emailIn(contact), phone: phoneIn(contact) }] as const),
  )
}

const emailIn = (contact: TicketXmlElement): string | null =>
  descendants(contact, 'EmailAddress').flatMap(
    (email) => firstTextAt(email, 'EmailAddressValue', 'EmailAddressText') ?? [],
  )[0] ?? null

/** The country code is printed separately, or is part of the number. */
function phoneIn(contact: TicketXmlElement): string | null {
  const [phone] = descendants(contact, 'Phone')
  const number = firstTextAt(phone, 'PhoneNumber')
  const country = firstTextAt(phone, 'CountryDialingCode', 'CountryCode')
  const area = firstTextAt(phone, 'AreaCodeNumber', 'AreaCode') ?? ''
  if (number === null) return null
  return country === null ? area + number : `+${country.replace(/^\+/, '')}${area}${number}`
}
