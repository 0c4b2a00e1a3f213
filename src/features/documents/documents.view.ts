import Type from 'typebox'
import { instantSql, type View } from '../../platform/db/view.ts'
import { Day, enumOf, Instant, Money, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { personalSql, restrictedSql } from '../customers/reads/restricted.ts'

const MONEY = ['view_money'] as const
const MOST_PARTS = 10_000
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 })
const REVERSED = 'exists (select from customer_invoices n where n.account_id = i.account_id and n.reverses_id = i.id)'
/** The customer `c` of a document; the name is masked as in all readings. */
const customerSql: View[string]['sql'] = (policies) =>
  `json_build_object('id', c.id, 'name', ${personalSql(restrictedSql('c'), 'coalesce(c.name, c.legal_name)', policies)})`
const money = (sql: string, description?: string) => ({
  sql: `money_text(${sql}, i.currency)`,
  schema: maybe(Type.String({ ...Money, ...(description && { description }) })),
  needs: MONEY,
})

/** Documents `i` with their customers `c`, and what was paid of them, `p`. */
export const DOCUMENT_ROWS = `customer_invoices i
  left join customers c on c.account_id = i.account_id and c.id = i.customer_id
  cross join lateral (
    select coalesce(sum(amount), 0) as paid from customer_payments p where p.account_id = i.account_id and p.invoice_id = i.id) p`
/** What is still to be paid of an invoice. */
export const IS_OPEN = `i.document_type = 'invoice' and i.gross <> p.paid and not ${REVERSED}`

export const documentItem: View = {
  id: { sql: 'i.id', schema: Uuid },
  document_type: { sql: 'i.document_type', schema: enumOf(['invoice', 'credit_note']) },
  number: { sql: 'i.number', schema: Text(40) },
  company_id: { sql: 'i.company_id', schema: Uuid },
  branch_id: { sql: 'i.branch_id', schema: maybe(Uuid) },
  booking_id: { sql: 'i.booking_id', schema: Uuid },
  customer: { sql: customerSql, schema: Type.Object({ id: maybe(Uuid), name: maybe(Text(1000)) }) },
  issued_on: { sql: 'i.issued_on', schema: Day },
  due_on: { sql: 'i.due_on', schema: Day },
  currency: { sql: 'i.currency', schema: Text(3) },
  net: money('i.net'),
  vat: money('i.vat'),
  gross: money('i.gross'),
  paid: money('p.paid'),
  open: money(`case when ${REVERSED} then 0 else i.gross - p.paid end`, 'What is still to be paid.'),
  reversed: { sql: REVERSED, schema: Type.Boolean({ description: 'Whether a credit note reverses it.' }) },
}
export const documentDetail: View = {
  ...documentItem,
  reverses_id: { sql: 'i.reverses_id', schema: maybe(Uuid) },
  tax_point_on: { sql: 'i.tax_point_on', schema: Day },
  lines: {
    sql: 'i.lines',
    schema: maybe(
      Type.Array(
        Type.Object({
          kind: maybe(Text(100)),
          label: maybe(Text(1000)),
          amount: maybe(Money),
          quantity: maybe(Type.Union([Count, Text(25)])),
          vat_rate: maybe(Money),
          tax_inclusive: maybe(Type.Boolean()),
          net: Money,
          vat: Money,
          gross: Money,
        }),
        { maxItems: MOST_PARTS },
      ),
    ),
    needs: MONEY,
  },
  payments: {
    sql: `(select coalesce(json_agg(json_build_object('id', x.id, 'amount', money_text(x.amount, i.currency), 'paid_on', x.paid_on,
      'method', x.method, 'note', x.note, 'created_by', x.created_by, 'created_at', ${instantSql('x.created_at')})
      order by x.paid_on, x.id), '[]') from customer_payments x where x.account_id = i.account_id and x.invoice_id = i.id)`,
    schema: maybe(
      Type.Array(
        Type.Object({
          id: Uuid,
          amount: Money,
          paid_on: Day,
          method: maybe(Text(1000)),
          note: maybe(Text(2000)),
          created_by: Text(1000),
          created_at: Instant,
        }),
        { maxItems: MOST_PARTS },
      ),
    ),
    needs: MONEY,
  },
}
