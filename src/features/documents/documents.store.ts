import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { viewSql } from '../../platform/db/view.ts'
import { DOCUMENT_ROWS, documentDetail, documentItem, IS_OPEN } from './documents.view.ts'

/** Invoices and credit notes of customers, newest first. */
export const listDocuments = listing(
  { customer_id: pg.uuid, company_id: pg.uuid, booking_id: pg.uuid, number: pg.text, from: pg.date, to: pg.date },
  {
    open: IS_OPEN,
    customer_id: 'i.customer_id = $customer_id',
    company_id: 'i.company_id = $company_id',
    booking_id: 'i.booking_id = $booking_id',
    number: 'i.number = $number',
    from: 'i.issued_on >= $from::date',
    to: 'i.issued_on <= $to::date',
  },
  ({ policies, where, continues }) =>
    pageSql(
      {
        item: viewSql(documentItem, policies),
        from: DOCUMENT_ROWS,
        where: ['i.account_id = $account', ...where],
        keys: [
          { sql: 'i.issued_on', pg: 'date' },
          { sql: 'i.id', pg: 'uuid' },
        ],
        descending: true,
      },
      continues,
    ),
)
export const readDocument = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson },
  (policies) =>
    `select ${viewSql(documentDetail, policies)}::text as item from ${DOCUMENT_ROWS} where i.account_id = $account and i.id = $id`,
)
