import { beforeAll, describe, expect, it } from 'vitest'
import { withClient } from '../../src/platform/db/client.ts'
import { type Agency, importRows, makeAgency, type Outcome } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { undeclared } from '../harness/undeclared.ts'

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const send = (rows: object[], more: object = {}, entity = 'customers') =>
  importRows(cell, agency.key, entity, rows, more)
const one = async (row: object, more: object = {}) => (await send([row], more)).rows[0] as Outcome
const read = async (id: string, entity = 'customers') =>
  (
    (await cell.call('GET', `/imports/${entity}/records/${encodeURIComponent(id)}`, { key: agency.key })).body as {
      data: Record<string, unknown>
    }
  ).data

describe('a person that is sent again', () => {
  it('is updated: given cells change, emptied ones are cleared, absent ones stay', async () => {
    await one({
      external_id: 'P',
      name: 'Ali',
      email: 'ali@example.com',
      phone: '0532 123 45 67',
      address_city: 'İzmir',
      address_zip: '35000',
      notes: 'one',
    })
    expect(await one({ external_id: 'P', phone: '', address_zip: null, notes: 'two' })).toMatchObject({
      status: 'updated',
      errors: [],
      warnings: [],
    })
    expect(await read('P')).toMatchObject({
      name: 'Ali',
      email: 'ali@example.com',
      phone: null,
      address_city: 'İzmir',
      address_zip: null,
      notes: 'two',
      version: 2,
    })
    expect(await one({ external_id: 'P', notes: null })).toMatchObject({ status: 'updated' })
    expect((await read('P')).notes).toBeNull()
  })
  it('is unchanged when nothing differs, however it is written', async () => {
    await one({
      external_id: 'U',
      name: 'Ayşe',
      phone: '+90 532 123 45 67',
      customer_type: 'individual',
      preferred_currency: 'TRY',
    })
    expect(
      await one({
        external_id: ' U ',
        name: ' Ayşe ',
        phone: '05321234567',
        customer_type: 'INDIVIDUAL',
        preferred_currency: 'try',
      }),
    ).toMatchObject({ status: 'unchanged' })
    expect((await read('U')).version).toBe(1)
  })
  it('may not lose a required field, and need not repeat it', async () => {
    await one({ external_id: 'Q', name: 'Q' })
    expect((await one({ external_id: 'Q', name: '' })).errors).toMatchObject([{ field: 'name', code: 'required' }])
    expect(await one({ external_id: 'Q', code: 'x' })).toMatchObject({ status: 'updated' })
  })
  it('twice in one batch is created, then updated', async () => {
    const { rows } = await send([
      { external_id: 'W', name: 'A' },
      { external_id: 'W', name: 'B' },
      { external_id: 'W', name: 'B' },
      { external_id: 'W', email: 'x' },
      { external_id: 'W', code: 'c' },
    ])
    expect(rows.map(({ status }) => status)).toEqual(['created', 'updated', 'unchanged', 'failed', 'updated'])
    expect(await read('W')).toMatchObject({ name: 'B', code: 'c' })
  })
  it('has the tax scheme of its company’s country and of its own kind', async () => {
    const scheme = async (external_id: string, customer_type: string, company_id: string) => {
      const { id } = await one({ external_id, name: external_id, customer_type }, { company_id })
      const { body } = await cell.call('GET', `/customers/${id}`, { key: agency.key })
      return (body as { data: { tax_scheme: string | null } }).data.tax_scheme
    }
    expect(await scheme('TR-C', 'corporate', agency.company.id)).toBe('vkn')
    expect(await scheme('TR-I', 'individual', agency.company.id)).toBe('tckn')
    expect(await scheme('DE-C', 'corporate', agency.otherCompany)).toBe('eu_vat')
  })
  it('after it was deleted is restored, with a warning', async () => {
    await one({ external_id: 'D', name: 'D' })
    const remove = undeclared<{ account: number }, never>(
      `update customers set deleted_at = now() where account_id = $account and external_id = 'D'`,
    )
    await cell.deps.db.inAccount(agency.number, (tx) => tx.all(remove, {}))
    expect((await cell.call('GET', '/imports/customers/records/D', { key: agency.key })).status).toBe(404)
    expect((await one({ external_id: 'D' })).warnings.map(({ code }) => code)).toEqual(['restored'])
    expect(await read('D')).toMatchObject({ name: 'D' })
  })
  it('keeps unknown keys of its free-form address', async () => {
    await one({ external_id: 'F', name: 'F', address_city: 'Bursa' })
    const write = undeclared<{ account: number }, never>(
      `update customers set address = address || '{"floor": "3"}' where account_id = $account and external_id = 'F'`,
    )
    await cell.deps.db.inAccount(agency.number, (tx) => tx.all(write, {}))
    await one({ external_id: 'F', address_city: null, address_line: 'Cadde 1' })
    const address = undeclared<{ account: number }, { address: object }>(
      `select address from customers where account_id = $account and external_id = 'F'`,
    )
    expect(await cell.deps.db.reader(agency.number).one(address, {})).toEqual({
      address: { floor: '3', line: 'Cadde 1' },
    })
  })
  it('of another source system is another person', async () => {
    await one({ external_id: 'X', name: 'One' })
    expect(await one({ external_id: 'X', name: 'Two' }, { source_system: 'legacy' })).toMatchObject({
      status: 'created',
    })
    expect((await read('X')).name).toBe('One')
    expect(
      (
        (await cell.call('GET', '/imports/customers/records/X?source_system=legacy', { key: agency.key })).body as {
          data: { name: string }
        }
      ).data.name,
    ).toBe('Two')
  })
  it('stays in its company and branch, with a warning where the client names another', async () => {
    await one({ external_id: 'B', name: 'B' })
    const moved = await one({ external_id: 'B', code: 'moved' }, { company_id: agency.otherCompany })
    expect([moved.status, ...moved.warnings.map(({ code }) => code)]).toEqual(['updated', 'company_unchanged'])
    expect((await read('B')).company_id).toBe(agency.company.id)
  })
})

describe('cells', () => {
  it('a tax number that cannot be one is kept, with a warning', async () => {
    expect(await one({ external_id: 'TAX', name: 'T', tax_number: '123' })).toMatchObject({
      status: 'created',
      warnings: [{ field: 'tax_number', code: 'invalid_tax_number' }],
    })
    expect((await read('TAX')).tax_number).toBe('123')
  })
  it('phones take the country of the company', async () => {
    await one({ external_id: 'DE', name: 'D', phone: '030 901820' }, { company_id: agency.otherCompany })
    expect((await read('DE')).phone).toBe('+4930901820')
  })
  it('unknown columns are dropped and named once, inside lists too', async () => {
    expect(
      (
        await send([
          { external_id: 'I1', name: 'I', colour: 1 },
          { external_id: 'I2', name: 'I', colour: 2, __typename: 'x' },
        ])
      ).ignored_fields,
    ).toEqual(['__typename', 'colour'])
    const { ignored_fields } = await send(
      [{ external_id: 'H', check_in_on: '2026-01-01', check_out_on: '2026-01-02', rooms: [{ floor: 3 }] }],
      {},
      'hotel_stays',
    )
    expect(ignored_fields).toEqual(['rooms[].floor'])
  })
  it('names like those of an object’s own properties are data or ignored, never more', async () => {
    const { rows, ignored_fields } = await send([
      { external_id: 'constructor', name: 'toString', valueOf: 'x', hasOwnProperty: 1 },
    ])
    expect([rows[0]?.status, ignored_fields]).toEqual(['created', ['hasOwnProperty', 'valueOf']])
  })
})

describe('a row that only the database refuses', () => {
  it('fails alone, with its reason, and the other rows are imported', async () => {
    await withClient(cell.connection, async (client) => {
      await client.query(`alter table customers add constraint customers_test check (name <> 'Refuse me')`)
    })
    const rows = Array.from({ length: 50 }, (_, at) => ({
      external_id: `DB${at}`,
      name: at % 17 === 3 ? 'Refuse me' : 'Fine',
    }))
    const { counts, rows: outcomes } = await send(rows)
    expect(counts).toMatchObject({ created: 47, failed: 3 })
    expect(
      outcomes.filter(({ status }) => status === 'failed').map(({ index, errors }) => [index, errors[0]?.code]),
    ).toEqual([
      [3, 'refused_by_database'],
      [20, 'refused_by_database'],
      [37, 'refused_by_database'],
    ])
    expect(await one({ external_id: 'DB0', name: 'Refuse me' })).toMatchObject({ status: 'failed' })
    expect((await read('DB0')).name).toBe('Fine')
  })
})

describe('batches that overlap', () => {
  it('of 8 writers with the same rows in other orders neither deadlock nor make anything twice', {
    timeout: 60_000,
  }, async () => {
    const ids = Array.from({ length: 120 }, (_, at) => `O${at}`)
    const shuffled = (writer: number) =>
      [...ids].sort(
        (a, b) =>
          (((a + writer).length * 31 + a.charCodeAt(a.length - 1) * (writer + 3)) % 97) -
          (((b + writer).length * 31 + b.charCodeAt(b.length - 1) * (writer + 3)) % 97),
      )
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, writer) =>
        send(shuffled(writer % 8).map((external_id) => ({ external_id, name: `By ${writer}` }))),
      ),
    )
    expect(results.reduce((sum, { counts }) => sum + (counts.created ?? 0), 0)).toBe(ids.length)
    expect(results.every(({ counts }) => counts.failed === 0)).toBe(true)
  })
})

describe('travellers', () => {
  let count = 0
  const stay = async (more: object): Promise<string> => {
    const external_id = `H${++count}`
    const row = { external_id, check_in_on: '2026-07-10', check_out_on: '2026-07-14', currency: 'EUR', ...more }
    const { rows } = await send([row], {}, 'hotel_stays')
    expect(rows).toMatchObject([{ status: 'created', errors: [] }])
    return external_id
  }
  const readStay = async (id: string) => (await read(id, 'hotel_stays')) as { customer: { id: string } | null }
  const directory = undeclared<{ account: number; customer: string }, Record<string, string | null>>(`
    select first_name, last_name, passport_number, national_id, date_of_birth, nationality from travelers
    where account_id = $account and customer_id = $customer::uuid order by created_at, id`)
  it('go to the customer’s directory once, and later values fill gaps without blanking a field', async () => {
    await importRows(cell, agency.key, 'customers', [{ external_id: 'T1', name: 'Traveller' }])
    const travel = (...travelers: object[]) => stay({ customer_external_id: 'T1', travelers })
    const first = await travel({ first_name: 'İpek', last_name: 'ÇAĞLAR', date_of_birth: '1990-01-01' })
    await travel({
      first_name: 'İpek',
      last_name: 'Çağlar',
      date_of_birth: '1990-01-01',
      passport_number: 'P1',
      nationality: 'TR',
    })
    await travel(
      { first_name: 'I.', last_name: 'C.', passport_number: 'P1', nationality: null },
      { first_name: 'Can', last_name: 'Ak', national_id: 'N1' },
    )
    await travel(
      { last_name: 'Ak', national_id: 'N1', nationality: 'DE' },
      { first_name: 'İpek', last_name: 'Çağlar', date_of_birth: '1991-01-01' },
    )
    const { customer } = await readStay(first)
    const rows = await cell.deps.db.reader(agency.number).all(directory, { customer: customer?.id as string })
    expect(rows).toEqual([
      {
        first_name: 'İpek',
        last_name: 'ÇAĞLAR',
        passport_number: 'P1',
        national_id: null,
        date_of_birth: '1990-01-01',
        nationality: 'TR',
      },
      {
        first_name: 'Can',
        last_name: 'Ak',
        passport_number: null,
        national_id: 'N1',
        date_of_birth: null,
        nationality: 'DE',
      },
      {
        first_name: 'İpek',
        last_name: 'Çağlar',
        passport_number: null,
        national_id: null,
        date_of_birth: '1991-01-01',
        nationality: null,
      },
    ])
  })
  it('are kept apart where documents or ids say that they are others', async () => {
    await importRows(cell, agency.key, 'customers', [{ external_id: 'T2', name: 'Group' }])
    const made = await stay({
      customer_external_id: 'T2',
      travelers: [
        { passport_number: 'A1' },
        { passport_number: 'A2' },
        { first_name: 'Ali', last_name: 'Can', national_id: '1' },
        { first_name: 'Ali', last_name: 'Can', national_id: '2' },
        { first_name: 'Ali', last_name: 'Can', passport_number: 'A3', national_id: '3' },
      ],
    })
    const { customer } = await readStay(made)
    expect(await cell.deps.db.reader(agency.number).all(directory, { customer: customer?.id as string })).toHaveLength(
      5,
    )
  })
})
