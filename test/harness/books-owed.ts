import type { Fixed } from '../../src/platform/money.ts'
import { absolute, type Books, brought, cents, type Item, money, rateOn, text } from './books.ts'

const BUCKETS: readonly (readonly [name: string, last: number])[] = [
  ['not_due', 0],
  ['overdue_1_30', 30],
  ['overdue_31_60', 60],
  ['overdue_61_90', 90],
  ['overdue_over_90', Number.POSITIVE_INFINITY],
]
const daysAfter = (day: string, due: string): number => (Date.parse(day) - Date.parse(due)) / 86_400_000
type Open = { readonly due: string; readonly total: Fixed; readonly credited: Fixed; readonly paid: Fixed }

function openItem(currency: string, base: string, asOf: string, keys: Item['keys'], { due, ...parts }: Open): Item[] {
  const rate = rateOn(currency, base, asOf)
  const amounts = (of: (amount: Fixed) => Fixed | null) => {
    const [total, credited, paid] = [of(parts.total), of(parts.credited), of(parts.paid)]
    const open = total === null || credited === null || paid === null ? null : total + credited - paid
    const bucket = BUCKETS.find(([, last]) => daysAfter(asOf, due) <= last)?.[0]
    const buckets = BUCKETS.map(([name]) => [name, open === null ? null : name === bucket ? open : 0n])
    return { total, credited, paid, open, ...Object.fromEntries(buckets) }
  }
  const own = amounts((amount) => amount)
  if (own.open === 0n) return []
  const overdue = daysAfter(asOf, due) > 0 ? 'yes' : 'no'
  return [
    {
      currency,
      base,
      keys: { ...keys, month: due.slice(0, 7), overdue },
      own,
      inBase: amounts((amount) => brought(amount, rate, base)),
    },
  ]
}

/** What customers owe on a day, invoice by invoice. */
export function receivables({ invoices, companies }: Books, asOf: string): Item[] {
  const paidOf = (invoice: Books['invoices'][number] | undefined): Fixed =>
    (invoice?.paid ?? [])
      .filter(({ paid_on }) => text(paid_on) <= asOf)
      .reduce((sum, { amount }) => sum + money(amount), 0n)
  const known = invoices.filter(({ issued_on }) => text(issued_on) <= asOf)
  return known
    .filter(({ document_type }) => document_type === 'invoice')
    .flatMap((invoice) => {
      const note = known.find(({ reverses_id }) => reverses_id === invoice.id)
      const [total, credited, paid] = [money(invoice.gross), money(note?.gross), paidOf(invoice) + paidOf(note)]
      const due = text(note && total + credited < paid ? note.due_on : invoice.due_on)
      const base = text(companies.get(text(invoice.company_id)))
      return openItem(
        text(invoice.currency),
        base,
        asOf,
        { customer: invoice.customer_id ?? null },
        { due, total, credited, paid },
      )
    })
}

/** Amounts owed to suppliers for what was issued by a day. */
export function payables({ bills, operators, companies }: Books, asOf: string): Item[] {
  const open = [...bills, ...operators].filter(
    ({ status, deleted_at, issued_on }) =>
      !['paid', 'void'].includes(text(status)) && !deleted_at && text(issued_on) <= asOf,
  )
  return open.flatMap((bill) => {
    const signed = (amount: Fixed) => (bill.document_type === 'credit_note' ? -absolute(amount) : amount)
    const due = text(bill.due_on ?? bill.balance_due_on ?? bill.issued_on)
    const parts = {
      due,
      total: signed(cents(bill.total_amount, bill.currency)),
      credited: 0n,
      paid: signed(cents(bill.paid_amount, bill.currency)),
    }
    return openItem(
      text(bill.currency),
      text(companies.get(text(bill.company_id))),
      asOf,
      { supplier: bill.supplier_id ?? null },
      parts,
    )
  })
}

/** Both sides, by currency and month of due. */
export function exposure(books: Books, asOf: string): Item[] {
  const side = (items: Item[], name: string, sign: bigint, other: string) =>
    items.map(({ own, inBase, ...item }) => {
      const open = inBase.open ?? null
      return {
        ...item,
        own: { [name]: own.open ?? 0n, [other]: 0n, net: sign * (own.open ?? 0n) },
        inBase: { [name]: open, [other]: open === null ? null : 0n, net: open === null ? null : sign * open },
      }
    })
  return [
    ...side(receivables(books, asOf), 'receivable', 1n, 'payable'),
    ...side(payables(books, asOf), 'payable', -1n, 'receivable'),
  ]
}
