import { defineEntity, pii, required } from '../../catalogue/entity.ts'
import type { Field } from '../../catalogue/kind.ts'
import { currency, email, oneOf, phone, string, taxNumber } from '../../catalogue/kinds.ts'
import type { Importable } from '../../imports/importable.ts'
import { restrictedSql } from '../../imports/records/restricted.ts'
import { addressFields } from '../addresses.ts'
import { keepImportedNotes } from './commands/keep-imported-notes.ts'
import { composeName } from './customer-attributes.ts'
import { keptCustomers } from './kept-customers.ts'

const IMPORTED_NOTE = `(select n.body from customer_notes n where n.account_id = t.account_id and n.customer_id = t.id and n.source = 'import')`
const NOTE_MAXIMUM = 10_000

const notes: Field<string> = {
  ...pii(string(NOTE_MAXIMUM)),
  elsewhere: { print: IMPORTED_NOTE, show: IMPORTED_NOTE },
  note: 'Kept as one imported note of the customer, replaced when it changes.',
}

const entity = defineEntity({
  key: 'customers',
  label: 'Customers',
  model: 'Customer',
  scope: 'company',
  dependencyOrder: 1,
  mode: 'upsert',
  table: 'customers',
  merges: true,
  restricted: restrictedSql('t'),
  status: `case when t.active then 'active' else 'inactive' end`,
  statuses: ['active', 'inactive'],
  fields: {
    name: required(pii(string(200))),
    customer_type: { ...oneOf('individual', 'corporate'), default: 'individual' },
    email: pii(email),
    phone: pii(phone),
    legal_name: pii(string(200)),
    tax_number: pii(taxNumber),
    tax_office: pii(string(100)),
    ...addressFields,
    preferred_currency: currency,
    code: string(60),
    notes,
  },
  computed: { first_name: 'text', last_name: 'text' },
  sample: {
    rows: [
      {
        external_id: 'C-1001',
        name: 'Ayşe Yılmaz',
        customer_type: 'individual',
        email: 'ayse.yilmaz@example.com',
        phone: '+90 532 123 45 67',
        address_line: 'Bağdat Caddesi 101',
        address_district: 'Kadıköy',
        address_city: 'İstanbul',
        address_zip: '34710',
        preferred_currency: 'TRY',
        notes: 'Prefers window seats.',
      },
      {
        external_id: 'C-1002',
        name: 'Meridyen Lojistik',
        customer_type: 'corporate',
        legal_name: 'Meridyen Lojistik A.Ş.',
        email: 'seyahat@meridyen.example',
        phone: '+90 212 444 12 12',
        tax_number: '1234567890',
        tax_office: 'Beşiktaş',
        code: 'MERIDYEN',
      },
    ],
  },
})

export const customers: Importable = {
  entity,
  rules: () => ({
    complete: (record) => ({
      columns: { first_name: null, last_name: null, ...composeName(record, { name: record.name }) },
      children: [],
      errors: [],
      warnings: [],
    }),
    amend(stored, wanted) {
      const names = 'name' in wanted ? composeName({ ...stored, ...wanted }, { name: wanted.name }) : {}
      return { changes: { ...wanted, ...names }, errors: [], warnings: [] }
    },
  }),
  settle: keepImportedNotes,
  undo: keptCustomers,
}
