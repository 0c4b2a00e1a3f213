import { type Passenger, type ReadTicketFile, type TicketFile, Unreadable } from '../../ticket-file.ts'
import { BLANK_FILE, BLANK_PASSENGER } from '../blank.ts'
import { legsOnce } from '../legs.ts'
import { collectWarnings } from '../warnings.ts'
import { elements, parseXml, textAt } from '../xml/parse-xml.ts'
import { agencyOf } from './agency.ts'
import { sirenaDocumentOf } from './documents.ts'
import { type SirenaEntry, type SirenaSale, sirenaEntryOf } from './entries.ts'
import { sirenaAirlineOf, sirenaLegsOf, sirenaLocatorOf } from './flights.ts'
import { remarksOf, sirenaPassengerOf } from './passengers.ts'

/** Parses the ticket XML of Sirena, versions 1.6 to 2.3. Every `TICKET` is one operation on one document. */
export const readSirena: ReadTicketFile = (content) => {
  const root = parseXml(content)
  if (root instanceof Unreadable) return root
  const notes = collectWarnings()
  const entries = elements(root, 'TICKET').flatMap((ticket) => sirenaEntryOf(ticket, notes))
  const given = entries.filter(({ operation }) => operation === 'given_in')
  const sales = entries.filter((entry): entry is SirenaSale => entry.operation !== 'given_in')
  const [first] = sales
  if (!first) return new Unreadable(nothingIn(given, notes.warnings[0]?.message), 'no_document')
  const action = actionOf(sales)
  if (action === null)
    return new Unreadable('The file contains both sales and refunds. Export them into separate files.', 'several_files')
  const names = [...new Set(sales.map(({ ticket }) => textAt(ticket, 'FIO')))]
  const documents = sales.map((sale) => ({
    ...sirenaDocumentOf(sale, given, notes),
    passenger: names.indexOf(textAt(sale.ticket, 'FIO')),
  }))
  const locators = sales.flatMap(sirenaLocatorOf)
  return {
    ...BLANK_FILE,
    provider: 'sirena',
    format: 'xml',
    action,
    version: root.attributes.version || null,
    ...agencyOf(first.ticket),
    pnr: textAt(first.ticket, 'PNR_LAT') ?? textAt(first.ticket, 'PNR'),
    airlineLocators: [...new Map(locators.map((each) => [`${each.airline} ${each.locator}`, each])).values()],
    issuedOn: documents[0]?.issuedOn ?? null,
    validatingAirline: { code: sirenaAirlineOf(first), numeric: first.number.slice(0, 3), name: null },
    passengers: names.map((name) => passengerNamed(name, sales)),
    legs: legsOnce(sales.flatMap((sale) => sirenaLegsOf(sale, notes))),
    documents,
    remarks: [...new Set(sales.flatMap(({ ticket }) => remarksOf(ticket)))],
    warnings: notes.warnings,
  }
}

/** The passenger from the ticket, because documents sold with it have fewer details. */
function passengerNamed(name: string | null, sales: readonly SirenaSale[]): Passenger {
  const theirs = sales.filter(({ ticket }) => textAt(ticket, 'FIO') === name)
  const [first] = [...theirs.filter(({ kind }) => kind === 'ticket'), ...theirs]
  return first ? sirenaPassengerOf(first.ticket) : { ...BLANK_PASSENGER, lastName: '', firstName: '' }
}

function nothingIn(given: readonly SirenaEntry[], problem: string | undefined): string {
  if (given[0])
    return `The file contains the return of ${given[0].number} for an exchange. The exchange itself is in the file of the new ticket.`
  return `The file has no ticket that can be captured. ${problem ?? ''}`.trim()
}

/** A file has one kind of operation; documents sold in an exchange besides the new ticket belong to it. */
function actionOf(sales: readonly SirenaSale[]): TicketFile['action'] | null {
  const actions = new Set(sales.map(({ operation }) => operation))
  if (actions.has('exchange')) actions.delete('issue')
  const [action, ...others] = actions
  return action === undefined || others.length > 0 ? null : action
}
