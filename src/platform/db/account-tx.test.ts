import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../../../test/harness/agency.ts'
import { startCell } from '../../../test/harness/cell.ts'
import { undeclared } from '../../../test/harness/undeclared.ts'
import type { AccountTx } from './account-tx.ts'
import type { Database } from './database.ts'
import { isDataError } from './failures.ts'

type Named = { account: number; name: string }
const insert = undeclared<Named, { name: string }>(
  'insert into restricted_tags (account_id, name) values ($account, $name) returning name',
)
const find = undeclared<Named, { name: string }>(
  'select name from restricted_tags where account_id = $account and name = $name',
)
const defer = undeclared<{ account: number }, never>('set constraints all deferred')
const twoFirstDays = undeclared<{ account: number }, never>(`
  insert into trip_days (account_id, trip_id, day_number, position)
  select t.account_id, t.id, 1, 1 from trips t cross join generate_series(1, 2) where t.account_id = $account::integer`)
const trip = undeclared<{ account: number; company: string }, never>(`
  insert into trips (account_id, company_id, reference_number, title, status, settings)
  values ($account, $company, 'TRP-1', 'A trip', 'draft', '{}')`)

let db: Database
let agency: Agency
beforeAll(async () => {
  const cell = await startCell()
  db = cell.deps.db
  agency = await makeAgency(cell)
  await inAccount(async (tx) => {
    tx.later(insert, { name: 'taken' })
    tx.later(trip, { company: agency.company.id })
  })
})
const inAccount = <T>(fn: (tx: AccountTx) => Promise<T>) => db.inAccount(agency.number, fn)
const isThere = async (name: string) => (await db.reader(agency.number).one(find, { name })) !== undefined
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isDataError(error) ? 'refused' : error),
  )

describe('a statement for later', () => {
  const refused = (tx: AccountTx) => tx.later(insert, { name: 'taken' })
  it.each<[string, (tx: AccountTx) => Promise<unknown>]>([
    ['the end', async () => {}],
    ['a read', (tx) => tx.one(find, { name: 'taken' })],
    ['the last word', (tx) => tx.last(find, { name: 'taken' })],
    ['a write behind a savepoint', (tx) => tx.attempt(insert, [{ name: 'attempted' }])],
    ['more for later', async (tx) => tx.later(insert, { name: 'more' })],
    ['a dry run', (tx) => tx.discard(() => tx.all(find, { name: 'taken' }))],
  ])('that is refused reports it before %s, and rolls back', async (_, goOn) => {
    const work = inAccount(async (tx) => {
      tx.later(insert, { name: 'first' })
      refused(tx)
      return goOn(tx)
    })
    expect([await refusal(work), await isThere('first'), await isThere('more')]).toEqual(['refused', false, false])
  })
  it('and refused ends a dry run as it would end the commit', async () => {
    const work = (tx: AccountTx) => async () => refused(tx)
    expect(await refusal(inAccount((tx) => tx.discard(work(tx))))).toBe('refused')
  })
  it('and refused by a deferred constraint is so at the end of a dry run as at a commit', async () => {
    const work = async (tx: AccountTx) => {
      tx.later(defer, {})
      tx.later(twoFirstDays, {})
    }
    expect(await refusal(inAccount((tx) => work(tx).then(() => tx.one(find, { name: 'taken' }))))).toBe('refused')
    expect(await refusal(inAccount((tx) => tx.discard(() => work(tx))))).toBe('refused')
    expect(await refusal(inAccount(work))).toBe('refused')
    expect(await refusal(inAccount((tx) => work(tx).then(() => tx.last(find, { name: 'taken' }))))).toBe('refused')
  })
})

describe('the last word', () => {
  it('sees the previous statements, and ends the transaction with its commit', async () => {
    const work = inAccount(async (tx) => {
      tx.later(insert, { name: 'seen' })
      const seen = await tx.last(find, { name: 'seen' })
      await expect(tx.one(find, { name: 'seen' })).rejects.toThrow('has ended')
      return seen
    })
    expect(await work).toEqual({ name: 'seen' })
    expect(await isThere('seen')).toBe(true)
  })
})

describe('a write behind a savepoint', () => {
  it('that is refused takes back itself alone, all of it', async () => {
    const named = (...names: string[]) => names.map((name) => ({ name }))
    const answers = await inAccount(async (tx) => {
      tx.later(insert, { name: 'before' })
      const refused = await tx.attempt(insert, named('attempted first', 'taken', 'attempted last'))
      const none = await tx.attempt(insert, [])
      const kept = await tx.attempt(insert, named('kept', 'kept as well'))
      return [refused?.constraint, none, kept]
    })
    expect(answers).toEqual(['restricted_tags_pkey', null, null])
    const found = await Promise.all(
      ['before', 'kept', 'kept as well', 'attempted first', 'attempted last'].map(isThere),
    )
    expect(found).toEqual([true, true, true, false, false])
  })
  it('yields before the next one, so that the statement is sent', async () => {
    const turns: number[] = []
    let turn = 0
    const count = () => {
      turn++
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    function* inputs() {
      for (const name of ['one', 'two', 'three']) {
        turns.push(turn)
        yield { name }
      }
    }
    await inAccount((tx) => tx.attempt(insert, inputs()))
    clearImmediate(counting)
    expect(new Set(turns).size).toBe(turns.length)
  })
})
