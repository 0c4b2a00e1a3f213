import type { DocumentStatus } from '../bookings/verticals/tickets/document-states.ts'
import { type AfterSaleItem, refundItem } from './after-sale.ts'
import type { TicketDocument, TicketFile } from './ticket-file.ts'

/**
 * What a file states about one number. In an exchange file the new document is issued and the one given in is
 * exchanged.
 */
export const FACT_ACTIONS = ['issue', 'exchange', 'void', 'restore', 'refund', 'refund_cancel'] as const
export type FactAction = (typeof FACT_ACTIONS)[number]

/** A captured file with its parsed content. */
export type CapturedFile = {
  /** The id of the capture. */
  readonly id: string
  readonly file: TicketFile
  /** The digest of the bytes, in hexadecimal. */
  readonly digest: string
  /** The numbers for which the file still counts; numbers of a deleted sale do not. */
  readonly numbers: ReadonlySet<string>
}
export type Fact = {
  readonly number: string
  readonly action: FactAction
  readonly reading: CapturedFile
  /** Null for a document given in. */
  readonly document: TicketDocument | null
}

/** The facts of a file, one for each number. */
export function factsOf({ file }: Pick<CapturedFile, 'file'>): Pick<Fact, 'number' | 'action' | 'document'>[] {
  const { action } = file
  if (action === 'itinerary' || file.training) return []
  const isIssue = action === 'issue' || action === 'exchange'
  const own = file.documents.map((document) => ({
    number: document.number,
    action: isIssue ? ('issue' as const) : action,
    document,
  }))
  const given = (isIssue ? file.documents : []).flatMap(({ exchange }) =>
    (exchange?.originals ?? []).map(({ number }) => ({ number, action: 'exchange' as const, document: null })),
  )
  return [...new Map([...given, ...own].map((fact) => [`${fact.number} ${fact.action}`, fact])).values()]
}

/** Every number in a file, including conjunctions. */
export const numbersNamedIn = ({ documents }: TicketFile): string[] => [
  ...new Set(
    documents.flatMap(({ number, conjunctions, exchange }) => [
      number,
      ...conjunctions,
      ...(exchange?.originals ?? []).map((original) => original.number),
    ]),
  ),
]

const LATEST = '9999'
const MOST_DOCUMENTS = 999
const dayOf = ({ action, document, reading: { file } }: Fact): string =>
  file.made?.day ??
  file.issuedOn ??
  document?.issuedOn ??
  (action === 'restore' || action === 'refund_cancel' ? LATEST : '')

/**
 * Sorts facts by when they happened: by the file's own day and time, then by kind, then by content (the file with the
 * most documents first), so the order of arrival does not matter. If one file of a day has no time, no time of that day
 * counts. A file without a day comes first, or last if it reverses something.
 */
export function inOrder(facts: readonly Fact[]): Fact[] {
  const timeless = new Set(facts.filter(({ reading }) => !reading.file.made?.time).map(dayOf))
  const keyed = facts.map((fact) => {
    const day = dayOf(fact)
    const time = timeless.has(day) ? '' : (fact.reading.file.made?.time ?? '')
    const fewer = String(MOST_DOCUMENTS - Math.min(fact.reading.file.documents.length, MOST_DOCUMENTS)).padStart(3, '0')
    const key = `${day} ${time} ${FACT_ACTIONS.indexOf(fact.action)} ${fewer} ${fact.reading.digest}`
    return { fact, key }
  })
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ fact }) => fact)
}

/** The state of a document after its issue. */
export type DocumentLife = {
  readonly status: DocumentStatus
  /** Every refund, including cancelled ones. */
  readonly refunds: readonly AfterSaleItem[]
  /** The fact from which the sale's entry of the document is made: its issue, otherwise its refund. */
  readonly source: Fact | null
}

const MARKS: Partial<Record<FactAction, DocumentStatus>> = { exchange: 'exchanged', void: 'void', refund: 'refunded' }
const UNDONE: Partial<Record<FactAction, DocumentStatus>> = { restore: 'void', refund_cancel: 'refunded' }

/**
 * The state of a document from the facts of its number and its conjunctions; `today` is the day of refunds whose files
 * have none.
 */
export function lifeOf(number: string, facts: readonly Fact[], today: string): DocumentLife {
  const ordered = inOrder(facts)
  const marks: DocumentStatus[] = []
  const refunds: { fact: Fact; item: AfterSaleItem }[] = []
  for (const fact of ordered) {
    const mark = MARKS[fact.action]
    if (mark && !marks.includes(mark)) {
      marks.push(mark)
      if (fact.action === 'refund' && fact.document)
        refunds.push({ fact, item: refundItem(fact.document, refundedOn(fact, today)) })
    }
    const undone = UNDONE[fact.action]
    if (!undone || !marks.includes(undone)) continue
    marks.splice(marks.indexOf(undone), 1)
    const last = refunds.at(-1)
    if (undone === 'refunded' && last) last.item = { ...last.item, status: 'cancelled' }
  }
  return {
    status: marks.at(-1) ?? 'open',
    refunds: refunds.map(({ item }) => item),
    source: ordered.find((fact) => fact.action === 'issue' && fact.number === number) ?? refunds.at(-1)?.fact ?? null,
  }
}

const refundedOn = ({ reading: { file } }: Fact, today: string): string => file.issuedOn ?? file.made?.day ?? today
