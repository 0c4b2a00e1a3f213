import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { cloneDatabase, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { messagesOf } from '../harness/messages.ts'
import { ask } from '../harness/sql.ts'

/** Enough that eight writes of one account are under way at once, for a process lets only a few in. */
const PROCESSES = 3
const RACERS = 8
const ROUNDS = 4
let cells: TestCell[]
let agency: Agency
beforeAll(async () => {
  const connection = await cloneDatabase()
  cells = await Promise.all(
    Array.from({ length: PROCESSES }, () => startCell({ connection, deps: { count: uncounted } })),
  )
  agency = await makeAgency(cells[0] as TestCell)
})
const at = (racer: number) => messagesOf(() => cells[racer % PROCESSES] as TestCell)
const race = <T>(run: (racer: number) => Promise<T>) =>
  Promise.all(Array.from({ length: RACERS }, (_, racer) => run(racer)))
const INBOUND = { direction: 'inbound', channel: 'web_chat' }

describe('unread_count', () => {
  it('is exact while messages are filed and marked as read', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const before = (await at(0).list(agency, 'scope=unread&limit=100')).data
      await race(async (racer) => {
        const { id } = await at(racer).make(agency, INBOUND)
        const old = before[racer % before.length] // several mark the same
        await Promise.all([
          racer % 2 === 0 ? at(racer + 1).mark(agency, id) : undefined,
          old ? at(racer + 2).mark(agency, old.id) : undefined,
        ])
        const { data, unread_count } = await at(racer).list(agency, 'scope=unread&limit=100')
        expect(data).toHaveLength(unread_count)
      })
      const [full] = await ask<{ count: number }>(
        cells[0] as TestCell,
        `select count(*)::integer as count from communications where account_id = $1 and direction = 'inbound' and read_at is null`,
        [agency.number],
      )
      expect((await at(1).list(agency)).unread_count).toBe(full?.count)
    }
  })
})

describe('the messages of a day', () => {
  const out = { direction: 'outbound', channel: 'email', body_plain: 'Hi', to_addresses: ['a@example.com'] }
  it('are never more than the account may send, and no fewer', async () => {
    const own = await makeAgency(cells[0] as TestCell)
    const { body } = await (cells[0] as TestCell).call('POST', '/customers', {
      key: own.key,
      body: { customer: { name: 'A' } },
    })
    const customer_id = (body as { data: { id: string } }).data.id
    await at(0).allow(own, 13)
    const answers = (
      await Promise.all([
        race((racer) => at(racer).write(own, { ...out, customer_id })),
        race((racer) => at(racer).write(own, { ...out, customer_id, channel: 'sms', to_addresses: ['+905321234567'] })),
        race((racer) => at(racer).write(own, { ...out, customer_id, to_addresses: ['none'] })), // take nothing
        race((racer) => at(racer).write(own, { ...out, customer_id, channel: 'phone', to_addresses: [] })), // nor these
      ])
    ).flat()
    const codes = answers.map(({ status, code }) => code ?? status)
    const count = (wanted: unknown) => codes.filter((code) => code === wanted).length
    expect([count(201), count('daily_limit_reached'), count('validation_failed')]).toEqual([13 + RACERS, 3, RACERS])
    expect((await at(0).list(own, 'channel=email&limit=100')).data.length).toBeLessThanOrEqual(13)
    await at(0).allow(own, 14)
    expect((await at(0).write(own, { ...out, customer_id })).status).toBe(201)
    expect((await at(0).write(own, { ...out, customer_id })).code).toBe('daily_limit_reached')
  })
})

describe('one Message-ID', () => {
  it('is filed once by eight who file it at once', async () => {
    const answers = await race((racer) =>
      at(racer).write(agency, { ...INBOUND, channel: 'email', external_id: '<race@x.example>' }),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(RACERS - 1).fill(200), 201])
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
  })
})
