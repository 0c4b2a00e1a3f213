import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { createAccount } from '../../src/features/accounts/commands/create-account.ts'
import { createKey } from '../../src/features/api-keys/commands/create-key.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { joinServer } from '../../src/platform/db/embedded/join-server.ts'
import { OPERATOR } from '../harness/agency.ts'
import { end, freePort, type Served, serve, temporaryFolder } from '../harness/process.ts'

const ACCOUNTS = 16
const BATCHES = 3
const ROWS = 25
const KILLS = 4

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a server that is killed again and again loses nothing, doubles nothing, and replays the very answer', {
  timeout: 120_000,
}, async () => {
  const port = String(await freePort())
  let served: Served = await serve(folder, { PORT: port })
  const keys = await makeKeys()
  const url = `http://127.0.0.1:${port}`
  const answers = new Map<string, Set<string>>()
  const work = keys.flatMap((key, account) =>
    Array.from({ length: BATCHES }, (_, batch) => {
      const rows = Array.from({ length: ROWS }, (_, at) => ({
        external_id: `K${batch}-${at}`,
        name: `Customer ${at}`,
        notes: 'note',
      }))
      const name = `${account}-${batch}`
      answers.set(name, new Set())
      return [1, 2].map(() => insist(url, key, name, rows, answers))
    }).flat(),
  )
  const killer = (async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(150 + Math.random() * 900)
      await end(served.child, 'SIGKILL')
      served = await serve(folder, { PORT: port })
    }
  })()
  await Promise.all([...work, killer])
  expect([...answers.values()].every((texts) => texts.size === 1)).toBe(true)

  const server = await joinServer(folder)
  await withClient({ ...server.connection, user: 'postgres' }, async (client) => {
    const { rows } =
      await client.query(`select (select count(*) from customers where external_id like 'K%')::integer as customers,
      (select count(*) from customer_notes n join customers c using (account_id) where c.id = n.customer_id and c.external_id like 'K%')::integer as notes,
      (select count(*) from idempotency_keys)::integer as keys, (select count(*) from import_batches where entity = 'customers' and account_id not in (select account_id from accounts where name = 'Ege Yolları Seyahat'))::integer as batches`)
    const batches = ACCOUNTS * BATCHES
    expect(rows[0]).toEqual({ customers: batches * ROWS, notes: batches * ROWS, keys: batches, batches })
  })
  expect(await end(served.child, 'SIGTERM')).toBe(0)
  await server.leave()
})

async function makeKeys(): Promise<string[]> {
  const server = await joinServer(folder)
  const db = openDatabase(server.connection, 2, () => {})
  const keys = await db.asSystem('a test', async (tx) => {
    const made: string[] = []
    for (let at = 0; at < ACCOUNTS; at++) {
      const account = {
        name: `A${at}`,
        plan: 'enterprise',
        timeZone: 'UTC',
        currency: 'EUR',
        country: 'DE',
        ownerEmail: 'a@example.com',
        ownerName: null,
      }
      const {
        account: { id },
      } = await createAccount(tx, 'eu', account, OPERATOR)
      made.push(
        (
          await createKey(
            tx,
            id,
            { name: 'k', scopes: ['import'], role: null, expiresAt: null, allowedCidrs: [] },
            OPERATOR,
          )
        ).key,
      )
    }
    return made
  })
  await db.close()
  await server.leave()
  return keys
}

/** Sends a batch until it is answered, as a client would whose calls are cut off. */
async function insist(
  url: string,
  key: string,
  name: string,
  rows: object[],
  answers: Map<string, Set<string>>,
): Promise<void> {
  for (;;) {
    try {
      const response = await fetch(`${url}/api/v1/imports/customers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': name },
        body: JSON.stringify({ rows, mode: 'sync' }),
      })
      const text = await response.text()
      if (response.status === 200) return void answers.get(name)?.add(text)
      if (![409, 503].includes(response.status)) throw new TypeError(`${response.status} ${text}`)
    } catch (error) {
      if (/^\d{3} /.test((error as Error).message)) throw error
    }
    await sleep(200 + Math.random() * 300)
  }
}
