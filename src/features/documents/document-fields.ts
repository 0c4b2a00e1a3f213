import { money } from '../../catalogue/amounts.ts'
import { required } from '../../catalogue/entity.ts'
import type { Field, Issue } from '../../catalogue/kind.ts'
import { oneOf } from '../../catalogue/kinds.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import type { Amendment, Stored } from '../../imports/importable.ts'
import { fixed } from '../../platform/money.ts'
import { supplierReference } from '../suppliers/reads/supplier-reference.ts'

export const STATUSES = ['draft', 'open', 'partially_paid', 'paid', 'disputed', 'void'] as const
/** The keys of the verticals, from the registry. */
export type BookingKeys = readonly string[]

/** An amount that a supplier states: what the agency pays. */
export const cost = { ...money(), sees: 'costs' } as const

/** What all brought-forward documents have. */
export const documentFields = {
  document_type: { ...oneOf('invoice', 'credit_note'), default: 'invoice' },
  supplier_external_id: required(supplierReference('error')),
  status: { ...oneOf(...STATUSES), default: 'draft' },
} satisfies Record<string, Field>

/** The open amount. */
export const balance: Field = {
  ...cost,
  elsewhere: {
    print: 'null',
    show: 'money_text(t.total_amount - coalesce(t.paid_amount, 0), t.currency)',
  },
}

/** A document moves freely, except out of void. */
export function amendDocument(stored: Stored, changes: Values): Amendment {
  const errors: Issue[] =
    stored.status === 'void' && changes.status !== undefined
      ? [
          {
            at: 'status',
            code: 'invalid_transition',
            message: 'A void document cannot be changed to another status.',
            allowed: [],
          },
        ]
      : []
  return { changes, errors }
}

/** Warns if a total differs from the sum of its parts, when all are given; subtracted parts are negative. */
export function disagrees(record: Values, whole: string, plus: readonly string[], minus: readonly string[]): Issue[] {
  if ([whole, ...plus, ...minus].some((name) => typeof record[name] !== 'string')) return []
  const amount = (name: string) => fixed(String(record[name]))
  const sum =
    plus.reduce((total, name) => total + amount(name), 0n) - minus.reduce((total, name) => total + amount(name), 0n)
  if (sum === amount(whole)) return []
  const formula = [...plus, ...minus.map((name) => `− ${name}`)].join(' + ').replaceAll('+ −', '−')
  return [{ at: whole, code: 'inconsistent', message: `The amount is not ${formula}. It was stored as sent.` }]
}
