import Type from 'typebox'
import type { Actor } from '../../platform/access/actor.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, dataOf } from '../../platform/http/by-id.ts'
import { demandPolicy } from '../../platform/http/demand-policy.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Day, enumOf, Uuid } from '../../platform/http/shapes.ts'
import { refuseValues } from '../../platform/invalid-values.ts'
import { operatorOf } from '../../platform/operator.ts'
import { dayIn, isDate } from '../../platform/time.ts'
import { payInvoice } from './commands/pay-invoice.ts'
import { listDocuments, readDocument } from './documents.store.ts'
import { documentDetail, documentItem } from './documents.view.ts'

const COMMON = {
  tag: { name: 'Documents', description: 'Invoices and credit notes of customers, and what was paid of them.' },
  scope: null,
} as const
const reads = ['manage_documents', 'manage_payments'] as const
const ofDocument = byId('document')
const whole = {
  status: 200,
  body: Type.Object({ data: viewSchema(documentDetail, 'Document') }),
  description: 'The document with its lines and payments.',
} as const
const written = (description: string, maxLength: number) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { description }))

const shown = async (reader: AccountReader, { policies }: Actor, id: string) =>
  dataOf(await reader.one(readDocument(policies), { id }), 'document')

export const documentRoutes: readonly Route[] = [
  route({
    ...COMMON,
    policy: reads,
    method: 'GET',
    path: '/documents',
    summary: 'List invoices and credit notes',
    description: 'Newest first. Amounts are shown to roles that see money.',
    takes: {
      query: Type.Object({
        ...paging,
        scope: Type.Optional(enumOf(['open'])),
        customer_id: Type.Optional(Uuid),
        company_id: Type.Optional(Uuid),
        booking_id: Type.Optional(Uuid),
        number: Type.Optional(Type.String({ maxLength: 40 })),
        from: Type.Optional(Day),
        to: Type.Optional(Day),
      }),
    },
    answers: {
      status: 200,
      body: listOf(viewSchema(documentItem, 'DocumentItem')),
      description: 'A page of documents.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query: { scope, limit: _, cursor: __, ...asked }, actor, page }) {
      const given = { open: scope === 'open', ...asked }
      // Whether something is open follows from amounts.
      if (given.open) demandPolicy(actor.policies, 'view_money')
      return listText(page, await listDocuments(reader, actor.policies, page, given))
    },
  }),
  route({
    ...COMMON,
    policy: reads,
    method: 'GET',
    path: '/documents/:id',
    summary: 'Read an invoice or a credit note',
    takes: ofDocument,
    answers: whole,
    errors: ['not_found'],
    handle: (reader, { params, actor }) => shown(reader, actor, params.id),
  }),
  route({
    ...COMMON,
    policy: 'manage_payments',
    method: 'POST',
    path: '/documents/:id/payments',
    summary: 'Record a payment',
    description:
      'Negative for a refund. What is paid stays between zero and the total. A reversed invoice takes no payments; record refunds on its credit note.',
    takes: {
      ...ofDocument,
      body: Type.Object({
        amount: Type.String({ maxLength: 25, description: 'A decimal in the currency of the document, other than 0.' }),
        paid_on: Type.Optional(Type.String({ maxLength: 10, description: 'A date; today if omitted.' })),
        method: written('How, such as `transfer`.', 100),
        note: written('A note.', 2_000),
      }),
    },
    answers: { ...whole, status: 201 },
    errors: ['not_found', 'validation_failed', 'conflict'],
    async handle(tx, input) {
      const { params, body, actor } = input
      // A refusal names the total and what is paid.
      demandPolicy(actor.policies, 'view_money')
      const {
        amount,
        paid_on: paidOn = dayIn(actor.timeZone, Date.parse(await tx.now)),
        method = null,
        note = null,
      } = body
      refuseValues([!isDate(paidOn) && ['paid_on', 'Send an existing date as YYYY-MM-DD.']])
      const paid = { amount, paidOn, method: method?.trim() || null, note: note?.trim() || null }
      await payInvoice(tx, params.id.toLowerCase(), { ...paid, by: operatorOf(input).name })
      return shown(tx, actor, params.id)
    },
  }),
]
