import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAgency } from '../../../test/harness/agency.ts'
import { startCell, type TestCell } from '../../../test/harness/cell.ts'
import { undeclared } from '../../../test/harness/undeclared.ts'
import { withClient } from '../../platform/db/client.ts'
import { type FoundRate, findRates, type RateQuestion, rateKey } from './commands/find-rates.ts'
import { listRates, saveRates } from './exchange-rates.store.ts'
import type { PublishedRate, PublishedRates } from './formats/published-rates.ts'

const forget = undeclared<object, never>('delete from exchange_rates')
const forgetSources = undeclared<object, never>('delete from exchange_rate_sources')

let cell: TestCell
let account: number
beforeAll(async () => {
  cell = await startCell()
  account = (await makeAgency(cell)).number
})
const save = (rates: PublishedRates) => cell.deps.db.asSystem('a test', (tx) => saveRates(tx, rates))
const find = (questions: readonly RateQuestion[]) => cell.deps.db.inAccount(account, (tx) => findRates(tx, questions))
const startOver = () =>
  cell.deps.db.asSystem('a test', async (tx) => {
    await tx.all(forget, {})
    await tx.all(forgetSources, {})
  })
const rate = (day: string, currency: string, baseUnits: string, currencyUnits: string): PublishedRate => ({
  day,
  currency,
  baseUnits,
  currencyUnits,
})

/** The rule of the look-up once more, in fractions of whole numbers and without a database. */
function computed(sources: readonly PublishedRates[], { from, to, day }: RateQuestion): FoundRate | undefined {
  if (from === to) return { rate: '1', day, source: 'same' }
  const answers = sources.flatMap(({ source, base, rates }) => {
    const latest = (currency: string) =>
      rates
        .filter((known) => known.currency === currency && known.day <= day)
        .reduce<PublishedRate | null>((best, known) => (best && best.day > known.day ? best : known), null)
    const unitsOf = (currency: string) => {
      const known = latest(currency)
      if (currency === base) return { units: 1n, base: 1n, day: '9999' }
      return known && { units: scaled(known.currencyUnits), base: scaled(known.baseUnits), day: known.day }
    }
    const [sold, bought] = [unitsOf(from), unitsOf(to)]
    if (!sold || !bought) return []
    const [over, under] = [sold.base * bought.units * SCALE, sold.units * bought.base]
    const rounded = (2n * over + under) / (2n * under)
    if (rounded === 0n || rounded >= SCALE * SCALE) return []
    const answer = { rate: unscaled(rounded), day: sold.day < bought.day ? sold.day : bought.day, source }
    return [{ answer, direct: base === from || base === to }]
  })
  const order = (one: (typeof answers)[0], other: (typeof answers)[0]) =>
    compare(other.answer.day, one.answer.day) ||
    Number(other.direct) - Number(one.direct) ||
    compare(other.answer.source, one.answer.source)
  return answers.sort(order)[0]?.answer
}
const SCALE = 10n ** 10n
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
const scaled = (text: string): bigint => {
  const [whole = '', decimals = ''] = text.split('.')
  return BigInt(whole + decimals.padEnd(10, '0'))
}
const unscaled = (value: bigint): string => {
  const digits = String(value).padStart(11, '0')
  return `${digits.slice(0, -10)}.${digits.slice(-10)}`.replace(/\.?0+$/, '')
}

const DAYS = Array.from({ length: 12 }, (_, at) => `2026-03-${String(at + 1).padStart(2, '0')}`)
const CURRENCIES = ['TRY', 'EUR', 'USD', 'JPY', 'GBP']
/** Few digits often, so that halves, ties and rates of almost 0 happen. */
const amount = fc.oneof(
  fc.constantFrom('1', '2', '3', '100', '0.5', '0.0000000001', '9999999999.9999999999', '0.00004', '20000'),
  fc
    .tuple(fc.bigInt(1n, 10n ** 20n - 1n), fc.nat(19))
    .map(([digits, dropped]) => unscaled(digits / 10n ** BigInt(dropped) || 1n)),
)
const sourceOf = (source: string) =>
  fc.constantFrom(...CURRENCIES).chain((base) =>
    fc
      .array(
        fc.record({
          day: fc.constantFrom(...DAYS),
          currency: fc.constantFrom(...CURRENCIES.filter((currency) => currency !== base)),
          baseUnits: amount,
          currencyUnits: amount,
        }),
        { maxLength: 25 },
      )
      .map((rates) => ({ source, base, rates })),
  )
const EVERY_QUESTION = ['2026-02-28', ...DAYS, '2026-04-01'].flatMap((day) =>
  CURRENCIES.flatMap((from) => CURRENCIES.map((to) => ({ from, to, day }))),
)

describe('the rate of a day', () => {
  it('is the same as computed apart from the database, over gaps, ways round a base, and several sources', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(sourceOf('alpha'), sourceOf('beta'), sourceOf('gamma')), async (sources) => {
        await startOver()
        for (const source of sources) await save(source)
        const found = await find([...EVERY_QUESTION, ...EVERY_QUESTION.slice(0, 5)])
        const expected = EVERY_QUESTION.flatMap((question) => {
          const answer = computed(sources, question)
          return answer ? [[rateKey(question.from, question.to, question.day), answer] as const] : []
        })
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
      }),
      { numRuns: 60 },
    )
  })
  it('is rounded half up, and once', async () => {
    await startOver()
    const day = '2026-03-02'
    await save({
      source: 'ecb',
      base: 'EUR',
      rates: [
        rate(day, 'USD', '0.0000000001', '2'),
        rate(day, 'JPY', '0.0000000001', '3'),
        rate(day, 'GBP', '9999999999.4999999999', '9999999999.9999999999'), // a half less 5e-31, which looks like a half
      ],
    })
    const found = await find(['USD', 'JPY', 'GBP'].map((from) => ({ from, to: 'EUR', day })))
    expect(found.get(rateKey('USD', 'EUR', day))?.rate).toBe('0.0000000001')
    expect(found.get(rateKey('JPY', 'EUR', day))).toBeUndefined()
    expect(found.get(rateKey('GBP', 'EUR', day))?.rate).toBe('0.9999999999')
  })
  it('prefers the latest day, then the source whose base is asked for, then the last name', async () => {
    await startOver()
    await save({
      source: 'tcmb',
      base: 'TRY',
      rates: [rate('2026-03-02', 'USD', '40', '1'), rate('2026-03-02', 'EUR', '50', '1')],
    })
    await save({
      source: 'ecb',
      base: 'EUR',
      rates: [
        rate('2026-03-02', 'USD', '1', '1.2'),
        rate('2026-03-02', 'TRY', '1', '49'),
        rate('2026-03-02', 'GBP', '1', '0.8'),
      ],
    })
    await save({ source: 'house', base: 'USD', rates: [rate('2026-03-03', 'TRY', '1', '41')] })
    const ask = async (from: string, to: string, day: string) =>
      (await find([{ from, to, day }])).get(rateKey(from, to, day))
    expect(await ask('USD', 'TRY', '2026-03-05')).toEqual({ rate: '41', day: '2026-03-03', source: 'house' })
    expect(await ask('USD', 'TRY', '2026-03-02')).toEqual({ rate: '40', day: '2026-03-02', source: 'tcmb' })
    expect(await ask('EUR', 'USD', '2026-03-05')).toEqual({ rate: '1.2', day: '2026-03-02', source: 'ecb' })
    expect(await ask('EUR', 'TRY', '2026-03-05')).toEqual({ rate: '50', day: '2026-03-02', source: 'tcmb' })
    expect(await ask('GBP', 'TRY', '2026-03-05')).toEqual({ rate: '61.25', day: '2026-03-02', source: 'ecb' })
    expect(await ask('GBP', 'TRY', '2026-03-01')).toBeUndefined()
    expect(await ask('SEK', 'TRY', '2026-03-05')).toBeUndefined()
  })
  it('of a currency in itself is 1, whatever is known', async () => {
    expect([...(await find([{ from: 'XOF', to: 'XOF', day: '1999-12-31' }])).values()]).toEqual([
      { rate: '1', day: '1999-12-31', source: 'same' },
    ])
  })
})

describe('rates that are saved', () => {
  const day = '2026-03-02'
  it('are counted as added, changed or unchanged, and the last of a file holds', async () => {
    await startOver()
    const first = {
      source: 'csv',
      base: 'EUR',
      rates: [rate(day, 'USD', '1', '9'), rate(day, 'JPY', '1', '160'), rate(day, 'USD', '1', '1.1')],
    }
    expect(await save(first)).toEqual({ added: 2, changed: 0, unchanged: 0 })
    expect(await save(first)).toEqual({ added: 0, changed: 0, unchanged: 2 })
    expect(
      await save({ ...first, rates: [...first.rates, rate(day, 'USD', '1', '1.2'), rate(day, 'GBP', '1', '0.8')] }),
    ).toEqual({ added: 1, changed: 1, unchanged: 1 })
    const asked = { currency: 'USD', from: null, to: day, limit: 10 }
    expect(await cell.deps.db.askSystem('a test', listRates, asked)).toEqual([
      { day, source: 'csv', currency_units: '1.2', currency: 'USD', base_units: '1', base: 'EUR' },
    ])
  })
  it('of one source have one base, also when two files come at once', async () => {
    await startOver()
    const files = ['EUR', 'TRY', 'USD'].map((base) => ({ source: 'csv', base, rates: [rate(day, 'GBP', '1', '2')] }))
    const results = await Promise.allSettled(files.map(save))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason.message).toMatch(/but the source csv has/)
  })
  it('of the same days by several at once are saved without a deadlock', async () => {
    await startOver()
    const rates = CURRENCIES.slice(1).flatMap((currency) => DAYS.map((on) => rate(on, currency, '1', '2')))
    const files = Array.from({ length: 6 }, (_, at) => ({
      source: 'csv',
      base: 'TRY',
      rates: at % 2 ? rates : rates.toReversed(),
    }))
    const counts = await Promise.all(files.map(save))
    expect(counts.reduce((sum, { added }) => sum + added, 0)).toBe(rates.length)
  })
  it('can be read and not changed by requests', async () => {
    await withClient(cell.connection, async (client) => {
      await client.query('set role backdesk_app')
      await client.query('select from exchange_rates')
      for (const table of ['exchange_rates', 'exchange_rate_sources', 'scheduled_runs']) {
        await expect(client.query(`delete from ${table}`)).rejects.toThrow(/permission denied/)
      }
    })
  })
})
