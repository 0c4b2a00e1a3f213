import { defineEntity } from '../../catalogue/entity.ts'
import { oneOf } from '../../catalogue/kinds.ts'
import { commaList } from '../../catalogue/lists.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import type { Amendment, Importable, Stored } from '../../imports/importable.ts'
import { customerReference, linkedCustomer } from '../customers/reads/customer-reference.ts'
import { keepImportedMoves } from './commands/keep-imported-moves.ts'
import { leadAttributes } from './lead-attributes.ts'
import { leadsThatStay } from './leads.store.ts'
import { leadCustomerSql, restrictedLeadSql } from './reads/restricted-lead.ts'
import { STAGES } from './stages.ts'

const entity = defineEntity({
  key: 'leads',
  label: 'Leads',
  model: 'Lead',
  scope: 'company',
  dependencyOrder: 2,
  mode: 'upsert',
  table: 'leads',
  restricted: restrictedLeadSql('t'),
  status: 't.stage',
  statusField: 'stage',
  statuses: STAGES,
  summary: { customer: linkedCustomer(leadCustomerSql('t')) },
  fields: {
    name: leadAttributes.name,
    email: leadAttributes.email,
    phone: leadAttributes.phone,
    stage: { ...oneOf(...STAGES), default: 'inbox' },
    source: leadAttributes.source,
    estimated_value: leadAttributes.estimated_value,
    currency: leadAttributes.currency,
    party_size: leadAttributes.party_size,
    destinations: { ...commaList(1000), default: '', note: 'Separated by commas.' },
    customer_external_id: customerReference('imported_customer_id'),
    notes: leadAttributes.notes,
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
    complete: () => ({ columns: { stage_changed_at: now } }),
    amend: (stored, changes) => amendLead(stored, changes, now),
  }),
  afterWrite: keepImportedMoves,
  revert: { stays: leadsThatStay },
}

/** An import may put a lead into any stage; a converted one keeps its stage. */
function amendLead(stored: Stored, changes: Values, now: string): Amendment {
  const { stage, ...others } = changes
  if (stage === undefined) return { changes }
  if (stored.converted_at === null) return { changes: { ...changes, stage_changed_at: now } }
  const ignored = { at: 'stage', code: 'stage_ignored', message: 'The lead is converted and keeps its stage.' }
  return { changes: others, warnings: [ignored] }
}
