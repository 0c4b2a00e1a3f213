import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { updateCompany } from '../../src/features/accounts/commands/save-company.ts'
import { setLastNumber } from '../../src/features/documents/commands/set-last-number.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { clockedDatabase } from '../harness/database-clock.ts'
import { ask } from '../harness/sql.ts'

type Document = {
  readonly type: string
  readonly number: string
  readonly invoice_date: string
  readonly issued_on: string
  readonly due_on: string
  readonly tax_point_on: string
}
const RUNS = 12
const TERMS_DAYS = 14
const FIRST_DAY = '2026-12-20'

let cell: TestCell
let setClock: (at: string | null) => Promise<void>
beforeAll(async () => {
  const { connection, set } = await clockedDatabase()
  setClock = set
  cell = await startCell({ connection, deps: { count: uncounted } })
})

const dayAfter = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()
const setToday = (day: string) => setClock(`${day}T09:00:00Z`)
const stay = (external_id: string, invoice_date: string | null) => ({
  external_id,
  customer_external_id: 'C',
  check_in_on: '2027-07-10',
  check_out_on: '2027-07-14',
  status: 'confirmed',
  invoice_date,
  sell_lines: [{ kind: 'room_rate', amount: '100.00', vat_rate: '10' }],
})
async function newAgency(backdate_invoices: boolean): Promise<Agency> {
  await setToday(FIRST_DAY)
  const agency = await makeAgency(cell)
  await change(agency, { backdate_invoices, payment_terms_days: TERMS_DAYS })
  await importRows(cell, agency.key, 'customers', [{ external_id: 'C', name: 'Ayşe' }])
  return agency
}
const change = ({ number, company }: Agency, changed: Parameters<typeof updateCompany>[2]) =>
  cell.deps.db.inAccount(number, (tx) => updateCompany(tx, company.id, changed))
const bring = ({ number, company }: Agency, last: string) =>
  cell.deps.db.inAccount(number, (tx) => setLastNumber(tx, company.id, last))
const documentsOf = ({ number }: Agency) =>
  ask<Document>(
    cell,
    `select i.document_type as type, i.number, b.invoice_date::text, i.issued_on::text, i.due_on::text, i.tax_point_on::text
     from customer_invoices i join bookings b on b.account_id = i.account_id and b.id = i.booking_id
     where i.account_id = $1 order by i.number`,
    [number],
  )

/** Invoice dates from a month back to a week ahead, cancellations, and days that pass, over the turn of a year. */
const step = fc.record({
  passed: fc.integer({ min: 0, max: 9 }),
  invoiced: fc.array(fc.integer({ min: -30, max: 7 }), { maxLength: 4 }),
  cancelled: fc.option(fc.nat({ max: 9 })),
})

describe('customer documents', () => {
  it('are numbered without a gap in the order of their dates, none of them after today', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 2, maxLength: 5 }), async (backdates, steps) => {
        const agency = await newAgency(backdates)
        let [today, count] = [FIRST_DAY, 0]
        const posted = new Map<string, string>()
        for (const { passed, invoiced, cancelled } of steps) {
          today = dayAfter(today, passed)
          await setToday(today)
          const rows = invoiced.map((days) => stay(`A${count++}`, dayAfter(today, days)))
          if (rows.length > 0) await importRows(cell, agency.key, 'hotel_stays', rows)
          const some = [{ external_id: `A${cancelled}`, status: 'cancelled' }]
          if (cancelled !== null && cancelled < count)
            await importRows(cell, agency.key, 'hotel_stays', some, { on_conflict: 'update' })
          for (const { number } of await documentsOf(agency)) if (!posted.has(number)) posted.set(number, today)
        }
        const documents = await documentsOf(agency)
        for (const [series, own] of Map.groupBy(documents, ({ number }) => number.slice(0, -7))) {
          expect(own.map(({ number }) => number)).toEqual(
            own.map((_, at) => `${series}-${String(at + 1).padStart(6, '0')}`),
          )
          const dates = own.map(({ issued_on }) => issued_on)
          expect(dates).toEqual(dates.toSorted())
        }
        for (const { type, number, invoice_date, issued_on, due_on, tax_point_on } of documents) {
          const on = posted.get(number) as string
          expect([number, number.split('-')[1]]).toEqual([number, issued_on.slice(0, 4)])
          expect([number, issued_on <= on]).toEqual([number, true])
          if (type === 'credit_note') {
            expect([number, issued_on, tax_point_on]).toEqual([number, on, on])
            continue
          }
          expect([number, due_on]).toEqual([number, dayAfter(issued_on, TERMS_DAYS)])
          expect([number, tax_point_on]).toEqual([number, invoice_date < on ? invoice_date : on])
          if (issued_on !== on) expect([number, backdates, issued_on]).toEqual([number, true, invoice_date])
        }
      }),
      { numRuns: RUNS },
    )
  })
  it('take the invoice date of the past where the company backdates and no later number exists', async () => {
    const agency = await newAgency(true)
    const send = (id: string, day: string) => importRows(cell, agency.key, 'hotel_stays', [stay(id, day)])
    await send('A', '2026-12-01')
    await send('B', '2026-12-10')
    await send('C', '2026-12-05') // B has a later number
    await send('D', '2025-12-31') // the first of its year
    expect((await documentsOf(agency)).map(({ number, issued_on }) => [number, issued_on])).toEqual([
      ['INV-2025-000001', '2025-12-31'],
      ['INV-2026-000001', '2026-12-01'],
      ['INV-2026-000002', '2026-12-10'],
      ['INV-2026-000003', FIRST_DAY],
    ])
  })
  it('go on from the last number that a company brings, which it may do until the first document', async () => {
    const agency = await newAgency(false)
    await bring(agency, 'INV-2026-004710')
    await bring(agency, 'INV-2026-004711')
    await importRows(cell, agency.key, 'hotel_stays', [stay('A', FIRST_DAY)])
    expect((await documentsOf(agency)).map(({ number }) => number)).toEqual(['INV-2026-004712'])
    await expect(bring(agency, 'INV-2026-000001')).rejects.toThrow('already has documents in INV-2026')
    await expect(bring(agency, '4711')).rejects.toThrow('Use the form INV-2026-000123')
  })
  it('of a process of the former version have their tax point, and keep the order of those after them', async () => {
    const agency = await newAgency(true)
    await importRows(cell, agency.key, 'hotel_stays', [stay('A', '2026-12-01')])
    // What the former version sent: without `tax_point_on` and `last_on`.
    await ask(
      cell,
      `with counter as (
         update document_counters set last = last + 1 where account_id = $1 and series = 'INV' returning company_id, year, last
       )
       insert into customer_invoices (account_id, company_id, document_type, number, booking_id, customer_id, currency, issued_on,
         due_on, lines, net, vat, gross)
       select i.account_id, i.company_id, 'invoice', document_number('INV', c.year, c.last), i.booking_id, i.customer_id, 'XTS',
         '2026-12-15', '2026-12-15', i.lines, i.net, i.vat, i.gross
       from customer_invoices i join counter c using (company_id) where i.account_id = $1`,
      [agency.number],
    )
    await importRows(cell, agency.key, 'hotel_stays', [stay('B', '2026-12-10')])
    expect((await documentsOf(agency)).map(({ issued_on, tax_point_on }) => [issued_on, tax_point_on])).toEqual([
      ['2026-12-01', '2026-12-01'],
      ['2026-12-15', '2026-12-15'],
      [FIRST_DAY, '2026-12-10'],
    ])
    await expect(bring(agency, 'INV-2026-000001')).rejects.toThrow('already has documents in INV-2026')
  })
})
