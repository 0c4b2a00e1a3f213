import { fixed } from '../../../platform/money.ts'
import type { CaptureContext } from '../capture-context.ts'
import { type CaptureOutcome, duplicate, failed, parsed } from '../capture-outcome.ts'
import type { DocumentEvent } from '../documents.store.ts'
import { type CapturedFile, factsOf } from '../facts.ts'
import { otherAmounts } from '../other-amounts.ts'
import { isOtherLife, type Planned, planSales } from '../sale-plan.ts'
import type { DocumentAction, FileWarning, TicketDocument } from '../ticket-file.ts'
import { moveKnown, type WrittenSale, writeSales } from './write-sales.ts'

/** Processes the documents of a capture's own file together with the earlier files. */
export async function processDocuments(context: CaptureContext, own: CapturedFile): Promise<Processed> {
  const { file, held, readings, desk } = context
  const after = [...readings.filter(({ id }) => id !== own.id), own]
  const { plans, former } = planSales({ before: readings, after }, held, { read: desk.read, today: desk.context.today })
  const { sales, errors } = await writeSales(context, own.id, plans)
  if (errors.length > 0) {
    const reasons = errors.map(({ at, message }) => `${at}: ${message}`).join(' ')
    return { outcome: failed('invalid_sale', `The file was read, but the sale is invalid: ${reasons}`), sales: [] }
  }
  const known = new Set(readings.flatMap(({ numbers }) => [...numbers]))
  const holders = moveKnown(context, sales, known)
  const saleOf = (number: string): string | null => holders.get(number) ?? held.get(number)?.sale ?? null
  const completed = new Set(
    plans.flatMap(({ before, after }) =>
      [...(before?.refundsAlone ?? [])].filter((number) => !after?.refundsAlone.has(number)),
    ),
  )
  const isRepeated = ({ number }: TicketDocument) =>
    held.has(number) && !(isIssue(file.action) && completed.has(number))
  const results = {
    sales,
    former,
    saleOf,
    repeated: file.documents.filter(isRepeated),
    fresh: file.documents.filter((each) => !isRepeated(each)),
  }
  return { outcome: { ...outcomeOf(context, own, results), events: eventsOf(context, own, results) }, sales }
}

/** The outcome of a file, and the sales that were written. */
export type Processed = { readonly outcome: CaptureOutcome; readonly sales: readonly WrittenSale[] }
type Results = {
  readonly sales: readonly WrittenSale[]
  readonly former: Planned['former']
  readonly saleOf: (number: string) => string | null
  /** Documents that the account already had, and new ones. */
  readonly repeated: readonly TicketDocument[]
  readonly fresh: readonly TicketDocument[]
}
const isIssue = (action: DocumentAction): boolean => action === 'issue' || action === 'exchange'

function outcomeOf(context: CaptureContext, own: CapturedFile, results: Results): CaptureOutcome {
  const { file } = context
  const { sales, saleOf, repeated, fresh } = results
  const numbers = repeated.map(({ number }) => number)
  const warnings = [
    ...finishedSales(context, results),
    ...repeated.flatMap((each) => otherRefund(context, results, each)),
    ...otherAmounts(own, context.readings, (number) => sourceOf(context, results, number)),
  ]
  const makesSales = isIssue(file.action) || file.action === 'refund'
  const [first] = fresh
  if (first && makesSales) {
    const sale = saleOf(first.number)
    if (sale === null) return failed('no_document', 'The file names no document.')
    const theirs = sales.filter(({ plan }) => plan.after?.warnings.has(own.id))
    return parsed(sale, {
      duplicates: numbers,
      warnings: [
        ...context.warnings,
        ...theirs.flatMap(({ plan }) => plan.after?.warnings.get(own.id) ?? []),
        ...theirs.flatMap((each) => noted(each, file.documents)),
        ...warnings,
      ],
    })
  }
  const missing = first ? notHeldMessage(file.action, fresh) : null
  const sale = saleOf(numbers[0] ?? '')
  if (sale === null) return missing ? failed('not_held', missing) : failed('no_document', 'The file names no document.')
  return duplicate(sale, numbers, {
    warnings: [...warnings, ...(missing ? [{ code: 'document_not_held', message: missing }] : [])],
  })
}

/**
 * Warnings from the rules of sales. In an exchange the total is what was paid on top, so it never equals the sum of the
 * parts.
 */
function noted({ warnings }: WrittenSale, documents: readonly TicketDocument[]): FileWarning[] {
  const isExchange = documents.some(({ exchange }) => exchange)
  return warnings
    .filter(({ at, code }) => !(isExchange && code === 'inconsistent' && at.endsWith('.total')))
    .map(({ at, code, message }) => ({ code, message: `${at}: ${message}` }))
}

/** A refused file has no events. Events of documents without a sale are kept until a sale has them. */
function eventsOf({ held }: CaptureContext, own: CapturedFile, { sales, saleOf }: Results): DocumentEvent[] {
  const bases = new Map(sales.map(({ sale, base }) => [sale, base]))
  return factsOf(own).map(({ number, action }) => {
    const sale = saleOf(number)
    return {
      number,
      action,
      booking_id: sale,
      entry: (action === 'issue' || action === 'refund') && sale !== null && (held.get(number)?.open ?? true),
      sale_before: (sale && bases.get(sale)) ?? null,
    }
  })
}

const WORDS: Partial<Record<DocumentAction, string>> = {
  void: 'Void',
  restore: 'Restoration',
  refund_cancel: 'Cancelled refund',
}
const LATER: Partial<Record<DocumentAction, string>> = {
  void: ' The void is stored: if the issue is captured later, the document becomes void.',
  restore: ' The restoration is stored, and counts if the issue and the void are captured later.',
  refund_cancel: ' The cancellation is stored, and counts if the issue and the refund are captured later.',
}

function notHeldMessage(action: DocumentAction, documents: readonly TicketDocument[]): string {
  const numbers = documents.map(({ number }) => number).join(', ')
  return `${WORDS[action]} of a ticket that is not in this account: ${numbers}.${LATER[action] ?? ''}`
}

/** Whether the refund was known before with another total. */
function otherRefund({ held }: CaptureContext, { former }: Results, { number, refund }: TicketDocument): FileWarning[] {
  const items = former.get(held.get(number)?.primary ?? number)?.refunds ?? []
  const known = items.find(({ status }) => status === 'draft')?.total
  const total = refund?.total?.amount
  if (!total || typeof known !== 'string' || fixed(total) === fixed(known)) return []
  const message = `Document ${number} was already refunded with a total of ${known}, but the file has ${total}. Check the refund.`
  return [{ code: 'other_refund', message }]
}

/** The capture whose file the entry of a document in its sale comes from; null if the sale does not follow its files. */
function sourceOf({ held }: CaptureContext, { sales, former }: Results, number: string): string | null {
  const holder = held.get(number)
  if (holder?.open === false) return null
  const primary = holder?.primary ?? number
  const written = sales.map(({ plan }) => plan.lives.get(primary)?.after.source).find(Boolean)
  return (written ?? former.get(primary)?.source)?.reading.id ?? null
}

/** Documents of finished sales for which the file has something new. */
function finishedSales({ held, file }: CaptureContext, { sales, former, repeated }: Results): FileWarning[] {
  const isCompleted = ({ number }: TicketDocument): boolean => {
    const holder = held.get(number)
    const known = former.get(holder?.primary ?? number)
    return isIssue(file.action) && holder?.open === false && holder.captured && known?.source?.action === 'refund'
  }
  const issued = repeated.filter(isCompleted).map(({ number }) => number)
  const marked = sales.flatMap(({ plan }) =>
    [...plan.lives].flatMap(([number, life]) => (isOtherLife(life) ? number : [])),
  )
  const invoiced = [...new Set([...marked, ...issued])].filter((number) => held.get(number)?.invoiced)
  return [
    ...invoiced.map((number) => ({
      code: 'sale_invoiced',
      message: `Document ${number} belongs to an invoiced sale. The invoice does not change. Correct the accounts by hand.`,
    })),
    ...issued
      .filter((number) => !held.get(number)?.invoiced)
      .map((number) => ({
        code: 'sale_finished',
        message: `Document ${number} belongs to a sale that was made of its refund and is finished. The sale does not change. Compare it with the issue.`,
      })),
  ]
}
