import type { ReadContext } from '../../catalogue/kind.ts'
import { type AfterSaleItem, exchangeItem } from './after-sale.ts'
import { type DocumentLife, type Fact, inOrder } from './facts.ts'
import { type SaleRow, saleRow } from './sale-row.ts'
import type { FileWarning, TicketDocument } from './ticket-file.ts'

/** A document of a sale, with the fact that tells who it is for and what it costs. */
export type DocumentEntry = { readonly number: string; readonly source: Fact; readonly life: DocumentLife }
/** What captured files tell of a sale. */
export type SaleContent = {
  /** As an import of tickets takes it. */
  readonly row: SaleRow['row']
  /** By the number of the document. */
  readonly refunds: ReadonlyMap<string, readonly AfterSaleItem[]>
  readonly exchanges: readonly AfterSaleItem[]
  /** Documents of which nothing but a refund is known: their sale is what is paid back. */
  readonly refundsAlone: ReadonlySet<string>
  /** By the capture whose file they are about. */
  readonly warnings: ReadonlyMap<string, readonly FileWarning[]>
}

/** Files of one sale in the order of their parts. */
function filesOf(entries: readonly DocumentEntry[]): Fact[] {
  const byFile = new Map(entries.map(({ source }) => [source.reading.id, source]))
  const part = ({ reading: { file } }: Fact): number => file.part?.number ?? 0
  return inOrder([...byFile.values()]).sort((a, b) => part(a) - part(b))
}

/** A refund that was taken back before its issue came tells of no price. */
function documentOf({ source, life }: DocumentEntry): TicketDocument[] {
  const { document } = source
  if (!document) return []
  const isTakenBack = source.action === 'refund' && life.refunds.at(-1)?.status === 'cancelled'
  return [isTakenBack ? { ...document, refund: null } : document]
}

/** A leg is the same flight on the same day, whoever is on it. */
const legKey = ({ airline_code, flight_number, departure_airport, scheduled_departure }: AfterSaleItem): string =>
  [airline_code, flight_number, departure_airport, scheduled_departure].join(' ')

/** The sale that these documents make together; `read` is how its cells are read. */
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

/** So many characters of remarks a sale can have. */
const REMARKS_LENGTH = 10_000
/** The remarks of files that tell of the same reservation, each once. */
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
