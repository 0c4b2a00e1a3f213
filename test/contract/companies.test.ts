import fc from 'fast-check'
import { electronicFormatIBAN } from 'ibantools'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { ask } from '../harness/sql.ts'

const PROOF_MS = 10 * 60_000
/** Of the registry of IBANs: examples of several countries. */
const IBANS = [
  'TR330006100519786457841326',
  'DE89370400440532013000',
  'GB29NWBK60161331926819',
  'GR1601101250000000012300695',
]

let cell: TestCell
let agency: Agency
let owner: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  ;({ agency, owner } = await fresh())
})
async function fresh() {
  const made = await makeAgency(cell)
  return { agency: made, owner: await signInAs(cell, made.number, made.owner.id) }
}
type Data = { id: string; version: number; [name: string]: unknown }
async function app(method: string, path: string, body?: object, session = owner) {
  const answer = await cell.call(method, `/app/v1${path}`, { session, ...(body && { body }) })
  const {
    code,
    error: message,
    details,
    data,
  } = (answer.body ?? {}) as {
    code?: string
    error?: string
    details?: Record<string, string[]>
    data?: Data
  }
  return { status: answer.status, code, message, details, data: data as Data }
}
const versionOf = async (path: string, session = owner) => (await app('GET', path, undefined, session)).data.version
const change = async (path: string, body: object, session = owner) =>
  app('PATCH', path, { version: await versionOf(path, session), ...body }, session)
const NEW = { name: 'Blue Tours', tax_country: 'gr', currency: 'eur' }

describe('a company', () => {
  it('is created, changed and audited before and after, by who read it last', async () => {
    const made = await app('POST', '/companies', {
      ...NEW,
      address: { line: ' Ermou 1 ', city: 'Athens' },
      payment_terms_days: 14,
    })
    expect(made).toMatchObject({
      status: 201,
      data: {
        name: 'Blue Tours',
        tax_country: 'GR',
        currency: 'EUR',
        default: false,
        active: true,
        payment_terms_days: 14,
        backdate_invoices: false,
        address: { line: 'Ermou 1', district: null, city: 'Athens', state: null, zip: null },
        bank_accounts: [],
        logo: null,
        version: 1,
      },
    })
    const path = `/companies/${made.data.id}`
    const changed = await change(path, {
      tax_number: '094019245',
      tax_office: 'Athens',
      address: null,
      currency: 'USD',
    })
    expect(changed).toMatchObject({
      status: 200,
      data: { tax_number: '094019245', address: null, currency: 'USD', version: 2 },
    })
    expect(await app('PATCH', path, { version: 1, name: 'X' })).toMatchObject({
      status: 409,
      code: 'stale',
      data: { version: 2 },
    })
    expect((await change(path, { tax_number: '094019245' })).data.version).toBe(2)
    const [row] = await ask<{ details: object }>(
      cell,
      `select details from audit_log where account_id = $1 and action = 'company.updated' and subject_id = $2`,
      [agency.number, made.data.id],
    )
    expect(row?.details).toEqual({
      before: {
        tax_number: null,
        tax_office: null,
        address: expect.objectContaining({ city: 'Athens' }),
        currency: 'EUR',
      },
      after: { tax_number: '094019245', tax_office: 'Athens', address: null, currency: 'USD' },
    })
  })
  it('is refused with every reason', async () => {
    const bad = { name: ' ', tax_country: '12', currency: 'XYZ', tax_number: 'x\u0001', payment_terms_days: 400 }
    const { status, details } = await app('POST', '/companies', bad)
    expect([status, Object.keys(details ?? {}).toSorted()]).toEqual([422, Object.keys(bad).toSorted()])
    const address = { city: 'a\u0001', town: 'X' }
    expect(Object.keys((await app('POST', '/companies', { ...NEW, address })).details ?? {})).toEqual([
      'address.city',
      'address.town',
    ])
    expect((await app('POST', '/companies', {})).status).toBe(422)
  })
  it('keeps country and currency once it has bookings', async () => {
    const { id } = (await app('POST', '/companies', NEW)).data
    const row = { external_id: 'used', check_in_on: '2031-05-10', check_out_on: '2031-05-11' }
    await importRows(cell, agency.key, 'hotel_stays', [row], { company_id: id })
    expect(await change(`/companies/${id}`, { currency: 'USD' })).toMatchObject({ status: 409, code: 'conflict' })
    expect((await change(`/companies/${id}`, { name: 'Red Tours' })).status).toBe(200)
  })
  it('continues the numbers of another system, until it has documents', async () => {
    const { id } = (await app('POST', '/companies', NEW)).data
    expect((await app('PUT', `/companies/${id}/last_number`, { number: 'INV-2026-000123' })).status).toBe(200)
    expect((await app('GET', `/companies/${id}`)).data.series).toEqual([
      { series: 'INV', year: 2026, last: 123, last_on: null },
    ])
    await ask(cell, 'update document_counters set last_on = current_date where account_id = $1 and company_id = $2', [
      agency.number,
      id,
    ])
    expect((await app('PUT', `/companies/${id}/last_number`, { number: 'INV-2026-000200' })).status).toBe(409)
    expect((await app('PUT', `/companies/${id}/last_number`, { number: '12' })).details).toHaveProperty('number')
  })
})

describe('bank accounts', () => {
  const put = async (given: object, company = agency.otherCompany, session = owner) => {
    const version = await versionOf(`/companies/${company}`, session)
    return app('PUT', `/companies/${company}/bank_accounts`, { version, ...given }, session)
  }
  it('are stored without spaces, in order, and audited before and after', async () => {
    const given = [
      { bank_name: ' Garanti ', currency: 'try', iban: 'tr33 0006 1005 1978 6457 8413 26', bic: 'tgbatris' },
      { currency: 'USD', account_number: '123456-789' },
    ]
    const stored = [
      { bank_name: 'Garanti', currency: 'TRY', iban: IBANS[0], account_number: null, bic: 'TGBATRIS' },
      { bank_name: null, currency: 'USD', iban: null, account_number: '123456-789', bic: null },
    ]
    expect((await put({ bank_accounts: given })).data.bank_accounts).toEqual(stored)
    const [row] = await ask<{ details: object }>(
      cell,
      `select details from audit_log where account_id = $1 and action = 'company.updated' and subject_id = $2 order by id desc limit 1`,
      [agency.number, agency.otherCompany],
    )
    expect(row?.details).toEqual({ before: { bank_accounts: [] }, after: { bank_accounts: stored } })
  })
  it('have IBANs whose check digits are right, whatever single digit is changed', async () => {
    const wrong = fc
      .tuple(fc.constantFrom(...IBANS), fc.nat(), fc.integer({ min: 1, max: 9 }))
      .map(([iban, nth, more]) => {
        const places = [...iban].flatMap((sign, at) => (/\d/.test(sign) ? [at] : []))
        const at = places[nth % places.length] ?? 2
        return iban.slice(0, at) + ((Number(iban[at]) + more) % 10) + iban.slice(at + 1)
      })
    await fc.assert(
      fc.asyncProperty(wrong, async (iban) => {
        const { status, details } = await put({ bank_accounts: [{ currency: 'EUR', iban }] })
        expect([iban, status, Object.keys(details ?? {})]).toEqual([iban, 422, ['bank_accounts[0].iban']])
      }),
      { numRuns: 25 },
    )
    for (const iban of IBANS) {
      const spaced = iban.replace(/(.{4})/g, '$1 ')
      const { data } = await put({ bank_accounts: [{ currency: 'EUR', iban: spaced }] })
      expect(data.bank_accounts).toMatchObject([{ iban: electronicFormatIBAN(iban) }])
    }
    const bad = [
      { currency: 'EUR' },
      { currency: 'EUR', iban: IBANS[1], account_number: '1234' },
      { currency: 'XXXX', iban: IBANS[1] },
      { currency: 'EUR', iban: IBANS[1], bic: 'NO' },
      { currency: 'EUR', account_number: '<b>' },
    ]
    for (const one of bad) expect([one, (await put({ bank_accounts: [one] })).status]).toEqual([one, 422])
    expect((await put({ bank_accounts: [1, 2].map(() => ({ currency: 'EUR', iban: IBANS[1] })) })).status).toBe(422)
  })
  it('are changed only by who has just proven who they are', async () => {
    cell.clock.add(PROOF_MS)
    await ask(cell, `update sessions set proven_at = now() - interval '11 minutes' where account_id = $1`, [
      agency.number,
    ])
    expect(await put({ bank_accounts: [] })).toMatchObject({ status: 403, code: 'proof_required' })
    expect((await change(`/companies/${agency.otherCompany}`, { name: 'Test Reisen' })).status).toBe(200)
    cell.clock.set(Date.now())
    owner = await signInAs(cell, agency.number, agency.owner.id)
  })
})

describe('an account', () => {
  const defaults = async (number: number) => {
    const [found] = await ask<{ companies: string[]; branches: string[] }>(
      cell,
      `select (select array_agg(id::text) from companies where account_id = $1 and is_default and active) as companies,
        (select array_agg(b.id::text) from branches b join companies c using (account_id) where b.account_id = $1
          and b.company_id = c.id and b.is_headquarters and b.active and c.active) as branches`,
      [number],
    )
    return found
  }
  it('always has one active default company and one active headquarters, whatever is changed at once', async () => {
    const own = await fresh()
    const companies = [own.agency.company.id, own.agency.otherCompany]
    const branches = [own.agency.branch.id, own.agency.otherBranch, own.agency.branchOfOtherCompany]
    const flag = fc.record({ default: fc.boolean(), active: fc.boolean() }, { requiredKeys: [] })
    const moves = fc.array(
      fc.oneof(
        fc.record({ path: fc.constantFrom(...companies.map((id) => `/companies/${id}`)), body: flag }),
        fc.record({
          path: fc.constantFrom(...branches.map((id) => `/branches/${id}`)),
          body: fc.record({ headquarters: fc.boolean(), active: fc.boolean() }, { requiredKeys: [] }),
        }),
      ),
      { minLength: 1, maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(moves, async (all) => {
        const answers = await Promise.all(all.map(({ path, body }) => change(path, body, own.owner)))
        for (const { status, message } of answers) {
          expect([200, 409]).toContain(status)
          if (status === 409) expect(message).toMatch(/first\.$|since you read it/)
        }
        const found = await defaults(own.agency.number)
        expect([found?.companies.length, found?.branches.length]).toEqual([1, 1])
      }),
      { numRuns: 25 },
    )
  })
})

describe('a branch', () => {
  it('is created, changed and audited before and after, by who read it last', async () => {
    const body = { company_id: agency.company.id, name: 'İzmir', office_ids: ['izmtk2100'], iata_numbers: ['99999992'] }
    const made = await app('POST', '/branches', body)
    expect(made).toMatchObject({
      status: 201,
      data: { name: 'İzmir', code: null, office_ids: ['IZMTK2100'], headquarters: false },
    })
    const path = `/branches/${made.data.id}`
    expect((await change(path, { code: 'IZM', office_ids: [] })).data).toMatchObject({
      code: 'IZM',
      office_ids: [],
      version: 2,
    })
    expect(await app('PATCH', path, { version: 1 })).toMatchObject({ status: 409, code: 'stale', data: { version: 2 } })
    const [row] = await ask<{ details: object }>(
      cell,
      `select details from audit_log where account_id = $1 and action = 'branch.updated' and subject_id = $2`,
      [agency.number, made.data.id],
    )
    expect(row?.details).toEqual({
      before: { code: null, office_ids: ['IZMTK2100'] },
      after: { code: 'IZM', office_ids: [] },
    })
    const bad = { office_ids: ['x'], iata_numbers: ['12'], name: 'a\u0001' }
    expect(Object.keys((await change(path, bad)).details ?? {}).toSorted()).toEqual(Object.keys(bad).toSorted())
  })
  it('is not closed while people have it as their home, and not made of a company of another account', async () => {
    const { id } = (await app('POST', '/branches', { company_id: agency.company.id, name: 'Bursa' })).data
    const seat = { name: 'B', email: 'bursa@agency.example', role: 'viewer', branchId: id }
    await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
    expect(await change(`/branches/${id}`, { active: false })).toMatchObject({
      status: 409,
      message: expect.stringContaining('1 people'),
    })
    await ask(cell, 'update seats set branch_id = null where branch_id = $1', [id])
    expect((await change(`/branches/${id}`, { active: false })).data.active).toBe(false)
    const other = await fresh()
    const body = { company_id: other.agency.company.id, name: 'X' }
    expect((await app('POST', '/branches', body)).status).toBe(404)
  })
  it('is listed by company, the headquarters first', async () => {
    const { data } = await app('GET', `/branches?company_id=${agency.company.id}`)
    const listed = data as unknown as Data[]
    expect(listed[0]).toMatchObject({ headquarters: true })
    expect(new Set(listed.map(({ company_id }) => company_id))).toEqual(new Set([agency.company.id]))
  })
})
