import { entities } from '../../src/registry.ts'
import { type Agency, importRows } from './agency.ts'
import type { TestCell } from './cell.ts'
import { restrictTagOf } from './settings.ts'

const stay = (nth: number, more: object) => ({
  external_id: `H${nth}`,
  check_in_on: `2026-03-${10 + nth}`,
  check_out_on: `2026-03-${20 + nth}`,
  transaction_date: '2026-03-02',
  sell_lines: [{ kind: 'room', amount: `${100 * nth}.5`, vat_rate: '20' }],
  cost_lines: [{ kind: 'room', amount: `${60 * nth}` }],
  ...more,
})
const ROWS: readonly (readonly [entity: string, rows: readonly object[]])[] = [
  [
    'customers',
    [
      {
        external_id: 'C2',
        name: 'Çağrı %_ Işık',
        email: 'cagri@example.com',
        customer_type: 'corporate',
        address_city: 'İzmir',
      },
      { external_id: 'C3', name: "O'Hara", phone: '+90 532 123 45 67', notes: 'VIP' },
    ],
  ],
  [
    'hotel_stays',
    [
      stay(1, {
        customer_external_id: 'C',
        supplier_external_id: 'S',
        currency: 'EUR',
        guest_count: 2,
        status: 'confirmed',
      }),
      stay(2, {
        customer_external_id: 'C3',
        supplier_external_id: 'S',
        currency: 'TRY',
        assigned_to_email: 'advisor@agency.example',
      }),
      stay(3, {
        customer_external_id: 'C2',
        currency: 'EUR',
        guest_count: 1,
        notes: 'Late %',
        transaction_date: '2026-03-03',
      }),
      stay(4, { currency: 'USD', status: 'option', option_date: '2026-04-01' }),
      stay(5, { customer_external_id: 'C', currency: 'TRY', status: 'confirmed', invoice_date: '2026-03-05' }),
    ],
  ],
  [
    'leads',
    [
      {
        external_id: 'L1',
        name: 'Ali',
        estimated_value: '1000',
        currency: 'EUR',
        destinations: 'Roma, Paris',
        customer_external_id: 'C3',
      },
      { external_id: 'L2', name: 'Veli', stage: 'qualified', party_size: 3, estimated_value: '5', currency: 'TRY' },
    ],
  ],
  [
    'supplier_bills',
    [
      {
        external_id: 'B1',
        bill_number: '1',
        supplier_external_id: 'S',
        issued_on: '2026-03-01',
        currency: 'EUR',
        total_amount: '119',
        paid_amount: '19',
        status: 'open',
      },
    ],
  ],
  ['tickets', entities.find(({ entity }) => entity.key === 'tickets')?.entity.sample.rows ?? []],
]

/**
 * Fills an agency with rows that another one may have as well, so that a record could be taken for one of the other's.
 * The customer `C3` carries a restricted tag. The customer `C` and the supplier `S` are there already.
 */
export async function fillAlike(cell: TestCell, { number, key }: Agency): Promise<void> {
  for (const [entity, rows] of ROWS) {
    const made = await importRows(cell, key, entity, [...rows])
    const [failed] = made.rows.filter(({ status }) => status !== 'created')
    if (failed) throw new Error(`${entity}: ${JSON.stringify(failed)}`)
    if (entity !== 'customers') continue
    const path = `/customers/${made.rows.find(({ external_id }) => external_id === 'C3')?.id}`
    await cell.call('PATCH', path, { key, body: { customer: { tags: ['vip'] } } })
  }
  await restrictTagOf(cell, number, 'vip')
}
