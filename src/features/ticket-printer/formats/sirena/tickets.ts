import { airlineOfNumber } from '../../airline-numbers.ts'
import {
  type DocumentAction,
  type Fare,
  type FileWarning,
  type FormOfPayment,
  NO_FARE,
  type Passenger,
  type PrintedMoney,
  type Refund,
  type Tax,
  type TicketDocument,
  type TicketFile,
  type TicketFileFormat,
  type TicketLeg,
  Unreadable,
} from '../../ticket-file.ts'
import { BLANK_DOCUMENT, BLANK_FILE, BLANK_PASSENGER, BLANK_REFUND } from '../blank.ts'
import { legsOnce } from '../legs.ts'
import { passengerNameOf } from '../names.ts'
import { unreadableAmount } from '../warnings.ts'

/** A ticket of Sirena as XML and CSV print it; text is trimmed, and null where nothing is. */
export type SirenaTicket = {
  readonly type: string | null
  readonly operation: string | null
  readonly form: string | null
  readonly carrier: string | null
  readonly name: Pick<Passenger, 'lastName' | 'firstName' | 'title'>
  readonly dateOfBirth: string | null
  readonly pnr: string | null
  readonly issuedOn: string | null
  readonly fare: PrintedMoney | null
  readonly taxes: readonly Tax[]
  readonly total: PrintedMoney | null
  /** Whether an amount is printed that cannot be read. */
  readonly spoilt: boolean
  readonly formOfPayment: FormOfPayment | null
  readonly endorsement: string | null
  readonly legs: readonly TicketLeg[]
}

/** Of what is known of the format for certain; any other operation is left to a human. */
const ACTIONS: Readonly<Record<string, DocumentAction>> = {
  SALE: 'issue',
  REFUND: 'refund',
  VOID: 'void',
  CANX: 'void',
}
const KINDS: Readonly<Record<string, TicketDocument['kind']>> = { ETICKET: 'ticket', EMD: 'emd', MCO: 'mco' }
const SERIAL_DIGITS = 10
/** A form of address behind a name: of a gentleman, and of a lady. */
const ADDRESSED = / (Г|ГЖА)$/

/** A file of those of the tickets that can be taken. */
export function sirenaFile(
  format: TicketFileFormat,
  version: string | null,
  tickets: readonly SirenaTicket[],
): TicketFile | Unreadable {
  const problems = tickets.map(problemWith)
  const good = tickets.filter((_, at) => problems[at] === null)
  const [first] = good
  if (!first) return new Unreadable(`The file has no ticket that can be captured. ${problems[0] ?? ''}`.trim())
  if (new Set(good.map(actionOf)).size > 1) {
    return new Unreadable('The file contains both sales and refunds. Export them into separate files.')
  }
  const action = actionOf(first) ?? 'issue'
  const documents = good.map((ticket, passenger) => documentOf(ticket, passenger, action))
  return {
    ...BLANK_FILE,
    provider: 'sirena',
    format,
    action,
    version,
    pnr: first.pnr,
    issuedOn: first.issuedOn,
    validatingAirline: {
      code: documents[0]?.airline ?? null,
      numeric: documents[0]?.number.slice(0, 3) ?? null,
      name: null,
    },
    passengers: good.map(({ name, dateOfBirth }) => ({ ...BLANK_PASSENGER, ...name, dateOfBirth })),
    legs: legsOnce(good.flatMap(({ legs }) => legs)),
    documents,
    warnings: [
      ...problems.flatMap((message): FileWarning[] => (message ? [{ code: 'ticket_left_out', message }] : [])),
      ...good.flatMap((ticket, at) => (ticket.spoilt ? [unreadableAmount(documents[at]?.number ?? '')] : [])),
    ],
  }
}

const actionOf = ({ operation }: SirenaTicket): DocumentAction | undefined => ACTIONS[operation?.toUpperCase() ?? '']
const kindOf = ({ type }: SirenaTicket): TicketDocument['kind'] | undefined => KINDS[type?.toUpperCase() ?? '']

function problemWith(ticket: SirenaTicket): string | null {
  const number = numberOf(ticket)
  if (number === null)
    return `The form number "${ticket.form ?? ''}" does not form a document number. The document was left out.`
  if (!kindOf(ticket)) return `${number} has the unknown type ${ticket.type}. It was left out.`
  const action = actionOf(ticket)
  if (!action) return `The operation ${ticket.operation} of ${number} is not known. The document was left out.`
  if (action !== 'void' && ticket.total === null) return `${number} has no total with a currency. It was left out.`
  return null
}

/** A form is printed whole, or as the digits behind the carrier's with a series before them. */
function numberOf({ form, carrier }: SirenaTicket): string | null {
  const digits = form?.replace(/\s/g, '') ?? ''
  if (!/^\d{10,13}$/.test(digits)) return null
  if (digits.length === SERIAL_DIGITS + 3) return digits
  return carrier !== null && /^\d{3}$/.test(carrier) ? carrier + digits.slice(-SERIAL_DIGITS) : null
}

function documentOf(ticket: SirenaTicket, passenger: number, action: DocumentAction): TicketDocument {
  const number = numberOf(ticket) ?? ''
  return {
    ...BLANK_DOCUMENT,
    number,
    airline: airlineOfNumber(number),
    kind: kindOf(ticket) ?? 'ticket',
    passenger,
    issuedOn: ticket.issuedOn,
    fare: action === 'issue' ? fareOf(ticket) : NO_FARE,
    formOfPayment: ticket.formOfPayment,
    endorsement: ticket.endorsement,
    refund: action === 'refund' ? refundOf(ticket) : null,
  }
}

const fareOf = ({ fare, taxes, total }: SirenaTicket): Fare => ({ ...NO_FARE, base: fare, taxes, total })

/** The refunded amounts; the used part is not in the file. */
const refundOf = ({ fare, taxes, total }: SirenaTicket): Refund => ({ ...BLANK_REFUND, refundable: fare, taxes, total })

/** `SURNAME/FIRST MR`, or with a blank for the stroke. */
export function nameIn(printed: string): SirenaTicket['name'] {
  const title = ADDRESSED.exec(printed)?.[1]
  const plain = title ? printed.slice(0, -title.length).trim() : printed
  const name = passengerNameOf(plain.includes('/') ? plain : plain.replace(' ', '/'))
  return title ? { ...name, title } : name
}

/** The currency by the system's own name for the rouble or by its ISO 4217 code. */
export const sirenaCurrencyOf = (printed: string | null): string | null => (printed === 'РУБ' ? 'RUB' : printed)
