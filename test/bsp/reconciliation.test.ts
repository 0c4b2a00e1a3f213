import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { importBilling } from '../../src/features/bsp/commands/import-billing.ts'
import { removeBilling } from '../../src/features/bsp/commands/remove-billing.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { queryOf, walkReport } from '../harness/reports.ts'
import { ask } from '../harness/sql.ts'
import { billingOf, numberOf, reconcile, type Story, salesOf, story } from './writers/books.ts'
import { type HotFile, writeHot } from './writers/hot.ts'

const MARCH = { from: '2026-03-01', to: '2026-03-31' }
const CSV = { map: new Map(), currency: null, periodOn: null }

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})
const bill = (agency: Agency, file: HotFile | string, company: string | null = null) =>
  importBilling(cell.deps.db, agency.number, {
    company,
    bytes: Buffer.from(typeof file === 'string' ? file : writeHot(file)),
    filename: 'march.txt',
    csv: CSV,
  })
const report = (agency: Agency, filters: Readonly<Record<string, string>> = MARCH, key = agency.key) =>
  walkReport(cell, key, 'bsp_reconciliation', queryOf(filters), 100)

/** Reports refunds like the printer. */
const sendRefunds = (agency: Agency, stories: readonly Story[]) =>
  ask(
    cell,
    `update tickets t set refunds = jsonb_build_array(
        jsonb_build_object('ticket_number', r.number, 'status', 'cancelled', 'refunded_on', '2026-03-01', 'total', '1.00'),
        jsonb_build_object('ticket_number', r.number, 'status', 'draft', 'refunded_on', r.day, 'total', r.total, 'commission_recall', r.recall))
     from json_to_recordset($2::json) as r(number text, day text, total text, recall text)
       join ticket_numbers n on n.account_id = $1 and n.number = r.number
     where t.account_id = $1 and t.id = n.booking_id`,
    [
      agency.number,
      JSON.stringify(
        stories.flatMap(({ books }, nth) =>
          books?.refund
            ? [
                {
                  number: numberOf(nth),
                  day: books.refund.day,
                  total: String(books.refund.total / 100),
                  recall: books.refund.recall === null ? null : String(books.refund.recall / 100),
                },
              ]
            : [],
        ),
      ),
    ],
  )

async function agencyOf(stories: readonly Story[]): Promise<Agency> {
  const agency = await makeAgency(cell)
  const rows = salesOf(stories)
  for (let at = 0; at < rows.length; at += 100) {
    const { counts } = await importRows(cell, agency.key, 'tickets', rows.slice(at, at + 100))
    expect(counts.failed).toBe(0)
  }
  await sendRefunds(agency, stories)
  if (stories.some(({ billed }) => billed.length > 0)) await bill(agency, billingOf(stories))
  return agency
}
const books = {
  channel: 'bsp',
  status: 'open',
  currency: 'EUR',
  day: '2026-03-02',
  fare: 24_000,
  tax: 7_840,
  commission: 720,
  refund: null,
} as const
const line = {
  code: 'TKTT',
  currency: 'EUR',
  day: '2026-03-02',
  total: 31_840,
  commission: 720,
  exchanged: 0,
  byConjunction: false,
}
const refund = { ...line, code: 'RFND', total: -31_840, commission: -720 }

const CASES: readonly [what: string, story: Story, buckets: string][] = [
  ['sold and billed alike', { books, billed: [line] }, 'matched'],
  ['billed for a cent more', { books, billed: [{ ...line, total: 31_841 }] }, 'matched'],
  ['billed for more', { books, billed: [{ ...line, total: 31_842 }] }, 'amount_variance'],
  ['billed with less commission', { books, billed: [{ ...line, commission: 700 }] }, 'commission_variance'],
  ['not billed', { books, billed: [] }, 'missing_in_bsp'],
  ['not sold', { books: null, billed: [line] }, 'missing_in_books'],
  ['a debit memo', { books: null, billed: [{ ...line, code: 'ADMA' }] }, 'missing_in_books'],
  ['sold and not by the BSP', { books: { ...books, channel: 'direct' }, billed: [line] }, 'missing_in_books'],
  ['billed by its further number', { books, billed: [{ ...line, byConjunction: true }] }, 'matched'],
  ['billed a day later', { books: { ...books, day: '2026-03-01' }, billed: [line] }, 'matched'],
  ['billed in another currency', { books, billed: [{ ...line, currency: 'TRY' }] }, 'amount_variance amount_variance'],
  ['paid by another in part', { books, billed: [{ ...line, total: 41_840, exchanged: 10_000 }] }, 'matched'],
  ['exchanged since', { books: { ...books, status: 'exchanged' }, billed: [line] }, 'matched'],
  [
    'void on both sides',
    { books: { ...books, status: 'void' }, billed: [{ ...line, code: 'CANX', total: 0, commission: 0 }] },
    'matched',
  ],
  ['void, and billed', { books: { ...books, status: 'void' }, billed: [line] }, 'amount_variance'],
  [
    'sold, and void by the airline',
    { books, billed: [{ ...line, code: 'CANX', total: 0, commission: 0 }] },
    'amount_variance',
  ],
  ['void and never billed', { books: { ...books, status: 'void' }, billed: [] }, ''],
  [
    'void by the airline and unknown',
    { books: null, billed: [{ ...line, code: 'CANX', total: 0, commission: 0 }] },
    '',
  ],
  ['refunded on both sides', { books: { ...books, status: 'refunded' }, billed: [line, refund] }, 'matched matched'],
  [
    'refunded by the books alone',
    { books: { ...books, status: 'refunded' }, billed: [line] },
    'missing_in_bsp matched',
  ],
  ['refunded by the airline alone', { books, billed: [line, refund] }, 'missing_in_books matched'],
  [
    'refunded in part',
    {
      books: { ...books, status: 'refunded', refund: { total: 20_000, recall: null, day: '2026-03-20' } },
      billed: [line, { ...refund, total: -20_000, day: '2026-03-20' }],
    },
    'matched matched',
  ],
  [
    'refunded after the period',
    {
      books: { ...books, status: 'refunded', refund: { total: 31_840, recall: 720, day: '2026-04-02' } },
      billed: [line],
    },
    'matched',
  ],
]

describe('the reconciliation of a period', () => {
  let rows: readonly Row[]
  beforeAll(async () => {
    rows = (await report(await agencyOf(CASES.map(([, one]) => one)))).rows
  })
  it.each(CASES.map(([what, one, buckets], nth) => [what, one, buckets, nth] as const))(
    'shows a document that is %s',
    (_, one, buckets, nth) => {
      const own = rows.filter(({ ticket_number }) => ticket_number === numberOf(nth))
      expect(own.map(({ bucket }) => bucket).join(' ')).toBe(buckets)
      expect(sorted(own.map(stripped))).toEqual(sorted(expectedOf([one], MARCH, 1, nth)))
    },
  )

  const WINDOWS = [
    { from: '2026-03-01', to: '2026-03-31' },
    { from: '2026-02-01', to: '2026-02-28' },
    { from: '2026-03-31', to: '2026-04-01' },
  ]
  it('agrees with a manual computation for every document, to the cent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(story, { minLength: 60, maxLength: 90 }),
        fc.constantFrom(...WINDOWS),
        fc.constantFrom(0, 1, 600),
        async (stories, window, tolerance) => {
          const agency = await agencyOf(stories)
          const { rows, pages } = await report(agency, { ...window, tolerance: (tolerance / 100).toFixed(2) })
          const expected = expectedOf(stories, window, tolerance)
          expect(sorted(rows.map(stripped))).toEqual(sorted(expected))
          for (const page of pages) {
            expect(page.summary).toMatchObject({ rows: rows.length, ...countsOf(expected) })
            expect(page.totals?.by_currency.map(({ currency, difference }) => [currency, difference])).toEqual(
              ['EUR', 'TRY']
                .filter((own) => expected.some(({ currency }) => currency === own))
                .map((own) => [own, sumOf(expected, own)]),
            )
          }
        },
      ),
      { numRuns: 4, endOnFailure: true },
    )
  })

  it('has each document in one period, whatever the day by which the books know it', async () => {
    const agency = await agencyOf([
      { books: { ...books, day: '2026-03-31' }, billed: [{ ...line, day: '2026-04-01' }] },
    ])
    expect((await report(agency)).rows).toEqual([])
    expect((await report(agency, { from: '2026-04-01', to: '2026-04-30' })).rows).toMatchObject([{ bucket: 'matched' }])
    const period = { date_basis: 'transaction', from: '2026-03-31', to: '2026-03-31' }
    expect((await report(agency, period)).rows).toMatchObject([
      { bucket: 'matched', day: '2026-03-31', period_on: '2026-03-31' },
    ])
  })

  it('knows a refund that came into the books as a document below zero', async () => {
    const agency = await agencyOf([])
    const passenger = { first_name: 'Ada', last_name: 'Su', ticket_number: numberOf(0), issued_on: '2026-03-02' }
    const amounts = { base_fare: '-240.00', taxes: [{ code: 'TR', amount: '-78.40' }], commission_amount: '-7.20' }
    const sale = { settlement_channel: 'bsp', currency: 'EUR', transaction_date: '2026-03-02' }
    const document = { ...passenger, ...amounts, document_status: 'refunded' }
    await importRows(cell, agency.key, 'tickets', [{ external_id: 'R', ...sale, passengers: [document] }])
    await bill(agency, billingOf([{ books: null, billed: [refund] }]))
    expect((await report(agency)).rows).toMatchObject([{ transaction: 'refund', bucket: 'matched', booked: '-318.40' }])
  })

  it('narrows and groups by what an agency asks', async () => {
    const agency = await agencyOf([
      { books, billed: [line] },
      { books: null, billed: [line] },
      { books: { ...books, currency: 'TRY' }, billed: [] },
    ])
    await ask(cell, `update branches set iata_numbers = '{88123456}' where id = $1`, [agency.otherBranch])
    const buckets = async (filters: Readonly<Record<string, string>>) =>
      (await report(agency, { ...MARCH, ...filters })).rows.map(({ bucket }) => bucket).sort()
    expect(await buckets({ branch_id: agency.otherBranch })).toEqual(['missing_in_books'])
    expect(await buckets({ bucket: 'matched,missing_in_bsp' })).toEqual(['matched', 'missing_in_bsp'])
    expect(await buckets({ currency: 'TRY' })).toEqual(['missing_in_bsp'])
    expect(await buckets({ airline_number: '236' })).toEqual([])
    expect(await buckets({ company_id: agency.otherCompany })).toEqual([])
    const { pages } = await report(agency, { ...MARCH, group_by: 'bucket' })
    expect(pages[0]?.groups?.map(({ key, count }) => [key, count])).toEqual([
      ['matched', 1],
      ['missing_in_books', 1],
      ['missing_in_bsp', 1],
    ])
  })

  it('hides amounts from roles that may not see them, and documents from other accounts', async () => {
    const agency = await agencyOf([
      { books, billed: [{ ...line, total: 1, commission: 0 }] },
      { books, billed: [{ ...line, commission: 0 }] },
      { books, billed: [] },
    ])
    const seen = async (role: string) => {
      const { key } = await agency.makeKey({ role })
      const { rows } = await report(agency, { ...MARCH, tolerance: '0' }, key)
      return rows.map(({ bucket, billed, remittance, ticket_number }) => [
        bucket,
        billed !== null,
        remittance !== null,
        ticket_number !== null,
      ])
    }
    expect((await seen('accountant')).sort()).toEqual([
      ['amount_variance', true, true, true],
      ['commission_variance', true, true, true],
      ['missing_in_bsp', false, false, true],
    ])
    expect((await seen('advisor')).sort()).toEqual([
      [null, true, false, true],
      ['amount_variance', true, false, true],
      ['missing_in_bsp', false, false, true],
    ])
    expect((await seen('viewer')).sort()).toEqual([
      [null, false, false, false],
      [null, false, false, false],
      ['missing_in_bsp', false, false, false],
    ])
    const { key: viewer } = await agency.makeKey({ role: 'viewer' })
    const asked = async (bucket: string) =>
      (await cell.call('GET', `/reports/bsp_reconciliation?${queryOf({ bucket })}`, { key: viewer })).status
    expect([await asked('missing_in_bsp'), await asked('missing_in_bsp,matched')]).toEqual([200, 403])
    expect((await report(await makeAgency(cell))).rows).toEqual([])
    const { key } = await makeAgency(cell, 'business')
    expect(await cell.call('GET', '/reports/bsp_reconciliation', { key })).toMatchObject({
      status: 403,
      body: { code: 'plan_gated' },
    })
  })
})

describe('a billing', () => {
  const march = (total: number, more: readonly (typeof line)[] = []) =>
    billingOf([{ books: null, billed: [{ ...line, total }, ...more] }])
  const billed = async (agency: Agency) => (await report(agency)).rows.map((row) => row.billed)

  it('changes nothing when it comes again, and is corrected by a newer one that has its documents', async () => {
    const agency = await agencyOf([])
    const first = await bill(agency, march(100))
    expect(first).toMatchObject({
      status: 'imported',
      documents: 1,
      first_issue: '2026-03-02',
      totals: [{ currency: 'EUR', total: '1.00', commission: '7.20', remittance: '-6.20' }],
    })
    const again = await Promise.all([bill(agency, march(100)), bill(agency, march(100))])
    expect(again.map(({ id, status }) => [id, status])).toEqual(Array(2).fill([first.id, 'unchanged']))
    expect(await billed(agency)).toEqual(['1.00'])
    const corrected = await bill(agency, march(300))
    expect(await billed(agency)).toEqual(['3.00'])
    await bill(agency, `number,date,currency,total\n${numberOf(0)},2026-03-05,EUR,0.50\n`) // another day: it adds
    expect(await billed(agency)).toEqual(['3.50'])
    await cell.deps.db.inAccount(agency.number, (tx) => removeBilling(tx, corrected.id))
    expect(await billed(agency)).toEqual(['1.50'])
    await expect(cell.deps.db.inAccount(agency.number, (tx) => removeBilling(tx, corrected.id))).rejects.toThrow(
      'No billing',
    )
  })
  it('is taken whole or not at all, by a company of the account', async () => {
    const agency = await agencyOf([])
    await expect(bill(agency, writeHot(march(100)).replace('TKTT', 'TK  '))).rejects.toThrow(/Line \d+/)
    await expect(bill(agency, march(100), (await makeAgency(cell)).company.id)).rejects.toThrow('No active company')
    expect(await billed(agency)).toEqual([])
    await bill(agency, march(100), agency.otherCompany)
    expect((await report(agency, { ...MARCH, company_id: agency.otherCompany })).rows).toHaveLength(1)
  })
  it('without commissions does not compare them', async () => {
    const agency = await agencyOf([{ books, billed: [] }])
    await bill(agency, `number,date,currency,total\n${numberOf(0)},2026-03-02,EUR,318.40\n`)
    expect((await report(agency)).rows).toMatchObject([
      { bucket: 'matched', billed_commission: null, commission_difference: null, remittance: null },
    ])
  })
})

type Row = Readonly<Record<string, string | number | null>>
const expectedOf = (stories: readonly Story[], { from, to }: typeof MARCH, tolerance: number, first = 0): Row[] =>
  stories
    .flatMap((one, nth) => reconcile(one, first + nth, tolerance))
    .filter(({ day }) => String(day) >= from && String(day) <= to)
const NAMES = [
  'ticket_number',
  'transaction',
  'currency',
  'day',
  'booked',
  'billed',
  'difference',
  'booked_commission',
  'billed_commission',
  'commission_difference',
  'bucket',
]
const stripped = (row: Row): Row => Object.fromEntries(NAMES.map((name) => [name, row[name] ?? null]))
const sorted = (rows: readonly Row[]): string[] =>
  rows.map((row) => NAMES.map((name) => `${name} ${row[name]}`).join(', ')).sort()
const countsOf = (rows: readonly Row[]) =>
  Object.fromEntries(
    ['matched', 'amount_variance', 'commission_variance', 'missing_in_books', 'missing_in_bsp'].map((bucket) => [
      bucket,
      rows.filter((row) => row.bucket === bucket).length,
    ]),
  )
const sumOf = (rows: readonly Row[], currency: string): string =>
  (
    rows
      .filter((row) => row.currency === currency)
      .reduce((sum, { difference }) => sum + Math.round(Number(difference) * 100), 0) / 100
  ).toFixed(2)
