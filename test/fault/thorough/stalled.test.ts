import { once } from 'node:events'
import { expect, it } from 'vitest'
import { cloneDatabase } from '../../harness/cell.ts'
import { checkHistory } from '../../harness/check-history.ts'
import { startClients } from '../../harness/history.ts'
import { startProxy } from '../../harness/proxy.ts'
import { askPastWalls } from '../../harness/sql.ts'
import { prepareStorm, seededChance, startProcess, statusOf, timeUntil } from '../../harness/storm.ts'

const AGENCIES = 2
/** A statement is given up after 40 s, and its client asks twice at most. */
const GIVEN_UP_MS = 85_000
/** A statement that waits for a lock is refused after 10 s, and PostgreSQL ends a transaction that idles for 15 s. */
const IDLE_MS = 27_000
const RECOVERS_MS = 10_000
const STOPS_MS = 12_000

it('a process behind a network that holds every byte gives statements up, leaves no transaction open, and recovers', async () => {
  const connection = await cloneDatabase()
  const { cell, agencies } = await prepareStorm(AGENCIES, connection)
  const proxy = await startProxy({ path: `${connection.host}/.s.PGSQL.${connection.port}` })
  const DATABASE_URL = `postgres://${connection.user}@127.0.0.1:${proxy.port}/${connection.database}`
  const process = await startProcess(cell, { DATABASE_URL })
  const clients = startClients(() => process.url, agencies, seededChance(), 20)
  const imported = () => clients.history.filter(({ verdict }) => verdict === 'accepted').length
  await timeUntil(async () => imported() > 10)

  proxy.stall(true)
  const begun = performance.now()
  const customers = `${process.url}/api/v1/customers?limit=5`
  const reading = statusOf(customers, agencies[0]?.key).then((status) => ({ status, ms: performance.now() - begun }))
  expect([await statusOf(`${process.url}/api/v1/health`), await statusOf(`${process.url}/ready`)]).toEqual([200, 503])
  const idle = () =>
    askPastWalls(
      cell,
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'backdesk'
         and state like 'idle in transaction%' and state_change < now() - interval '1 second'`,
    )
  await timeUntil(async () => performance.now() - begun > IDLE_MS)
  expect(await idle()).toEqual([])
  const { status, ms } = await reading
  console.log(`given up after ${Math.round(ms)} ms`)
  expect([status, ms < GIVEN_UP_MS]).toEqual([503, true])
  expect(await statusOf(`${process.url}/api/v1/health`)).toBe(200)

  proxy.stall(false)
  const took = await timeUntil(async () => (await statusOf(customers, agencies[0]?.key)) === 200)
  console.log(`recovered in ${Math.round(took)} ms`)
  expect(took).toBeLessThan(RECOVERS_MS)
  await clients.stop()
  console.log(await checkHistory(cell, agencies, clients.history))

  proxy.stall(true)
  const gone = once(process.child, 'exit')
  const asked = performance.now()
  process.child.kill('SIGTERM')
  await gone
  expect(performance.now() - asked).toBeLessThan(STOPS_MS)
})
