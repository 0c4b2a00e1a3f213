import { expect, it } from 'vitest'
import { fakeTx } from '../../../../test/harness/fake-tx.ts'
import { findRates, rateKey } from './find-rates.ts'

const DAY = '2026-03-02'
const question = (from: string, to: string) => ({ from, to, day: DAY })

it('a rate is found by its question, and each question is asked once', async () => {
  const { tx, sent } = fakeTx(() => [
    { ...question('EUR', 'TRY'), rate: '47.1', rate_day: '2026-03-01', source: 'ecb' },
  ])
  const found = await findRates(tx, [question('EUR', 'TRY'), question('USD', 'TRY'), question('EUR', 'TRY')])
  expect([...found]).toEqual([[rateKey('EUR', 'TRY', DAY), { rate: '47.1', day: '2026-03-01', source: 'ecb' }]])
  expect(sent.map(({ input }) => input)).toEqual([{ froms: ['EUR', 'USD'], tos: ['TRY', 'TRY'], days: [DAY, DAY] }])
})

it('a currency is worth itself on every day, without a query', async () => {
  const { tx, sent } = fakeTx()
  const found = await findRates(tx, [question('EUR', 'EUR')])
  expect([...found]).toEqual([[rateKey('EUR', 'EUR', DAY), { rate: '1', day: DAY, source: 'same' }]])
  expect([sent, (await findRates(tx, [])).size]).toEqual([[], 0])
})
