import { addressFields } from '../../catalogue/address-fields.ts'
import { defineEntity, required } from '../../catalogue/entity.ts'
import { email, oneOf, phone, string, taxNumber } from '../../catalogue/kinds.ts'
import type { Importable } from '../../imports/importable.ts'
import { suppliersThatStay } from './suppliers.store.ts'

const supplierType = oneOf(
  'other',
  'airline',
  'hotel',
  'dmc',
  'cruise',
  'tour_operator',
  'insurance',
  'activity',
  'transfer',
  'rail',
  'car_rental',
  'consolidator',
  'gds',
  'visa',
  'charter',
  'agency',
  'catering',
  'technical',
  'production',
  'decoration',
  'venue',
  'photo_video',
  'entertainment',
  'security',
  'staffing',
)

const entity = defineEntity({
  key: 'suppliers',
  label: 'Suppliers',
  model: 'Supplier',
  scope: 'account',
  dependencyOrder: 1,
  mode: 'upsert',
  table: 'suppliers',
  status: `case when t.active then 'active' else 'inactive' end`,
  statuses: ['active', 'inactive'],
  fields: {
    name: required(string(200)),
    supplier_type: { ...supplierType, default: 'other' },
    code: { ...string(60), note: 'Bookings can reference the supplier by this code.' },
    iata_code: string(20),
    email,
    phone,
    country_code: { ...string(2), note: 'ISO 3166-1 alpha-2.' },
    tax_number: taxNumber,
    tax_office: string(100),
    ...addressFields,
    website: string(300),
  },
  sample: {
    rows: [
      {
        external_id: 'S-501',
        name: 'Grand Ege Resort',
        supplier_type: 'hotel',
        code: 'EGE',
        email: 'reservations@grandege.example',
        phone: '+90 252 316 10 10',
        country_code: 'TR',
        tax_number: '1234567890',
        address_line: 'Torba Mahallesi 12',
        address_city: 'Bodrum',
        website: 'https://grandege.example',
      },
    ],
  },
})

export const suppliers: Importable = { entity, revert: { stays: suppliersThatStay } }
