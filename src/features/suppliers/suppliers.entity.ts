import { addressFields } from '../../catalogue/address-fields.ts'
import { defineEntity, required } from '../../catalogue/entity.ts'
import { email, oneOf, phone, string, taxNumber } from '../../catalogue/kinds.ts'
import type { Importable, Revert } from '../../imports/importable.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

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

/** A supplier that something alive refers to stays when the import that made it is taken back. */
const stays: Revert['stays'] = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  { id: pg.uuid, reason: pg.text },
  `
  select key.id, r.reason from unnest($ids::uuid[]) as key(id) cross join lateral (
    select case
      when exists (select from bookings b where b.account_id = $account and b.supplier_id = key.id and b.deleted_at is null)
        then 'has_bookings'
      when exists (select from tour_departures d where d.account_id = $account and d.supplier_id = key.id and d.deleted_at is null)
        then 'has_departures'
      when exists (select from supplier_bills b where b.account_id = $account and b.supplier_id = key.id and b.deleted_at is null)
        or exists (select from operator_invoices i where i.account_id = $account and i.supplier_id = key.id and i.deleted_at is null)
        then 'has_documents'
      when exists (select from trip_segments s where s.account_id = $account and s.supplier_id = key.id)
        or exists (select from share_links l where l.account_id = $account and l.supplier_id = key.id)
        then 'has_trips'
    end as reason
  ) r where r.reason is not null`,
)

export const suppliers: Importable = { entity, revert: { stays } }
