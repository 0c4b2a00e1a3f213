import { describe, expect, it } from 'vitest'
import { fakeTx } from '../../../test/harness/fake-tx.ts'
import { money } from '../../catalogue/amounts.ts'
import { currency } from '../../catalogue/kinds.ts'
import { list } from '../../catalogue/lists.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import type { Stored } from '../../imports/importable.ts'
import { ALL_POLICIES } from '../../platform/access/policies.ts'
import { anchorRates } from './anchor-rates.ts'

const TODAY = '2026-05-01'
const CONTEXT = {
  currency: 'TRY',
  today: TODAY,
  timeZone: 'UTC',
  now: `${TODAY}T10:00:00.000000Z`,
  policies: ALL_POLICIES,
}
/** Lists whose items have currencies, one without its own, and one with another cell’s. */
const FIELDS = {
  sell_lines: list({ amount: money(), discount: money(), currency }),
  rooms: list({ supplement: money('supplement_currency'), supplement_currency: currency, nightly: money() }),
  fees: list({ amount: money() }),
  transaction_date: currency,
}

/** The rates for rows, and which were asked for. A rate of the database is `2` of the day before, from one source. */
async function ratesFor(rows: readonly (Values & { stored?: true })[], known = (_from: string, _to: string) => true) {
  const { tx, sent } = fakeTx((_, { froms, tos, days }) =>
    (froms as string[]).flatMap((from, at) => {
      const [to = '', day] = [(tos as string[])[at], (days as string[])[at]]
      return known(from, to) ? [{ from, to, day, rate: '2', rate_day: '2026-04-30', source: 'ecb' }] : []
    }),
  )
  const ahead = rows.map(({ stored, ...given }) => ({ given, links: {}, stored: stored ? ({} as Stored) : null }))
  const rates = await anchorRates(tx, FIELDS, ahead, CONTEXT)
  const asked = sent.flatMap(({ input }) =>
    (input.froms as string[]).map(
      (from, at) => `${from} ${(input.tos as string[])[at]} ${(input.days as string[])[at]}`,
    ),
  )
  return { rates, asked: asked.toSorted(), statements: sent.length }
}

describe('the rates of new bookings', () => {
  it('are asked for at once: each currency in the booking’s and the company’s, on its day, each question once', async () => {
    const { asked, statements } = await ratesFor([
      { currency: 'EUR', transaction_date: '2026-03-02', sell_lines: [{ currency: 'USD' }, { currency: null }] },
      { currency: 'EUR', transaction_date: '2026-03-02', rooms: [{ supplement_currency: 'GBP' }, {}], fees: [{}] },
      { currency: 'EUR', transaction_date: '2026-03-03', sell_lines: null },
    ])
    expect(asked).toEqual([
      'EUR TRY 2026-03-02',
      'EUR TRY 2026-03-03',
      'GBP EUR 2026-03-02',
      'GBP TRY 2026-03-02',
      'USD EUR 2026-03-02',
      'USD TRY 2026-03-02',
    ])
    expect(statements).toBe(1)
  })
  it('are those of today and of the company’s currency where a row names no other', async () => {
    expect((await ratesFor([{ sell_lines: [{ currency: 'USD' }] }])).asked).toEqual([`USD TRY ${TODAY}`])
  })
  it('are not asked for where all is in one currency, or where the booking is there and its price stands', async () => {
    expect((await ratesFor([{}, { currency: 'TRY', sell_lines: [{ currency: 'TRY' }] }])).statements).toBe(0)
    expect((await ratesFor([{ currency: 'EUR', stored: true }])).statements).toBe(0)
  })
  it('have a day and a source, and apply only to that day', async () => {
    const { rates } = await ratesFor([{ currency: 'EUR', transaction_date: '2026-03-02' }])
    expect(rates('2026-03-02')('EUR', 'TRY')).toEqual({ rate: '2', day: '2026-04-30', source: 'ecb' })
    expect(rates('2026-03-03')('EUR', 'TRY')).toBeNull()
    expect(rates('2026-03-02')('TRY', 'EUR')).toBeNull()
  })
  it('of a currency in itself are one, of no day and no source', async () => {
    const { rates } = await ratesFor([])
    expect(rates(TODAY)('EUR', 'EUR')).toEqual({ rate: '1', day: null, source: null })
  })
  it('are null if none was published', async () => {
    const { rates } = await ratesFor([{ currency: 'EUR' }, { currency: 'USD' }], (from) => from !== 'USD')
    expect([rates(TODAY)('EUR', 'TRY')?.rate, rates(TODAY)('USD', 'TRY')]).toEqual(['2', null])
  })
})
