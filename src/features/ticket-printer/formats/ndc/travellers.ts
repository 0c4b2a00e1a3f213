import type { Passenger } from '../../ticket-file.ts'
import { BLANK_PASSENGER } from '../blank.ts'
import { printedDay } from '../iso-times.ts'
import { typeOfPassenger } from '../names.ts'
import { element, elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

/** The passengers of an order, and under which ids the rest of it names them. */
export type Travellers = {
  readonly passengers: readonly Passenger[]
  readonly ids: readonly string[]
}

export function travellersOf(response: TicketXmlElement): Travellers {
  const printed = [
    ...elements(response, 'DataLists', 'PassengerList', 'Passenger'),
    ...elements(response, 'DataLists', 'PaxList', 'Pax'),
  ]
  return {
    passengers: printed.map(passengerOf),
    ids: printed.map((each) => each.attributes.PassengerID ?? textAt(each, 'PaxID') ?? ''),
  }
}

function passengerOf(printed: TicketXmlElement): Passenger {
  const individual = element(printed, 'Individual')
  const ptc = textAt(printed, 'PTC')
  const given = [textAt(individual, 'GivenName'), textAt(individual, 'MiddleName')]
  return {
    ...BLANK_PASSENGER,
    lastName: textAt(individual, 'Surname') ?? '',
    firstName: given.filter((name) => name !== null).join(' '),
    title: textAt(individual, 'NameTitle') ?? textAt(individual, 'TitleName'),
    type: typeOfPassenger(ptc),
    ptc,
    dateOfBirth: printedDay(textAt(individual, 'Birthdate') ?? textAt(printed, 'Birthdate')),
    frequentFlyer: frequentFlyerOf(printed),
  }
}

function frequentFlyerOf(printed: TicketXmlElement): string | null {
  const account = element(printed, 'LoyaltyProgramAccount')
  const number = textAt(account, 'AccountNumber')
  const airline =
    textAt(account, 'Airline', 'AirlineDesignator') ?? textAt(account, 'LoyaltyProgram', 'Carrier', 'AirlineDesigCode')
  return number === null ? null : `${airline ?? ''}${number}`
}
