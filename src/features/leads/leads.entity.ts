import { defineEntity, pii, required } from '../../catalogue/entity.ts'
import { commaList, currency, email, integer, money, oneOf, phone, string, term } from '../../catalogue/kinds.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import type { Importable } from '../../imports/importable.ts'
import type { Amendment, Stored } from '../../imports/rules.ts'
import { customerReference } from '../references.ts'
import { keepImportedMoves } from './commands/keep-imported-moves.ts'
import { keptLeads } from './kept-leads.ts'
import { restrictedLeadSql } from './restricted-lead.ts'
import { STAGES } from './stages.ts'

const entity = defineEntity({
  key: 'leads',
  label: 'Leads',
  model: 'Lead',
  scope: 'company',
  dependencyOrder: 2,
  mode: 'upsert',
  table: 'leads',
  restricted: restrictedLeadSql,
  status: 't.stage',
  statusField: 'stage',
  statuses: STAGES,
  summary: { customer: 'coalesce(t.customer_id, t.imported_customer_id)' },
  fields: {
    name: required(pii(string(200))),
    email: pii(email),
    phone: pii(phone),
    stage: { ...oneOf(...STAGES), default: 'inbox' },
    source: term('lead_source'),
    estimated_value: { ...money(), sees: 'money' },
    currency: { ...currency },
    party_size: integer(0, 100_000),
    destinations: { ...commaList(1000), default: '', note: 'Separated by commas.' },
    customer_external_id: customerReference('imported_customer_id'),
    notes: pii(string(10_000)),
  },
  computed: { stage_changed_at: 'timestamptz', converted_at: 'timestamptz' },
  sample: {
    rows: [
      {
        external_id: 'L-801',
        name: 'Deniz Aksoy',
        email: 'deniz.aksoy@example.com',
        phone: '+90 533 765 43 21',
        stage: 'qualified',
        source: 'referral',
        estimated_value: '85000.00',
        currency: 'TRY',
        party_size: 4,
        destinations: 'Roma, Floransa',
        customer_external_id: 'C-1001',
        notes: 'Honeymoon, flexible dates.',
      },
    ],
  },
})

export const leads: Importable = {
  entity,
  rules: (_tx, _rows, { now }) => ({
    complete: () => ({ columns: { stage_changed_at: now }, children: [], errors: [], warnings: [] }),
    amend: (stored, wanted) => amendLead(stored, wanted, now),
  }),
  settle: keepImportedMoves,
  undo: keptLeads,
}

/** An import may put a lead into any stage; that of a converted one stays. */
function amendLead(stored: Stored, wanted: Values, now: string): Amendment {
  const { stage, ...others } = wanted
  if (stage === undefined) return { changes: wanted, errors: [], warnings: [] }
  if (stored.converted_at === null) return { changes: { ...wanted, stage_changed_at: now }, errors: [], warnings: [] }
  const ignored = { at: 'stage', code: 'stage_ignored', message: 'The lead is converted and keeps its stage.' }
  return { changes: others, errors: [], warnings: [ignored] }
}
