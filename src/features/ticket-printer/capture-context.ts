import { type Desk, deskOf } from '../../imports/desk.ts'
import { ALL_POLICIES } from '../../platform/access/policies.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { statusApart } from '../bookings/reads/status-apart.ts'
import { airlineOfNumber } from './airline-numbers.ts'
import { findPlace } from './captures.store.ts'
import { findBooks, type HeldRow, type ReadingRow } from './documents.store.ts'
import { type CapturedFile, numbersNamedIn } from './facts.ts'
import type { HeldNumber } from './sale-plan.ts'
import { storedFile } from './stored-file.ts'
import type { FileWarning, TicketFile } from './ticket-file.ts'

/** A file and the account's records that it names, loaded once before any decision. */
export type CaptureContext = {
  readonly tx: AccountTx
  readonly file: TicketFile
  readonly desk: Desk
  /** The numbers of every sale that the file concerns. */
  readonly held: ReadonlyMap<string, HeldNumber>
  /** For each of these sales, the state before it was derived from its documents; null if it was not. */
  readonly bases: ReadonlyMap<string, string | null>
  /** The captured files that name these numbers. */
  readonly readings: readonly CapturedFile[]
  readonly links: { readonly customer_id: string | null; readonly supplier_id: string | null }
  /** Who is notified: the seat with the agent's sign, otherwise the seat of the office. */
  readonly seat: string | null
  readonly warnings: readonly FileWarning[]
}

/** The office of files that name no office of the account. */
export type CaptureOffice = {
  readonly company: { readonly id: string; readonly country: string; readonly currency: string }
  readonly timeZone: string
  /** Who is notified of a file that names no agent of the account; null for the owner. */
  readonly seat: string | null
}

/** Loads the records that a file names in one round trip; `more` are numbers from its former reading. */
export async function loadContext(
  tx: AccountTx,
  office: CaptureOffice,
  file: TicketFile,
  more: readonly string[] = [],
): Promise<CaptureContext> {
  const airline = file.validatingAirline?.code ?? airlineOfNumber(file.documents[0]?.number ?? '')
  const [known, place, now] = await Promise.all([
    loadBooks(tx, [...new Set([...numbersNamedIn(file), ...more])], file),
    tx.one(findPlace, {
      office: file.ticketingOffice,
      iata: file.iataNumber,
      airline,
      client: file.clientAccount,
      signs: [file.ticketingAgent, file.bookingAgent].filter((sign) => sign !== null),
    }),
    tx.now,
  ])
  const { suppliers = [], customers = [], seat = null, owner = null, branch = null } = place ?? {}
  const company = place?.company ?? office.company
  // Issued documents are booked as the file has them, for every sender; `captureView` hides what the role may not see.
  const of = { company, branch, timeZone: office.timeZone, policies: ALL_POLICIES, decimalSeparator: '.' } as const
  const desk = deskOf(of, now)
  return {
    tx,
    file,
    desk,
    ...known,
    links: { customer_id: only(customers), supplier_id: only(suppliers) },
    seat: seat ?? office.seat ?? owner,
    warnings: [
      ...(airline === null ? [NO_AIRLINE] : unmatched('supplier', 'IATA code', airline, suppliers)),
      ...(file.clientAccount === null ? [] : unmatched('customer', 'code', file.clientAccount, customers)),
    ],
  }
}

type KnownBooks = Pick<CaptureContext, 'held' | 'bases' | 'readings'>

const NO_BOOKS = { held: [], readings: [] }
/** Loads what the account has about numbers, and the other parts of the file's transaction. */
async function loadBooks(
  tx: AccountTx,
  numbers: readonly string[],
  { part, pnr }: Pick<TicketFile, 'part' | 'pnr'>,
): Promise<KnownBooks> {
  const { held, readings } = (await tx.one(findBooks, { numbers, sequence: part?.sequence ?? null, pnr })) ?? NO_BOOKS
  return {
    held: new Map(held.map((row) => [row.number, heldNumber(row)])),
    bases: new Map(held.map(({ sale, base }) => [sale, base])),
    readings: readings.map(readingOf),
  }
}

/** States in which a sale still follows its files. */
const UNFINISHED = ['draft', 'option']

function heldNumber({ status, base, ...row }: HeldRow): HeldNumber {
  const own = statusApart(status, base)
  return { ...row, open: row.captured && !row.invoiced && own !== null && UNFINISHED.includes(own) }
}

const readingOf = ({ id, file, digest, numbers }: ReadingRow): CapturedFile => ({
  id,
  file: storedFile(file),
  digest,
  numbers: new Set(numbers),
})

const only = (ids: readonly string[]): string | null => (ids.length === 1 ? (ids[0] ?? null) : null)

const NO_AIRLINE: FileWarning = {
  code: 'supplier_not_found',
  message: 'The file does not name a known airline, so the sale has no supplier. Set the supplier.',
}
/** A warning about a name in the file that matches no record, or several. */
function unmatched(what: string, key: string, name: string, ids: readonly string[]): FileWarning[] {
  if (ids.length === 1) return []
  const message = `${ids.length === 0 ? 'No' : 'More than one'} ${what} has the ${key} ${name}, so the sale has no ${what}. Set it by hand.`
  return [{ code: `${what}_not_found`, message }]
}
