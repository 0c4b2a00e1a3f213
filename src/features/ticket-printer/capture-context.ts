import { type Desk, deskOf } from '../../imports/desk.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { defaultCompany } from '../../platform/access/places.ts'
import { ALL_POLICIES } from '../../platform/access/policies.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { airlineOfNumber } from './airline-numbers.ts'
import { findPlace, findSaleOfParts, type SaleOfParts } from './captures.store.ts'
import { findAwaited, findDocuments, type HeldDocument } from './documents.store.ts'
import type { DocumentAction, FileWarning, TicketFile } from './ticket-file.ts'

/** A file, and all that the account knows of what it names: looked up once, before anything is decided. */
export type CaptureContext = {
  readonly tx: AccountTx
  readonly file: TicketFile
  readonly desk: Desk
  /** When what the file tells has happened. */
  readonly day: string
  /** By the numbers that the file names, those given in for an exchange among them. */
  readonly held: ReadonlyMap<string, HeldDocument>
  /** Numbers that were voided before they came. */
  readonly voided: ReadonlySet<string>
  /** The sale that other parts of the transaction have made. */
  readonly saleOfParts: SaleOfParts | null
  readonly links: { readonly customer_id: string | null; readonly supplier_id: string | null }
  /** Who should hear of it: the seat with the agent's sign. */
  readonly seat: string | null
  readonly warnings: readonly FileWarning[]
}

/** What an action takes back. */
const UNDOES: Partial<Record<DocumentAction, string>> = { restore: 'void', refund_cancel: 'refund' }

/** Looks up what a file names, in one flight of statements. */
export async function loadContext(tx: AccountTx, actor: Actor, file: TicketFile): Promise<CaptureContext> {
  const airline = file.validatingAirline?.code ?? airlineOfNumber(file.documents[0]?.number ?? '')
  const own = file.documents.map(({ number }) => number)
  const numbers = [
    ...own,
    ...file.documents.flatMap(({ conjunctions, exchange }) => [
      ...conjunctions,
      ...(exchange?.originals ?? []).map((original) => original.number),
    ]),
  ]
  const [documents, awaited, parts, place, now] = await Promise.all([
    tx.all(findDocuments, { numbers, undoing: UNDOES[file.action] ?? null }),
    tx.all(findAwaited, { numbers: own }),
    file.part ? tx.one(findSaleOfParts, { sequence: file.part.sequence, pnr: file.pnr }) : undefined,
    tx.one(findPlace, {
      office: file.ticketingOffice,
      iata: file.iataNumber,
      airline,
      client: file.clientAccount,
      signs: [file.ticketingAgent, file.bookingAgent].filter((sign) => sign !== null),
    }),
    tx.now,
  ])
  const { suppliers = [], customers = [], seat = null, branch = null } = place ?? {}
  const company = place?.company ?? defaultCompany(actor)
  // What the airline has issued is booked as its file says, whoever sends it; `captureView` hides what the role may not see.
  const of = { company, branch, timeZone: actor.timeZone, policies: ALL_POLICIES, decimalSeparator: '.' } as const
  const desk = deskOf(of, now)
  return {
    tx,
    file,
    desk,
    day: file.issuedOn ?? file.made?.day ?? desk.context.today,
    held: new Map(documents.map((document) => [document.number, document])),
    voided: new Set(awaited.flatMap(({ number, action }) => (action === 'void' ? number : []))),
    saleOfParts: parts ?? null,
    links: { customer_id: only(customers), supplier_id: only(suppliers) },
    seat,
    warnings: [
      ...(airline === null ? [NO_AIRLINE] : unmatched('supplier', 'IATA code', airline, suppliers)),
      ...(file.clientAccount === null ? [] : unmatched('customer', 'code', file.clientAccount, customers)),
    ],
  }
}

const only = (ids: readonly string[]): string | null => (ids.length === 1 ? (ids[0] ?? null) : null)

const NO_AIRLINE: FileWarning = {
  code: 'supplier_not_found',
  message: 'The file does not name a known airline, so the sale has no supplier. Set the supplier.',
}
/** What a human should know of a name in the file that leads to no record, or to several. */
function unmatched(what: string, key: string, name: string, ids: readonly string[]): FileWarning[] {
  if (ids.length === 1) return []
  const message = `${ids.length === 0 ? 'No' : 'More than one'} ${what} has the ${key} ${name}, so the sale has no ${what}. Set it by hand.`
  return [{ code: `${what}_not_found`, message }]
}
