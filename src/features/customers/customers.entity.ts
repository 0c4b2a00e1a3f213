import { addressFields } from '../../catalogue/address-fields.ts'
import { defineEntity, pii, required } from '../../catalogue/entity.ts'
import type { Field } from '../../catalogue/kind.ts'
import { currency, string } from '../../catalogue/kinds.ts'
import type { Importable } from '../../imports/importable.ts'
import { keepImportedNotes } from './commands/keep-imported-notes.ts'
import { composeName, customerAttributes } from './customer-attributes.ts'
import { customersThatStay } from './customers.store.ts'
import { NOTE_MAXIMUM } from './note-attributes.ts'
import { restrictedSql } from './reads/restricted.ts'

const IMPORTED_NOTE = `(select n.body from customer_notes n where n.account_id = t.account_id and n.customer_id = t.id and n.source = 'import')`

const notes: Field<string> = {
  ...pii(string(NOTE_MAXIMUM)),
  elsewhere: { print: IMPORTED_NOTE, show: IMPORTED_NOTE },
  note: 'Stored as one imported note of the customer, which later imports replace.',
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
    name: required(customerAttributes.name),
    customer_type: customerAttributes.customer_type,
    email: customerAttributes.email,
    phone: customerAttributes.phone,
    legal_name: customerAttributes.legal_name,
    tax_number: customerAttributes.tax_number,
    tax_office: customerAttributes.tax_office,
    ...addressFields,
    preferred_currency: currency,
    code: customerAttributes.code,
    notes,
  },
  computed: { first_name: 'text', last_name: 'text' },
  computedMarks: { first_name: { pii: true }, last_name: { pii: true } },
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
    }),
    amend(stored, changes) {
      const names = 'name' in changes ? composeName({ ...stored, ...changes }, { name: changes.name }) : {}
      return { changes: { ...changes, ...names } }
    },
  }),
  afterWrite: keepImportedNotes,
  revert: { stays: customersThatStay },
}
