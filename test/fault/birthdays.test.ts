import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { greetBirthdays } from '../../src/features/birthdays/greet-birthdays.job.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { isThorough } from '../harness/depth.ts'
import { startMortalWorker } from '../harness/mortal-worker.ts'
import { askPastWalls } from '../harness/sql.ts'
import { GO_ON, logTo } from '../harness/worker.ts'

const PEOPLE = 250
let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})
/** As a superuser, past the walls. */
const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(cell, text, values)

/** A zone where it is about noon, so that it is the same day for as long as a test takes. */
const NOON = (() => {
  const ahead = 12 - new Date().getUTCHours() // what POSIX calls west
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
})()
/** Agencies, each with customers who have their birthday today. */
const celebrating = (agencies: number): Promise<Agency[]> =>
  Promise.all(
    Array.from({ length: agencies }, async () => {
      const agency = await makeAgency(cell)
      await sql('update accounts set time_zone = $2 where account_id = $1', [agency.number, NOON])
      await sql(
        `insert into customers (account_id, company_id, name, email, birthday, opted_in_marketing, changed)
         select $1, $2, 'Ada', 'ada' || n || '@example.com', (now() at time zone $3)::date - interval '8 years', true, 1
         from generate_series(1, ${PEOPLE}) n`,
        [agency.number, agency.company.id, NOON],
      )
      return agency
    }),
  )
/** The greetings, messages and sends, and the customers with one. */
const counted = async (agencies: readonly Agency[]) =>
  (
    await sql(
      `select count(*)::integer as greetings, count(distinct g.customer_id)::integer as greeted,
         count(distinct m.id)::integer as linked, count(*) filter (where g.status = 'sent' and m.customer_id = g.customer_id)::integer as sent,
         (select count(*)::integer from communications where account_id = any($1)) as messages,
         (select sum(messages)::integer from message_days where account_id = any($1)) as counted
       from birthday_greetings g left join communications m on m.account_id = g.account_id and m.id = g.communication_id
       where g.account_id = any($1)`,
      [agencies.map(({ number }) => number)],
    )
  )[0]
const once = (agencies: readonly Agency[]) => {
  const all = agencies.length * PEOPLE
  return { greetings: all, greeted: all, linked: all, sent: all, messages: all, counted: all }
}

it('customers are greeted exactly once by several workers that die in the middle of what they do', async () => {
  const agencies = await celebrating(2)
  const second = openDatabase(cell.connection, 4, () => {})
  onTestFinished(() => second.close())
  const failures: object[] = []
  let turn = 0
  const dying = (db: Database): Database => ({
    ...db,
    inAccount: (account, fn) =>
      db.inAccount(account, async (tx) => {
        const done = await fn(tx)
        turn += 1
        if (turn % 3 === 1) throw new Error('the process dies here')
        return done
      }),
  })
  const run = (db: Database) =>
    greetBirthdays.run({ ...cell.deps, db: dying(db), log: logTo(failures) as never }, GO_ON)
  for (let round = 0; round < 5; round++) await Promise.all([cell.deps.db, second, cell.deps.db].map(run))
  await greetBirthdays.run(cell.deps, GO_ON)
  expect(failures.length).toBeGreaterThan(0)
  expect(await counted(agencies)).toEqual(once(agencies))
})

it.runIf(isThorough)('customers are greeted exactly once when the process is killed', async () => {
  const agencies = await celebrating(4)
  const worker = await startMortalWorker(cell)
  onTestFinished(() => worker.kill())
  const numbers = agencies.map(({ number }) => number)
  const begun = () => sql('select from birthday_greetings where account_id = any($1) limit 1', [numbers])
  while ((await begun()).length === 0) await new Promise(setImmediate)
  await worker.kill()
  await greetBirthdays.run(cell.deps, GO_ON)
  expect(await counted(agencies)).toEqual(once(agencies))
})

it('accounts take turns, and a failing one does not delay the others', async () => {
  const agencies = await celebrating(2)
  const turns: number[] = []
  const failures: object[] = []
  const db: Database = {
    ...cell.deps.db,
    inAccount: (account, fn) => {
      turns.push(account)
      return account === turns[0] && turns.length > 2
        ? Promise.reject(new Error('no'))
        : cell.deps.db.inAccount(account, fn)
    },
  }
  await greetBirthdays.run({ ...cell.deps, db, log: logTo(failures) as never }, GO_ON)
  const [broken, other] = turns
  expect([broken, other].sort()).toEqual(agencies.map(({ number }) => number).sort())
  expect(turns).toEqual([broken, other, broken, other, other])
  expect(failures).toEqual([{ err: new Error('no'), account: broken }])
})
