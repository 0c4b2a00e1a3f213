import { type Fixed, fixed } from '../../src/platform/money.ts'
import type { Books, Raw } from './books.ts'
import { absolute, maybeMoney, money } from './documents.ts'
import { recalled } from './earned.ts'
import type { Item } from './item.ts'
import { type Asked, branchName, companyName, inWindow, type Recomputed } from './recomputed.ts'
import { type Document, documentsOf } from './tickets.ts'

/** One side of a document's sale or refund. */
type Side = {
  readonly document: string
  readonly transaction: 'sale' | 'refund'
  readonly currency: string
  readonly void: boolean
  readonly day: string
  readonly amount: Fixed
  readonly commission: Fixed | null
  /** The line of the billing; null of the books. */
  readonly line: Raw | null
}

const numbersOf = ({ passenger }: Document): string[] =>
  [passenger.ticket_number, ...(passenger.conjunction_ticket_numbers ?? [])].filter(
    (number) => typeof number === 'string',
  )

/** The refund as recorded: the amount for the traveller and the recalled commission; missing amounts are computed. */
function refundOf(document: Document) {
  const { refund } = document
  const cell = (name: string) => maybeMoney(refund?.[name])
  const gross = cell('gross')
  const parts =
    gross === null
      ? 0n
      : gross - (cell('used') ?? 0n) + (cell('tax_total') ?? 0n) - (cell('penalty') ?? 0n) - (cell('other_fees') ?? 0n)
  return { total: cell('total') ?? parts, recall: recalled(document) ?? document.commission }
}

/** What the books know of a document of the BSP: its sale, and its refund. */
function booked(document: Document, number: string): Side[] {
  const { sale, total, commission, status, refund, passenger } = document
  if (sale.settlement_channel !== 'bsp') return []
  const issued = passenger.issued_on ?? sale.transaction_date
  const own = { document: number, currency: sale.currency, void: false, line: null }
  const isVoid = status === 'void'
  const sold: Side = {
    ...own,
    transaction: 'sale',
    void: isVoid,
    day: issued,
    amount: isVoid ? 0n : total,
    commission: isVoid ? 0n : commission,
  }
  const day = refund?.refunded_on ?? issued
  const whole: Side = {
    ...own,
    transaction: 'refund',
    day,
    amount: -absolute(total),
    commission: -absolute(commission),
  }
  if (total < 0n) return isVoid ? [] : [whole] // it came in by its refund
  if (status !== 'refunded') return [sold]
  if (!refund) return [sold, whole]
  const refunded = refundOf(document)
  return [
    sold,
    { ...whole, currency: refund.currency ?? sale.currency, amount: -refunded.total, commission: -refunded.recall },
  ]
}

/** The lines of the billings, of each transaction of a number and day those of the newest. */
function billed({ tables }: Books, documentOf: (number: string) => string, dateBasis: string): Side[] {
  const same = Map.groupBy(tables.bsp_lines, (line) => `${line.number} ${line.transaction} ${line.issued_on}`)
  return [...same.values()].flatMap((lines) => {
    const newest = lines
      .map(({ billing_id }) => String(billing_id))
      .toSorted()
      .at(-1)
    return lines
      .filter(({ billing_id }) => billing_id === newest)
      .map((line): Side => {
        const period = dateBasis === 'transaction' ? line.period_on : null
        return {
          document: documentOf(String(line.number)),
          transaction: line.transaction as Side['transaction'],
          currency: String(line.currency),
          void: line.void === 'true',
          day: String(period ?? line.issued_on),
          amount: money(line.total) - money(line.exchanged),
          commission: maybeMoney(line.commission),
          line,
        }
      })
  })
}

const sumOf = (values: readonly (Fixed | null)[]): Fixed | null =>
  values.length === 0 || values.includes(null) ? null : values.reduce<Fixed>((sum, value) => sum + (value ?? 0n), 0n)
const first = (texts: readonly (string | null | undefined)[]): string | null =>
  texts.filter((text) => typeof text === 'string').toSorted()[0] ?? null

function bucketOf(all: readonly Side[], difference: Fixed, commission: Fixed | null, tolerance: Fixed): string {
  if (all.every(({ line }) => line === null)) return 'missing_in_bsp'
  if (all.every(({ line }) => line !== null)) return 'missing_in_books'
  if (absolute(difference) > tolerance) return 'amount_variance'
  return commission !== null && absolute(commission) > tolerance ? 'commission_variance' : 'matched'
}

export const bspReconciliation: Recomputed = {
  items(books, asked) {
    const held = documentsOf(books).filter(({ sale }) => sale.status !== 'cancelled')
    const byNumber = new Map(held.flatMap((document) => numbersOf(document).map((number) => [number, document])))
    const nameOf = (document: Document) => String(numbersOf(document)[0])
    const documentOf = (number: string) => {
      const known = byNumber.get(number)
      return known ? nameOf(known) : number
    }
    const sides = [
      ...held
        .filter((document) => numbersOf(document).length > 0)
        .flatMap((document) => booked(document, nameOf(document))),
      ...billed(books, documentOf, String(asked.date_basis)),
    ]
    const transactions = Map.groupBy(sides, ({ document, transaction }) => `${document} ${transaction}`)
    return [...transactions.values()].flatMap((all) => itemsOf(books, all, byNumber, asked))
  },
}

/**
 * A row for each currency in which a transaction was booked or billed; a void document takes the currency of the other
 * side.
 */
function itemsOf(books: Books, all: readonly Side[], byNumber: ReadonlyMap<string, Document>, asked: Asked): Item[] {
  const [bills, own] = [all.filter(({ line }) => line !== null), all.filter(({ line }) => line === null)]
  const day = first((bills.length > 0 ? bills : own).map((side) => side.day))
  const isVoid = all.every((side) => side.void)
  if (!inWindow(day, asked) || (isVoid && (bills.length === 0 || own.length === 0))) return []
  const last = (sides: readonly Side[]) =>
    sides
      .map(({ currency }) => currency)
      .toSorted()
      .at(-1)
  const ofVoid = last(all.filter((side) => !side.void)) ?? last(all)
  const byCurrency = Map.groupBy(all, (side) => (side.void ? ofVoid : side.currency))
  return [...byCurrency].map(([currency, some]) =>
    itemOf(books, { all, some, currency: String(currency), day: String(day) }, byNumber, asked),
  )
}

type Row = {
  readonly all: readonly Side[]
  readonly some: readonly Side[]
  readonly currency: string
  readonly day: string
}
function itemOf(
  books: Books,
  { all, some, currency, day }: Row,
  byNumber: ReadonlyMap<string, Document>,
  asked: Asked,
): Item {
  const [{ document, transaction }] = some as [Side]
  const [bills, own] = [some.filter(({ line }) => line !== null), some.filter(({ line }) => line === null)]
  const known = byNumber.get(document)
  const sums = {
    booked: sumOf(own.map(({ amount }) => amount)),
    billed: sumOf(bills.map(({ amount }) => amount)),
    booked_commission: sumOf(own.map(({ commission }) => commission)),
    billed_commission: sumOf(bills.map(({ commission }) => commission)),
    remittance: sumOf(bills.map(({ line }) => maybeMoney(line?.remittance))),
  }
  const difference = (sums.billed ?? 0n) - (sums.booked ?? 0n)
  const commission =
    bills.length > 0 && sums.billed_commission === null
      ? null
      : (sums.billed_commission ?? 0n) - (sums.booked_commission ?? 0n)
  const bucket = bucketOf(all, difference, commission, fixed(String(asked.tolerance)))
  const lines = bills.flatMap(({ line }) => (line ? [line] : [])).toSorted(byPlace)
  const places = placesOf(books, known, lines)
  const airline = document.slice(0, 3)
  const period = first(lines.map(({ period_on }) => period_on))
  return {
    currency,
    about: {
      company_id: places.company_id,
      branch_id: places.branch_id,
      currency,
      bucket,
      transaction,
      airline_number: airline,
    },
    groups: {
      bucket: [bucket],
      airline: [airline],
      branch: [places.branch_id, branchName(books, places.branch_id)],
      company: [places.company_id, companyName(books, places.company_id ?? '')],
      transaction: [transaction],
      period: [period],
      currency: [currency],
    },
    cells: {
      day,
      ticket_number: document,
      transaction,
      bucket,
      code: [...new Set(lines.map(({ code }) => code))].toSorted().join(', ') || null,
      airline_number: airline,
      airline_code: known?.passenger.airline_code ?? null,
      period_on: period,
      document_status: known?.status ?? null,
      settlement_channel: (known?.sale.settlement_channel ?? null) as string | null,
      branch: branchName(books, places.branch_id),
      branch_id: places.branch_id,
      company: companyName(books, places.company_id ?? ''),
      external_id: known?.sale.external_id ?? null,
      booking_id: known?.sale.id ?? null,
      position: known?.position ?? null,
      billing_id: lines[0]?.billing_id ?? null,
      line: lines[0] ? Number(lines[0].line) : null,
    },
    sums: { documents: 1, ...sums, difference, commission_difference: commission },
    counts: { ...NO_BUCKETS, [bucket]: 1 },
  }
}
const NO_BUCKETS = { matched: 0, amount_variance: 0, commission_variance: 0, missing_in_books: 0, missing_in_bsp: 0 }
const byPlace = (a: Raw, b: Raw): number =>
  a.billing_id === b.billing_id ? Number(a.line) - Number(b.line) : String(a.billing_id) < String(b.billing_id) ? -1 : 1

/** The branch and the company of the sale, else those of the office and of the billing. */
function placesOf(books: Books, known: Document | undefined, lines: readonly Raw[]) {
  const agent = first(lines.map((line) => line.agent))?.slice(0, 7)
  const office = books.tables.branches
    .toSorted((a, b) => (`${a.created_at} ${a.id}` < `${b.created_at} ${b.id}` ? -1 : 1))
    .find(({ iata_numbers }) =>
      (JSON.parse(iata_numbers ?? '[]') as string[]).some((number) => number.slice(0, 7) === agent),
    )
  const billing = books.tables.bsp_billings.find(({ id }) => id === lines[0]?.billing_id)
  return {
    branch_id: known?.sale.branch_id ?? office?.id ?? null,
    company_id: known?.sale.company_id ?? billing?.company_id ?? null,
  }
}
