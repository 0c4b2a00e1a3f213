import type { ImportRow } from '../../../imports/engine/read-rows.ts'
import { extendTicketSale } from '../../bookings/commands/extend-ticket-sale.ts'
import { makeTicketSale } from '../../bookings/commands/make-ticket-sale.ts'
import { exchangeItem, refundItem } from '../after-sale.ts'
import type { CaptureContext } from '../capture-context.ts'
import { type CaptureOutcome, duplicate, failed, parsed } from '../capture-outcome.ts'
import { takeAwaited } from '../documents.store.ts'
import { saleRow } from '../sale-row.ts'
import type { FileWarning, TicketDocument } from '../ticket-file.ts'
import { updateHeldDocuments } from './update-held-documents.ts'

/**
 * An issue: creates one draft sale of the documents that are new to the account, or adds passengers to the sale that
 * another part of the transaction created. Documents given in exchange are marked as exchanged.
 */
export async function issueDocuments(scene: CaptureContext): Promise<CaptureOutcome> {
  const { file, held } = scene
  const fresh = file.documents.filter(({ number }) => !held.has(number))
  const repeated = file.documents.flatMap(({ number }) => held.get(number) ?? [])
  const numbers = repeated.map(({ number }) => number)
  if (fresh.length === 0 && repeated[0]) return duplicate(repeated[0].sale, numbers)
  const made = await captureSale(scene, fresh)
  if (made.error !== null) return made
  const originals = fresh.flatMap(({ exchange }) => exchange?.originals ?? [])
  const marked = await updateHeldDocuments(
    scene,
    'exchange',
    originals.map(({ number }) => number),
  )
  return { ...made, duplicates: numbers, events: marked.events, warnings: [...made.warnings, ...marked.warnings] }
}

/** Makes a sale of documents, or adds them to the one that they belong to. Those that were voided before are void in it. */
export async function captureSale(
  scene: CaptureContext,
  documents: readonly TicketDocument[],
): Promise<CaptureOutcome> {
  const { tx, file, desk, voided, links, saleOfParts } = scene
  const { row, warnings } = saleRow(file, documents, { sale: saleOfParts?.currency ?? null, read: desk.read })
  const passengers = row.passengers.map((passenger) =>
    voided.has(String(passenger.ticket_number)) ? { ...passenger, document_status: 'void' } : passenger,
  )
  const exchanges = documents.filter(({ exchange }) => exchange).map(exchangeItem)
  const refunds = documents.filter(({ refund }) => refund).map((document) => refundItem(document, scene.day))
  const status = refunds.length > 0 && { status: 'draft' }
  const extended =
    saleOfParts === null
      ? undefined
      : await extendTicketSale(tx, saleOfParts.id, { passengers, legs: row.legs, refunds, exchanges }, desk)
  const made =
    extended ?? (await makeTicketSale(tx, { row: { ...row, ...status, passengers }, links, refunds, exchanges }, desk))
  if (made.errors.length > 0 || made.id === null) return failed(refusalOf(made))
  const before = saleOfParts?.status ?? 'draft'
  const taken = documents.map(({ number }) => number).filter((number) => voided.has(number))
  if (taken.length > 0) tx.later(takeAwaited, { numbers: taken, sale: made.id, before })
  return parsed(made.id, { warnings: [...scene.warnings, ...warnings, ...noted(made, documents)] })
}

const refusalOf = ({ errors }: ImportRow): string =>
  `The file was read, but the sale is invalid: ${errors.map(({ at, message }) => `${at}: ${message}`).join(' ')}`

/** What the sale's own rules found. In an exchange the total is what was paid on top, and never the sum of its parts. */
function noted({ warnings }: ImportRow, documents: readonly TicketDocument[]): FileWarning[] {
  const isExchange = documents.some(({ exchange }) => exchange)
  return warnings
    .filter(({ at, code }) => !(isExchange && code === 'inconsistent' && at.endsWith('.total')))
    .map(({ at, code, message }) => ({ code, message: `${at}: ${message}` }))
}
