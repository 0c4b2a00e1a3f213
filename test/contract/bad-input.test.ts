import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { type Call, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { SENTENCE } from '../harness/sentence.ts'

let cell: TestCell
let agency: Agency
let port: number
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  port = Number(new URL(await cell.app.listen({ port: 0, host: '127.0.0.1' })).port)
})

const LARGE = ' '.repeat(20 * 1024 * 1024)
/** Sends texts over one connection, one after the other, and reads only then, until the server closes it. */
async function sendBytes(...texts: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause()
  const write = promisify<string, void>(socket.write.bind(socket))
  for (const text of texts) await write(text)
  return textOf(socket)
}

const row = { external_id: 'A', name: 'A' }
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
const post = (call: Call): [string, string, Call] => ['POST', '/imports/customers', call]
const body = (more: object): [string, string, Call] => post({ body: { rows: [row], ...more } })
const get = (path: string): [string, string, Call] => ['GET', path, {}]
const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ external_id: `R${at}`, name: 'R' }))

describe('bad input', () => {
  it.each<[string, number, string, [string, string, Call]]>([
    ['a body that is not JSON', 400, 'bad_request', post({ raw: '{"rows": [' })],
    ['no body', 400, 'bad_request', post({})],
    ['an empty body', 400, 'bad_request', post({ raw: '' })],
    ['a body of null', 400, 'bad_request', post({ raw: 'null' })],
    ['a body that is a string', 400, 'bad_request', post({ raw: '"rows"' })],
    ['a body that is a list', 400, 'bad_request', post({ raw: '[]' })],
    [
      'a body that is not UTF-8',
      400,
      'bad_request',
      post({ raw: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) }),
    ],
    ['a poisoned prototype', 400, 'bad_request', post({ raw: '{"__proto__": {"rows": []}, "rows": []}' })],
    ['NUL outside a row', 400, 'bad_request', body({ source_system: 'a\u0000b' })],
    [
      'malformed Unicode outside a row',
      400,
      'bad_request',
      post({ raw: '{"rows":[{"external_id":"A","name":"A"}],"source_system":"\\ud800"}' }),
    ],
    ['nesting deeper than 32', 400, 'bad_request', body({ more: nested(32) })],
    [
      'nesting of 100,000',
      400,
      'bad_request',
      post({ raw: `{"rows":[{"external_id":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}` }),
    ],
    [
      'another content type',
      415,
      'unsupported_media_type',
      post({ raw: '<rows/>', headers: { 'content-type': 'application/xml' } }),
    ],
    ['plain text', 415, 'unsupported_media_type', post({ raw: '{}', headers: { 'content-type': 'text/plain' } })],
    ['a content encoding', 415, 'unsupported_media_type', post({ raw: '{}', headers: { 'content-encoding': 'gzip' } })],
    [
      'more than 10 MiB',
      413,
      'payload_too_large',
      post({ raw: JSON.stringify({ rows: ['x'.repeat(10 * 1024 * 1024)] }) }),
    ],
    ['neither rows nor row', 422, 'validation_failed', post({ body: {} })],
    ['both rows and row', 422, 'validation_failed', body({ row })],
    ['rows that are no list', 422, 'validation_failed', post({ body: { rows: {} } })],
    ['rows that are no objects', 422, 'validation_failed', post({ body: { rows: [row, 'x'] } })],
    ['no rows', 422, 'validation_failed', post({ body: { rows: [] } })],
    ['too many rows', 422, 'too_many_rows', post({ body: { rows: rows(501) } })],
    ['an unknown mode', 422, 'validation_failed', body({ mode: 'later' })],
    ['an unknown on_conflict', 422, 'validation_failed', body({ on_conflict: 'replace' })],
    ['an unknown decimal_separator', 422, 'validation_failed', body({ decimal_separator: ';' })],
    ['a source_system with a control character', 422, 'validation_failed', body({ source_system: 'a\u0001b' })],
    [
      'a source_system of a megabyte of hostile text',
      422,
      'validation_failed',
      body({ source_system: `${'a'.repeat(500_000)}${'\u0001a'.repeat(250_000)}` }),
    ],
    ['a million rows', 422, 'too_many_rows', post({ raw: `{"rows":[${'1,'.repeat(999_999)}1]}` })],
    ['an unknown entity without a body', 404, 'unknown_entity', ['POST', '/imports/invoices', {}]],
    [
      'a read-only entity with a bad body',
      422,
      'entity_not_writable',
      ['POST', '/imports/events', { body: { mode: 'x' } }],
    ],
    ['a record of a read-only entity', 404, 'not_found', get('/imports/charters/records/X')],
    ['an empty source_system', 422, 'validation_failed', body({ source_system: ' ' })],
    ['a company_id that is no uuid', 422, 'unknown_company', body({ company_id: 'x' })],
    ['an unknown company', 422, 'unknown_company', body({ company_id: '0198c2c6-0000-7000-8000-000000000000' })],
    ['a branch_id that is no uuid', 422, 'unknown_branch', body({ branch_id: 'x' })],
    ['an unknown entity', 404, 'unknown_entity', ['POST', '/imports/invoices', { body: { rows: [row] } }]],
    ['a read-only entity', 422, 'entity_not_writable', ['POST', '/imports/charters', { body: { rows: [row] } }]],
    [
      'a read-only entity’s dry run',
      422,
      'entity_not_writable',
      ['POST', '/imports/visa_cases/validate', { body: { rows: [row] } }],
    ],
    ['an unknown entity of the catalogue', 404, 'unknown_entity', get('/imports/entities/charters')],
    ['an unknown record', 404, 'not_found', get('/imports/customers/records/none')],
    ['an unknown address', 404, 'not_found', get('/customer')],
    ['an address with NUL', 400, 'bad_request', get('/imports/customers/records/a%00b')],
    ['an address whose escapes do not hold', 400, 'bad_request', get('/imports/customers/records/%zz')],
    ['a parameter of 2,049 characters', 404, 'not_found', get(`/imports/customers/records/${'x'.repeat(2049)}`)],
    ['limit=0', 422, 'invalid_parameter', get('/imports/customers/records?limit=0')],
    ['limit=101', 422, 'invalid_parameter', get('/imports/customers/records?limit=101')],
    ['limit=ten', 422, 'invalid_parameter', get('/imports/customers/records?limit=ten')],
    ['limit=1.5', 422, 'invalid_parameter', get('/imports/customers/records?limit=1.5')],
    ['limit twice', 422, 'invalid_parameter', get('/imports/customers/records?limit=1&limit=2')],
    ['an unknown status', 422, 'invalid_parameter', get('/imports/hotel_stays/records?status=lost')],
    ['a time that is none', 422, 'invalid_parameter', get('/imports/customers/records?updated_since=yesterday')],
    ['24:00', 422, 'invalid_parameter', get('/imports/customers/records?updated_since=2026-01-01T24:00:00Z')],
    [
      '101 external ids',
      422,
      'invalid_parameter',
      get(`/imports/customers/records?external_id=${rows(101).map(() => 'x')}`),
    ],
    ['a branch of a feed that is none', 422, 'unknown_branch', get('/imports/customers/records?branch_id=x')],
    ['a cursor that is none', 400, 'invalid_cursor', get('/imports/customers/records?cursor=abc')],
    ['NUL in a query', 400, 'bad_request', get('/users?q=a%00')],
    ['an empty Idempotency-Key', 422, 'invalid_parameter', post({ body: { row }, headers: { 'idempotency-key': '' } })],
    [
      'an Idempotency-Key of 256 characters',
      422,
      'invalid_parameter',
      post({ body: { row }, headers: { 'idempotency-key': 'x'.repeat(256) } }),
    ],
  ])('%s answers %i %s', async (_, status, code, [method, path, call]) => {
    const answer = await cell.call(method, path, { key: agency.key, ...call })
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([status, code])
    expect((answer.body as { error: string }).error.length).toBeGreaterThan(15)
    if (status === 422 && code.match(/validation_failed|invalid_parameter/))
      expect(answer.body).toHaveProperty('details')
    expect(answer.headers['content-type']).toContain('application/json')
    expect(answer.headers['x-request-id']).toBeTruthy()
    expect(answer.headers['x-ratelimit-limit']).toBe(path.startsWith('/imports/') && method === 'POST' ? '30' : '3000')
  })

  it.each<[string, object, [string, string, Call]]>([
    [
      'a key that would change what an object is',
      { error: expect.stringContaining('__proto__') },
      post({ raw: '{"__proto__": {}, "rows": []}' }),
    ],
    ['words that name such a key', { error: expect.not.stringContaining('__proto__') }, post({ raw: '{"prototype' })],
    ['none of the values', { details: { mode: ['Send one of sync, async.'] } }, body({ mode: 'x' })],
    ['an unknown address', { error: expect.stringMatching(/^Not found\. /) }, get('/customer')],
    [
      'an Idempotency-Key of blanks',
      { details: { 'Idempotency-Key': [expect.stringMatching(SENTENCE)] } },
      post({ body: { row }, headers: { 'idempotency-key': ' ' } }),
    ],
    [
      'what is given twice',
      { details: { limit: ['Send this parameter only once.'] } },
      get('/customers?limit=1&limit=2'),
    ],
  ])('%s is explained in words', async (_, expectedText, [method, path, call]) => {
    expect((await cell.call(method, path, { key: agency.key, ...call })).body).toMatchObject(expectedText)
  })

  it('a branch selects its company, and is unknown where another company is named', async () => {
    const send = (more: object) => cell.call('POST', '/imports/customers', { key: agency.key, body: { row, ...more } })
    for (const path of ['/imports/suppliers', '/imports/customers']) {
      const body = { row: { ...row, external_id: 'BRANCH' }, branch_id: agency.branchOfOtherCompany }
      const { data } = (await cell.call('POST', path, { key: agency.key, body })).body as { data: object }
      expect(data).toMatchObject({ company_id: agency.otherCompany, branch_id: agency.branchOfOtherCompany })
    }
    const made = await cell.call('GET', '/imports/customers/records/BRANCH', { key: agency.key })
    expect(made.body).toMatchObject({
      data: { company_id: agency.otherCompany, branch_id: agency.branchOfOtherCompany },
    })
    expect((await send({ company_id: agency.company.id, branch_id: agency.branchOfOtherCompany })).status).toBe(422)
    expect((await send({ company_id: agency.otherCompany, branch_id: agency.branch.id })).status).toBe(422)
    expect((await send({ company_id: agency.otherCompany, branch_id: agency.branchOfOtherCompany })).status).toBe(200)
  })

  it('a parameter of 2,048 characters and an escaped slash reach the record', async () => {
    await cell.call('POST', '/imports/customers', { key: agency.key, body: { row: { ...row, external_id: 'ü/17 %' } } })
    const found = await cell.call('GET', `/imports/customers/records/${encodeURIComponent('ü/17 %')}`, {
      key: agency.key,
    })
    expect([found.status, (found.body as { data: { external_id: string } }).data.external_id]).toEqual([200, 'ü/17 %'])
    expect((await cell.call('GET', `/imports/customers/records/${'x'.repeat(2048)}`, { key: agency.key })).status).toBe(
      404,
    )
  })

  it('a sane request id is echoed, another one replaced', async () => {
    const id = async (given: string) =>
      (await cell.call('GET', '/me', { key: agency.key, headers: { 'x-request-id': given } })).headers['x-request-id']
    expect(await id('order-17')).toBe('order-17')
    expect(await id('a b\tc')).not.toBe('a b\tc')
  })

  it('bytes that are not HTTP are answered with JSON', async () => {
    expect(await sendBytes('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400[\s\S]*"code":"bad_request"/)
    expect(await sendBytes(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431[\s\S]*"code":"bad_request"/,
    )
  })

  describe.each([
    ['as it says', `Content-Length: ${LARGE.length}\r\n\r\n${LARGE}`],
    ['in chunks', `Transfer-Encoding: chunked\r\n\r\n${LARGE.length.toString(16)}\r\n${LARGE}\r\n0\r\n\r\n`],
  ])('who sends a body that is too large, %s, before reading anything', (_, sent) => {
    const head = (line: string, more = '') =>
      `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${agency.key}\r\n${more}`
    const close = 'Connection: close\r\n'
    const tooLarge = (more = '') =>
      `${head('POST /api/v1/imports/customers', more)}Content-Type: application/json\r\n${sent}`
    const refusal = /^HTTP\/1\.1 413[\s\S]*"code":"payload_too_large"/
    it('receives the reason, and can continue', async () => {
      const heard = await sendBytes(tooLarge(), `${head('GET /api/v1/me', close)}\r\n`)
      expect(heard).toMatch(new RegExp(`${refusal.source}[\\s\\S]*HTTP/1\\.1 200`))
    })
    it('receives the reason if the connection is closed afterwards', async () => {
      expect(await sendBytes(tooLarge(close))).toMatch(refusal)
      const unknown = tooLarge(close).replace(agency.key, `${agency.key.slice(0, -1)}_`)
      expect(await sendBytes(unknown)).toMatch(/^HTTP\/1\.1 401/)
    })
  })

  it('the feed of a read-only entity exists, and is empty without records', async () => {
    const answer = await cell.call('GET', '/imports/visa_cases/records', { key: agency.key })
    expect([answer.status, (answer.body as { data: unknown[] }).data]).toEqual([200, []])
  })

  it('500 rows that are wrong in as many ways as there are answer 200 with 500 reasons', async () => {
    const wrong = [
      {},
      { external_id: '' },
      { external_id: 7 },
      { external_id: 'x'.repeat(201), name: 'x' },
      { external_id: 'tab\tbed', name: 'x' },
      { external_id: 'a\u0000', name: 'x' },
      { external_id: '\ud800', name: 'x' },
      { external_id: 'n', name: null },
      { external_id: 'n', name: '  ' },
      { external_id: 'n', name: ['x'] },
      { external_id: 'n', name: 'x', email: 'x' },
      { external_id: 'n', name: 'x', phone: '12' },
      { external_id: 'n', name: 'x', phone: {} },
      { external_id: 'n', name: 'x', customer_type: 'robot' },
      { external_id: 'n', name: 'x', preferred_currency: 'LIRA' },
      { external_id: 'n', name: 'x', notes: 'a\u0000b' },
      { external_id: 'n', name: 'x', notes: '\udc00' },
      { external_id: 'n', name: 'x'.repeat(201) },
      { external_id: 'n', name: 'x', code: true },
      { external_id: 'n', name: nested(20) },
    ]
    const sent = Array.from({ length: 500 }, (_, at) => wrong[at % wrong.length])
    const answer = await cell.call('POST', '/imports/customers', {
      key: agency.key,
      body: { rows: sent, mode: 'sync' },
    })
    const { counts, rows: outcomes } = (answer.body as { data: { counts: object; rows: { errors: object[] }[] } }).data
    expect([answer.status, counts]).toEqual([
      200,
      { total: 500, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 500 },
    ])
    expect(outcomes.every(({ errors }) => errors.length > 0)).toBe(true)
  })
})
