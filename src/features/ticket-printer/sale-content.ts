import type { ReadContext } from '../../catalogue/kind.ts'
import { type AfterSaleItem, exchangeItem } from './after-sale.ts'
import { type DocumentLife, type Fact, inOrder } from './facts.ts'
import { type SaleRow, saleRow } from './sale-row.ts'
import type { FileWarning, TicketDocument } from './ticket-file.ts'

/** A document of a sale, with the fact that has its passenger and price. */
export type DocumentEntry = { readonly number: string; readonly source: Fact; readonly life: DocumentLife }
/** The content of a sale according to captured files. */
export type SaleContent = {
  /** The row, as in an import of tickets. */
  readonly row: SaleRow['row']
  /** By document number. */
  readonly refunds: ReadonlyMap<string, readonly AfterSaleItem[]>
  readonly exchanges: readonly AfterSaleItem[]
  /** Documents of which only a refund is known; their sale is the refund. */
  readonly refundsAlone: ReadonlySet<string>
  /** By the capture whose file they concern. */
  readonly warnings: ReadonlyMap<string, readonly FileWarning[]>
}

/** Files of one sale, in the order of their parts. */
function filesOf(entries: readonly DocumentEntry[]): Fact[] {
  const byFile = new Map(entries.map(({ source }) => [source.reading.id, source]))
  const part = ({ reading: { file } }: Fact): number => file.part?.number ?? 0
  return inOrder([...byFile.values()]).sort((a, b) => part(a) - part(b))
}

/** A refund that was cancelled before its issue arrived does not set a price. */
function documentOf({ source, life }: DocumentEntry): TicketDocument[] {
  const { document } = source
  if (!document) return []
  const isTakenBack = source.action === 'refund' && life.refunds.at(-1)?.status === 'cancelled'
  return [isTakenBack ? { ...document, refund: null } : document]
}

/** Legs are equal if flight and day are equal, for any passenger. */
const legKey = ({ airline_code, flight_number, departure_airport, scheduled_departure }: AfterSaleItem): string =>
  [airline_code, flight_number, departure_airport, scheduled_departure].join(' ')

/** The sale that these documents form together; `read` defines how cells are parsed. */
export function saleContentOf(entries: readonly DocumentEntry[], read: ReadContext): SaleContent {
  const warnings = new Map<string, readonly FileWarning[]>()
  let row: SaleRow['row'] | null = null
  for (const { reading } of filesOf(entries)) {
    const own = entries.filter(({ source }) => source.reading.id === reading.id)
    const order = reading.file.documents.map(({ number }) => number)
    const documents = own.toSorted((a, b) => order.indexOf(a.number) - order.indexOf(b.number)).flatMap(documentOf)
    const part = saleRow(reading.file, documents, { sale: (row?.currency as string) ?? null, read })
    warnings.set(reading.id, part.warnings)
    row = row ? joined(row, part.row) : part.row
  }
  const whole = row ?? { legs: [], passengers: [] }
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]))
  const ordered = whole.passengers.flatMap(({ ticket_number }) => byNumber.get(String(ticket_number)) ?? [])
  return {
    row: {
      ...whole,
      passengers: whole.passengers.map((passenger) => ({
        ...passenger,
        document_status: byNumber.get(String(passenger.ticket_number))?.life.status ?? passenger.document_status,
      })),
    },
    refunds: new Map(ordered.map(({ number, life }) => [number, life.refunds])),
    exchanges: ordered.flatMap(({ source: { document } }): AfterSaleItem[] =>
      document?.exchange ? [exchangeItem(document)] : [],
    ),
    refundsAlone: new Set(entries.filter(({ source }) => source.action === 'refund').map(({ number }) => number)),
    warnings,
  }
}

/** The maximum length of a sale's remarks. */
const REMARKS_LENGTH = 10_000
/** The remarks of all files of the reservation, without repetition. */
function linesOf(rows: readonly SaleRow['row'][]): string | null {
  const lines = rows.flatMap(({ remarks }) => (typeof remarks === 'string' ? remarks.split('\n') : []))
  return [...new Set(lines)].join('\n').slice(0, REMARKS_LENGTH).toWellFormed() || null
}

function joined(row: SaleRow['row'], part: SaleRow['row']): SaleRow['row'] {
  const [legs, more] = [row.legs ?? [], part.legs ?? []]
  const known = new Set(legs.map(legKey))
  const given = Object.entries(part).filter(([name, cell]) => (row[name] ?? null) === null && cell !== null)
  return {
    ...row,
    ...Object.fromEntries(given),
    remarks: linesOf([row, part]),
    legs: [...legs, ...more.filter((leg) => !known.has(legKey(leg)))],
    passengers: [...row.passengers, ...part.passengers],
  }
}
