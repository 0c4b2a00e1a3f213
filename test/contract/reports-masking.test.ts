import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { BUILT_IN_ROLES, type Policies, type Policy } from '../../src/platform/access/policies.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { filtersOf, queryOf, type Report, runReport } from '../harness/reports.ts'
import { saveRoleOf } from '../harness/settings.ts'
import { undeclared } from '../harness/undeclared.ts'

/** Reports without a secret, and those of what this book has not. */
const OTHERWISE_TESTED = ['departures_load', 'bsp_reconciliation', 'unused_tickets']
const GROUPS = ['customer']
const YEARS = { from: '2026-01-01', to: '2027-12-31' }
/** What a role may not see: the links of amounts between bookings, identities, and restricted customers. */
type Secrets = {
  readonly sell: number
  readonly cost: number
  readonly person: string
  readonly vip: string
}
const BOOK: Secrets = { sell: 1, cost: 1, person: 'Ada', vip: 'Bea' }

/** The policies needed to see them. */
const NEEDS: Readonly<Record<keyof Secrets, readonly Policy[]>> = {
  sell: ['view_money'],
  cost: ['view_money', 'view_costs'],
  person: ['view_personal_data'],
  vip: ['view_personal_data', 'view_restricted_customers'],
}
/** Those built in, and some of an agency's own. */
const OWN = { costs_alone: ['view_costs'], money_alone: ['view_money'], people_alone: ['view_personal_data'] } as const
const ROLES: ReadonlyMap<string, Policies> = new Map([
  ...Object.entries(BUILT_IN_ROLES).filter(([role]) => role !== 'owner'),
  ...Object.entries(OWN).map(([role, sees]) => [role, new Set<Policy>([...sees, 'view_reports'])] as const),
])

const restrict = undeclared<{ account: number }, never>(
  `insert into restricted_tags (account_id, name) values ($account, 'vip')`,
)
const mark = undeclared<{ account: number; id: string; birthday: string; tags: string[] }, never>(
  'update customers set tags = $tags, birthday = $birthday::date where account_id = $account and external_id = $id',
)

describe('what a role may not see', () => {
  let cell: TestCell
  let presets: { key: string; filters: { key: string; options?: string[] }[] }[]
  let book: Agency
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    book = await bookOf(BOOK)
    presets = ((await cell.call('GET', '/reports', book)).body as { data: typeof presets }).data
  })

  const bookOf = async (secrets: Secrets): Promise<Agency> => {
    const agency = await makeAgency(cell)
    await makeBook(cell, agency, secrets)
    for (const [name, sees] of Object.entries(OWN))
      await saveRoleOf(cell, agency.number, name, [...sees, 'view_reports'])
    return agency
  }
  /** Everything in the reports of a role for a book; ids by their ordinal. */
  async function reportsOf(role: string, agency: Agency): Promise<Map<string, string>> {
    const { key } = await agency.makeKey({ role })
    const asked = presets.flatMap(({ key: id, filters }) => {
      const groups = filters.find((filter) => filter.key === 'group_by')?.options ?? []
      return [null, ...GROUPS.filter((group) => groups.includes(group))].map(
        (group_by) => [id, group_by, filters] as const,
      )
    })
    const answers = asked.map(async ([id, group_by, filters]): Promise<[string, string]> => {
      const query = queryOf(filtersOf({ filters }, { ...YEARS, group_by }))
      const { rows, groups, totals, summary, pagination } = await runReport(cell, key, id, `${query}&limit=3`)
      const { text } = group_by ? { text: '' } : await cell.call('GET', `/reports/${id}.csv?${query}`, { key })
      const answer = JSON.stringify([rows, groups, totals, summary, pagination?.has_more, text])
      return [`${id} by ${group_by}`, withoutIds(answer)]
    })
    return new Map([...(await Promise.all(answers)), ...(await answersByDefinition(key, agency))])
  }
  /** The responses of custom reports, with every sort and group. */
  async function answersByDefinition(key: string, agency: Agency): Promise<[string, string][]> {
    const answers = DEFINITIONS.map(async (definition): Promise<[string, string]> => {
      const body = { saved_report: { name: 'Own', definition } }
      const saved = await cell.call('POST', '/saved_reports', { key: agency.key, body })
      const { id } = (saved.body as { data: { id: string } }).data
      const { body: report } = await cell.call('GET', `/saved_reports/${id}?limit=3`, { key })
      const { rows, groups, totals, summary, pagination } = report as Report
      const answer = JSON.stringify([rows, groups, totals, summary, pagination?.has_more])
      return [`${definition.entity} by ${definition.sort[0]?.field}`, withoutIds(answer)]
    })
    return Promise.all(answers)
  }
  /** Reports that show other sensitive data in a different way. */
  async function differing(role: string, other: Partial<Secrets>): Promise<string[]> {
    const [one, another] = [await reportsOf(role, book), await reportsOf(role, await bookOf({ ...BOOK, ...other }))]
    return [...one].flatMap(([report, answer]) => (another.get(report) === answer ? [] : report))
  }

  it('changes nothing in any report: no row, no order, no group, no total', async () => {
    const other = fc.record({
      sell: fc.integer({ min: -9, max: 9 }),
      cost: fc.integer({ min: -9, max: 9 }),
      person: fc.constantFrom('Ada', 'Zoe'),
      vip: fc.constantFrom('Bea', 'Yan'),
    })
    const opposite = { sell: -1, cost: -1, person: 'Zoe', vip: 'Yan' }
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ROLES.keys()), other, async (role, secrets) => {
        const sees = ROLES.get(role) as Policies
        const masked = Object.entries(secrets).filter(
          ([name]) => !NEEDS[name as keyof Secrets].every((each) => sees.has(each)),
        )
        expect([role, await differing(role, Object.fromEntries(masked))]).toEqual([role, []])
      }),
      {
        numRuns: 5,
        endOnFailure: true,
        examples: ['viewer', 'marketing', 'advisor', 'admin'].map((role) => [role, opposite]),
      },
    )
  })
  it('is there for the owner', async () => {
    const differ = await differing('owner', { sell: -1, cost: -1, person: 'Zoe', vip: 'Yan' })
    const same = presets.filter(({ key }) => !differ.includes(`${key} by null`)).map(({ key }) => key)
    expect(same.filter((key) => !OTHERWISE_TESTED.includes(key))).toEqual([])
  })
})

const DEFINITIONS = [
  { entity: 'hotel_stays', columns: ['customer', 'sell_total', 'cost_total'], sort: [{ field: 'sell_total' }] },
  { entity: 'hotel_stays', columns: ['cost_total'], group_by: 'customer', sort: [{ field: 'cost_total' }] },
  { entity: 'customers', columns: ['name', 'email'], group_by: 'name', sort: [{ field: 'name' }] },
  { entity: 'leads', columns: ['estimated_value'], sort: [{ field: 'estimated_value', direction: 'desc' }] },
  { entity: 'supplier_bills', columns: ['total_amount'], sort: [{ field: 'total_amount' }] },
]

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
function withoutIds(text: string): string {
  const seen = new Map<string, number>()
  return text.replace(UUID, (id) => {
    const nth = seen.get(id) ?? seen.size
    seen.set(id, nth)
    return `#${nth}`
  })
}

const BORN: Readonly<Record<string, string>> = {
  Ada: '1980-05-01',
  Bea: '1981-06-02',
  Zoe: '1982-01-31',
  Yan: '1983-12-24',
}
const dayOf = (who: string, year: string) => BORN[who]?.replace(/^\d{4}/, year)
/** A traveller of a customer, with all identifying data. */
const traveler = (who: string) => ({
  first_name: who,
  last_name: `${who}son`,
  date_of_birth: BORN[who],
  passport_number: `U${who}`,
  passport_expiry: dayOf(who, '2027'),
})

/** A book in which customers, one of them behind a tag, buy stays and tickets, hold options, and come in as leads. */
async function makeBook(cell: TestCell, { key, number }: Agency, { sell, cost, person, vip }: Secrets): Promise<void> {
  // One by one, so that the ids of both books are in the same order.
  const send = async (entity: string, rows: object[]) => {
    for (const row of rows) {
      const { rows: outcomes } = await importRows(cell, key, entity, [row])
      expect(outcomes.flatMap(({ errors }) => errors)).toEqual([])
    }
  }
  const names = { C1: person, C2: vip, C3: `The other ${person}` }
  await send(
    'customers',
    Object.entries(names).map(([external_id, name]) => ({
      external_id,
      name,
      email: `${external_id}.${name.at(-1)}@a.example`,
    })),
  )
  await cell.deps.db.inAccount(number, async (tx) => {
    await tx.all(restrict, {})
    await tx.all(mark, { id: 'C1', birthday: String(BORN[person]), tags: [] })
    await tx.all(mark, { id: 'C2', birthday: String(BORN[vip]), tags: ['vip'] })
  })
  await send('suppliers', [
    { external_id: 'S1', name: 'Hotel', address_city: `${person}ville`, country_code: 'TR' },
    { external_id: 'S2', name: 'Airline', country_code: 'DE' },
  ])
  const common = (at: number) => ({
    external_id: `B${at}`,
    customer_external_id: `C${(at % 3) + 1}`,
    supplier_external_id: `S${(at % 2) + 1}`,
    assigned_to_email: at % 2 ? 'advisor@agency.example' : null,
    currency: 'TRY',
    transaction_date: '2026-04-01',
  })
  const who = (at: number) => (at % 3 === 1 ? vip : person)
  await send(
    'hotel_stays',
    Array.from({ length: 9 }, (_, at) => ({
      ...common(at),
      status: at > 6 ? 'option' : 'confirmed',
      option_date: '2026-05-05',
      invoice_date: at < 5 ? '2026-04-02' : null,
      check_in_on: '2026-05-01',
      check_out_on: '2026-05-02',
      travelers: [traveler(who(at))],
      sell_lines: [{ kind: 'room_rate', amount: String(1000 + sell * at), vat_rate: '10' }],
      cost_lines: [{ kind: 'room_rate', amount: String(500 + cost * at), vat_rate: '10' }],
    })),
  )
  await importRows(cell, key, 'hotel_stays', [{ external_id: 'B0', status: 'cancelled' }], { on_conflict: 'update' })
  await send(
    'tickets',
    Array.from({ length: 5 }, (_, at) => ({
      ...common(at),
      status: 'issued',
      passengers: [
        {
          ...traveler(who(at)),
          ticket_number: `235-${who(at) === 'Ada' || who(at) === 'Bea' ? 10 + at : 90 - at}00000000`,
          issued_on: '2026-04-01',
          base_fare: String(300 + sell * at),
          service_fee: String(30 - sell * at),
          commission_amount: String(20 + cost * at),
        },
      ],
    })),
  )
  const document = (at: number) => ({
    supplier_external_id: `S${(at % 2) + 1}`,
    issued_on: '2026-04-03',
    due_on: '2026-05-03',
    currency: 'TRY',
    status: 'open',
    net_amount: String(600 + cost * at),
    total_amount: String(720 + cost * at),
  })
  const numbers = [0, 1, 2]
  await send(
    'supplier_bills',
    numbers.map((at) => ({ external_id: `S${at}`, bill_number: `S-${at}`, ...document(at), vat_amount: '120' })),
  )
  await send(
    'operator_invoices',
    numbers.map((at) => ({
      external_id: `O${at}`,
      invoice_number: `O-${at}`,
      ...document(at),
      commission_amount: String(50 + cost * at),
    })),
  )
  await send(
    'leads',
    Array.from({ length: 3 }, (_, at) => ({
      external_id: `L${at}`,
      name: `${person} ${at}`,
      currency: 'TRY',
      estimated_value: sell < 0 && at === 2 ? null : String(5000 + sell * at * at),
    })),
  )
}
