import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { importBilling } from '../../src/features/bsp/commands/import-billing.ts'
import { describePreset } from '../../src/features/reports/catalogue.ts'
import { maySee } from '../../src/features/reports/preset.ts'
import { BUILT_IN_ROLES, type Policies } from '../../src/platform/access/policies.ts'
import { reportSources } from '../../src/registry.ts'
import { billingOf, salesOf, story } from '../bsp/writers/books.ts'
import { writeHot } from '../bsp/writers/hot.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import type { TestCell } from '../harness/cell.ts'
import { DAYS, financeBook, keepFinanceBook, startFinanceCell } from '../harness/finance-book.ts'
import { type Compared, type Known, maskedFor } from '../harness/masked-report.ts'
import { filtersOf, queryOf, type Report, runReport } from '../harness/reports.ts'
import { saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'

const RUNS = 2
/** The policies of a role decide what is masked; any set of these may be a custom role. */
const SEES = ['view_money', 'view_costs', 'view_personal_data', 'view_restricted_customers'] as const
/** The built-in roles below the owner, one of those that see alike. */
const ROLES = new Map(
  Object.entries(BUILT_IN_ROLES).map(([role, policies]) => [SEES.filter((each) => policies.has(each)).join(), role]),
)
  .values()
  .toArray()
const YEARS = { from: '2026-01-01', to: '2027-12-31' }

const maybe = <T>(...values: T[]) => fc.constantFrom(null, ...values)
const lead = fc.record({
  source: fc.constantFrom('website', 'referral'),
  currency: maybe('TRY', 'EUR'),
  estimated_value: maybe('5000', '120.50'),
})
const seat = fc.record({
  status: fc.constantFrom('option', 'confirmed', 'in_progress', 'completed', 'no_show', 'cancelled'),
  guest_count: fc.integer({ min: 1, max: 4 }),
})
/** Data besides the finance books: restricted customers, options, seats, leads and BSP billings. */
const book = fc.record({
  finance: financeBook,
  options: fc.array(fc.record({ customer: fc.constantFrom('C1', 'C2'), supplier: fc.constantFrom('S1', 'S2', 'S3') }), {
    minLength: 1,
    maxLength: 4,
  }),
  leads: fc.array(lead, { minLength: 2, maxLength: 6 }),
  seats: fc.array(seat, { minLength: 1, maxLength: 5 }),
  stories: fc.array(story, { minLength: 3, maxLength: 8 }),
})
type Book = typeof book extends fc.Arbitrary<infer B> ? B : never
const asked = fc.record({
  as_of: fc.constantFrom(...DAYS),
  currency: maybe('TRY'),
  /** Which of its groupings a report is asked for. */
  nth: fc.nat({ max: 8 }),
  own: fc.subarray([...SEES]),
})

describe('a masked value', () => {
  let cell: TestCell
  let setClock: (at: string | null) => Promise<void>
  beforeAll(async () => {
    const started = await startFinanceCell()
    cell = started.cell
    setClock = started.setClock
  })

  it('is emptied, and changes no row, group, count or total beside', async () => {
    await fc.assert(
      fc.asyncProperty(book, asked, async (made, { nth, own, ...filters }) => {
        const agency = await makeAgency(cell)
        const known = await keep(agency, made)
        const roles = new Map<string, Policies>([
          ...ROLES.map((role) => [role, BUILT_IN_ROLES[role] as Policies] as const),
          ['own', new Set([...own, 'view_reports'])],
        ])
        await saveRoleOf(cell, agency.number, 'own', [...own, 'view_reports'])
        const owned = new Map<string, Promise<Report>>()
        const ownerOf = (id: string, query: string): Promise<Report> => {
          const key = `${id}?${query}`
          const report = owned.get(key) ?? runReport(cell, agency.key, id, query)
          owned.set(key, report)
          return report
        }
        for (const [role, policies] of roles) {
          const { key } = await agency.makeKey({ role })
          for (const preset of reportSources.presets) {
            const given = filtersOf(describePreset(preset, '2026-05-01', 'en'), { ...YEARS, ...filters })
            const group_by = Object.keys(preset.groupings ?? {})[nth]
            const grouping = group_by === undefined ? undefined : preset.groupings?.[group_by]
            const isMasked = !maySee(policies, grouping?.sensitive)
            const path = `/reports/${preset.key}?${queryOf({ ...given, group_by })}`
            if (isMasked) expect(await cell.call('GET', path, { key })).toMatchObject({ status: 403 })
            const grouped = { ...given, group_by: isMasked ? null : group_by }
            const found = await runReport(cell, key, preset.key, queryOf(grouped, '&limit=100'))
            const owner = await ownerOf(preset.key, queryOf(grouped, '&limit=100'))
            const wanted = maskedFor(preset, owner, policies, known)
            expect([role, preset.key, rows(found)]).toEqual([role, preset.key, rows(wanted)])
            expect([role, preset.key, found.summary]).toEqual([role, preset.key, wanted.summary])
            if (wanted.isPart) continue
            expect([role, preset.key, sums(found)]).toEqual([role, preset.key, sums(wanted)])
          }
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })
  it('is declared with each column that shows a destination, which may be the city of a supplier', () => {
    const columns = reportSources.presets.flatMap(({ columns }) => columns.destination ?? [])
    expect(columns.length).toBeGreaterThan(1)
    for (const column of columns) expect(column).toMatchObject({ sensitive: 'personal', partly: true })
  })
  it('is in no report where to be in it is itself the secret', () => {
    const secret = reportSources.presets.flatMap(({ key, presence }) => (presence ? [[key, presence]] : []))
    expect(Object.fromEntries(secret)).toEqual({
      receivables_aging: 'money',
      payables_aging: 'money',
      unbalanced_documents: 'money',
      commission_expected: 'cost',
      birthdays: 'personal',
      passport_expiry: 'personal',
    })
  })
  /** Rows and groups may come in another order, since an order by masked values would reveal them. */
  const sorted = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).toSorted()
  const rows = (of: Pick<Report, 'rows'>) => sorted(of.rows)
  const sums = ({ groups, totals, pagination }: Partial<Compared>) => [
    groups && sorted(groups.map(({ key, label, count, totals }) => ({ key, label, count, totals }))),
    totals,
    pagination,
  ]

  async function keep(agency: Agency, { finance, options, leads, seats, stories }: Book): Promise<Known> {
    const send = async (entity: string, sent: object[], more: object = {}) => {
      const { rows: outcomes } = await importRows(cell, agency.key, entity, sent, more)
      expect(outcomes.flatMap(({ errors }) => errors)).toEqual([])
    }
    await keepFinanceBook({ cell, setClock }, agency, finance)
    const places = { S1: ['Bodrum', 'TR'], S2: [null, 'DE'], S3: ['Antalya', 'TR'] }
    await send(
      'suppliers',
      Object.entries(places).map(([external_id, [address_city, country_code]]) => ({
        external_id,
        name: external_id,
        address_city,
        country_code,
      })),
      { on_conflict: 'update' },
    )
    await send(
      'hotel_stays',
      options.map(({ customer, supplier }, at) => ({
        external_id: `P${at}`,
        customer_external_id: customer,
        supplier_external_id: supplier,
        status: at % 2 ? 'option' : 'confirmed',
        option_date: '2026-06-01',
        transaction_date: '2026-04-02',
        check_in_on: '2026-07-01',
        check_out_on: '2026-07-02',
        currency: 'TRY',
        sell_lines: [{ kind: 'room_rate', amount: String(700 - at) }],
        travelers: [
          {
            first_name: 'Ada',
            last_name: customer,
            date_of_birth: '1980-05-01',
            passport_number: `U${customer}${at}`,
            passport_expiry: '2027-03-01',
          },
        ],
      })),
    )
    await send(
      'leads',
      leads.map((row, at) => ({ external_id: `L${at}`, name: `Lead ${at}`, ...row })),
    )
    await send('tour_departures', [{ external_id: 'D', title: 'Tour', starts_on: '2026-07-01', max_capacity: 40 }])
    await send(
      'tour_bookings',
      seats.map((row, at) => ({ external_id: `Q${at}`, tour_departure_external_id: 'D', ...row })),
    )
    await send('tickets', salesOf(stories))
    if (stories.some(({ billed }) => billed.length > 0))
      await importBilling(cell.deps.db, agency.number, {
        company: null,
        bytes: Buffer.from(writeHot(billingOf(stories))),
        filename: 'march.txt',
        csv: { map: new Map(), currency: null, periodOn: null },
      })
    const [hidden] = await ask<{ id: string; bookings: string[] }>(
      cell,
      `with tagged as (update customers set tags = '{vip}', birthday = '1981-06-02' where account_id = $1 and external_id = 'C2' returning id),
         restricted as (insert into restricted_tags (account_id, name) values ($1, 'vip'))
       select t.id, array(select b.id from bookings b where b.account_id = $1 and b.customer_id = t.id) as bookings from tagged t`,
      [agency.number],
    )
    return {
      hidden: String(hidden?.id),
      ofHidden: new Set(hidden?.bookings),
      cities: new Set(['Bodrum, TR', 'Antalya, TR']),
    }
  }
})
