import { beforeAll, describe, expect, it } from 'vitest'
import { idempotencyPurge } from '../../src/platform/http/idempotency.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { undeclared } from '../harness/undeclared.ts'
import { GO_ON } from '../harness/worker.ts'

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const send = (idempotencyKey: string, rows: object[], more: { key?: string; path?: string } = {}) =>
  cell.call('POST', more.path ?? '/imports/customers', {
    key: more.key ?? agency.key,
    body: { rows },
    headers: { 'idempotency-key': idempotencyKey },
  })
const codeOf = (answer: { body: never }) => (answer.body as { code: string }).code

describe('an Idempotency-Key', () => {
  it('lets 8 concurrent calls have one effect: one writes, the others conflict or replay its very answer', async () => {
    for (let round = 0; round < 10; round++) {
      const rows = Array.from({ length: 20 }, (_, at) => ({ external_id: `I${round}-${at}`, name: 'Someone' }))
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(`race-${round}`, rows)))
      const written = answers.filter(({ status }) => status === 200)
      expect(new Set(written.map(({ text }) => text)).size).toBe(1)
      expect(written.filter(({ headers }) => headers['idempotent-replay'] === undefined)).toHaveLength(1)
      for (const refused of answers.filter(({ status }) => status !== 200)) {
        expect([refused.status, codeOf(refused), refused.headers['retry-after']]).toEqual([
          409,
          'idempotency_conflict',
          '1',
        ])
      }
      expect((await send(`race-${round}`, rows)).headers['idempotent-replay']).toBe('true')
    }
    const batches = undeclared<{ account: number }, { count: string }>(
      'select count(*) from import_batches where account_id = $account',
    )
    expect((await cell.deps.db.reader(agency.number).one(batches, {}))?.count).toBe('10')
  })
  it('answers the first answer verbatim, whatever the order of keys, with fresh rate headers', async () => {
    const first = await cell.call('POST', '/imports/customers', {
      key: agency.key,
      raw: '{"row":{"external_id":"V","name":"V"},"mode":"sync"}',
      headers: { 'idempotency-key': 'order' },
    })
    const again = await cell.call('POST', '/imports/customers', {
      key: agency.key,
      raw: '{ "mode": "sync", "row": {"name":"V", "external_id":"V"} }',
      headers: { 'idempotency-key': 'order' },
    })
    expect([again.status, again.text, again.headers['idempotent-replay']]).toEqual([200, first.text, 'true'])
    expect(again.headers['x-ratelimit-limit']).toBeDefined()
    expect(first.headers['idempotent-replay']).toBeUndefined()
  })
  it('is refused for another body, another path, and a role that sees other fields', async () => {
    const row = { external_id: 'U', name: 'U' }
    await send('reuse', [row])
    const advisor = (await agency.makeKey({ role: 'manager' })).key
    for (const answer of [
      await send('reuse', [{ ...row, name: 'W' }]),
      await send('reuse', [row], { path: '/imports/suppliers' }),
      await send('reuse', [row], { path: '/imports/customers/validate' }),
      await send('reuse', [row], { key: advisor }),
    ]) {
      expect([answer.status, codeOf(answer)]).toEqual([422, 'idempotency_key_reuse'])
    }
  })
  it('is the account’s: another account may use the same', async () => {
    const other = await makeAgency(cell)
    await send('shared', [{ external_id: 'S', name: 'S' }])
    const answer = await send('shared', [{ external_id: 'T', name: 'T' }], { key: other.key })
    expect([answer.status, answer.headers['idempotent-replay']]).toEqual([200, undefined])
  })
  it('stays free after a refusal', async () => {
    expect((await send('free', [])).status).toBe(422)
    const answer = await send('free', [{ external_id: 'F', name: 'F' }])
    expect([answer.status, answer.headers['idempotent-replay']]).toEqual([200, undefined])
  })
  it('remembers a dry run like any answer, and the dry run keeps nothing else', async () => {
    const rows = [{ external_id: 'DRY', name: 'Dry' }]
    const first = await send('dry', rows, { path: '/imports/customers/validate' })
    const again = await send('dry', rows, { path: '/imports/customers/validate' })
    expect([again.text, again.headers['idempotent-replay']]).toEqual([first.text, 'true'])
    expect((await cell.call('GET', '/imports/customers/records/DRY', { key: agency.key })).status).toBe(404)
  })
  it('is forgotten after seven days, and its answer is sealed until then', async () => {
    await send('old', [{ external_id: 'O', name: 'Secretive' }])
    const { db } = cell.deps
    const stored = undeclared<{ account: number }, { body: Buffer }>(
      `select body from idempotency_keys where account_id = $account and key = 'old'`,
    )
    expect((await db.reader(agency.number).one(stored, {}))?.body.includes('external_id')).toBe(false)
    const age = undeclared<{ account: number }, never>(
      `update idempotency_keys set created_at = now() - interval '7 days 1 second' where account_id = $account and key = 'old'`,
    )
    await db.inAccount(agency.number, (tx) => tx.all(age, {}))
    const again = await send('old', [{ external_id: 'O2', name: 'Other' }])
    expect([again.status, again.headers['idempotent-replay']]).toEqual([200, undefined])
    await db.inAccount(agency.number, (tx) => tx.all(age, {}))
    await idempotencyPurge.run({ db }, GO_ON)
    expect(await db.reader(agency.number).all(stored, {})).toEqual([])
  })
  it('does not hold up writes without one', async () => {
    expect((await importRows(cell, agency.key, 'customers', [{ external_id: 'N', name: 'N' }])).counts.created).toBe(1)
  })
})
