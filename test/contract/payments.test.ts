import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { restrictTagOf, saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'
import { multipart } from '../harness/upload.ts'

let cell: TestCell
let agency: Agency
let owner: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  owner = await signInAs(cell, agency.number, agency.owner.id)
})
type Shown = { id: string; [name: string]: unknown }
async function app(method: string, path: string, body?: object, session = owner) {
  const answer = await cell.call(method, `/app/v1${path}`, { session, ...(body && { body }) })
  const { code, details, data } = (answer.body ?? {}) as { code?: string; details?: object; data?: Shown }
  return { status: answer.status, code, details, data: data as Shown }
}
async function sessionOf(role: string): Promise<string> {
  const seat = { name: role, email: `${role}-${crypto.randomUUID()}@agency.example`, role, branchId: null }
  const id = await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
  return signInAs(cell, agency.number, id)
}
let nth = 0
/** An invoice over 100.00 TRY without VAT. */
async function invoice(): Promise<Shown> {
  const external_id = `P${nth++}`
  await importRows(cell, agency.key, 'customers', [{ external_id, name: 'Ayşe Su' }])
  const { rows } = await importRows(cell, agency.key, 'hotel_stays', [
    {
      external_id,
      customer_external_id: external_id,
      check_in_on: '2031-05-10',
      check_out_on: '2031-05-11',
      status: 'confirmed',
      invoice_date: '2026-05-01',
      sell_lines: [{ kind: 'room_rate', amount: '100' }],
    },
  ])
  const { data } = await app('GET', `/documents?booking_id=${rows[0]?.id}`)
  return (data as unknown as Shown[])[0] as Shown
}

describe('a document', () => {
  it('is listed, paid in parts, refunded, and audited, and nothing of it is overpaid', async () => {
    const { id, ...listed } = await invoice()
    expect(listed).toMatchObject({
      document_type: 'invoice',
      gross: '100.00',
      paid: '0.00',
      open: '100.00',
      reversed: false,
    })
    const pay = (body: object) => app('POST', `/documents/${id}/payments`, body)
    const paid = await pay({ amount: '60.50', method: ' transfer ', paid_on: '2026-05-03' })
    expect(paid).toMatchObject({
      status: 201,
      data: {
        paid: '60.50',
        open: '39.50',
        payments: [{ amount: '60.50', paid_on: '2026-05-03', method: 'transfer' }],
      },
    })
    for (const amount of ['39.51', '-60.51', '0', 'x', '1.005'])
      expect([amount, (await pay({ amount })).details]).toEqual([amount, { amount: [expect.any(String)] }])
    expect((await pay({ amount: '1', paid_on: '2026-02-30' })).details).toHaveProperty('paid_on')
    expect((await pay({ amount: '-10.50' })).data).toMatchObject({ paid: '50.00', open: '50.00' })
    const open = (await app('GET', '/documents?scope=open')).data as unknown as Shown[]
    expect(open.map((one) => one.id)).toContain(id)
    expect((await pay({ amount: '50' })).data).toMatchObject({ open: '0.00' })
    const [row] = await ask<{ n: number }>(
      cell,
      `select count(*)::integer as n from audit_log where action = 'customer_payment.recorded' and subject_id = $1`,
      [id],
    )
    expect(row).toEqual({ n: 3 })
  })
  it('shows amounts and names only to roles that see them, and takes payments only from those that see money', async () => {
    const { id } = await invoice()
    await saveRoleOf(cell, agency.number, 'desk', ['manage_documents', 'manage_payments', 'view_personal_data'])
    const desk = await sessionOf('desk')
    const hidden = { net: null, gross: null, paid: null, open: null }
    expect((await app('GET', `/documents/${id}`, undefined, desk)).data).toMatchObject({
      ...hidden,
      lines: null,
      payments: null,
      customer: { name: 'Ayşe Su' },
    })
    expect((await app('POST', `/documents/${id}/payments`, { amount: '1' }, desk)).code).toBe('forbidden')
    expect((await app('GET', '/documents?scope=open', undefined, desk)).code).toBe('forbidden')
    await ask(cell, `update customers set tags = '{vip}' where account_id = $1`, [agency.number])
    await restrictTagOf(cell, agency.number, 'vip')
    const { data } = await app('GET', `/documents/${id}`, undefined, desk)
    expect(data.customer).toEqual({ id: expect.any(String), name: null })
  })
})

describe('a billing of the BSP', () => {
  const send = async (text: string, query = '', session = owner) => {
    const { raw, headers } = multipart([{ name: 'file', filename: 'billing.csv', bytes: text }])
    const answer = await cell.call('POST', `/app/v1/bsp_billings${query}`, { session, raw, headers })
    return { status: answer.status, ...(answer.body as { data: Shown; details?: object }) }
  }
  const CSV = 'ticket_number,gross,currency,issued_on\n2352403123000,100.00,TRY,2026-03-02\n'

  it('is imported once, listed and removed', async () => {
    const made = await send(CSV)
    expect(made).toMatchObject({
      status: 201,
      data: { status: 'imported', documents: 1, totals: [{ currency: 'TRY' }] },
    })
    expect((await send(CSV)).data).toMatchObject({ id: made.data.id, status: 'unchanged' })
    const listed = (await app('GET', '/bsp_billings')).data as unknown as Shown[]
    expect(listed).toMatchObject([
      { id: made.data.id, filename: 'billing.csv', first_issue: '2026-03-02', periods: [] },
    ])
    expect((await app('DELETE', `/bsp_billings/${made.data.id}`)).status).toBe(204)
    expect((await app('DELETE', `/bsp_billings/${made.data.id}`)).status).toBe(404)
  })
  it('has the columns, the currency and the company of the request, and is refused as a whole', async () => {
    const odd = 'doc,gross,issued_on\n2352403123001,100.00,2026-03-02\n'
    expect((await send(odd)).status).toBe(422)
    expect((await send(odd, '?currency=TRY&map=doc')).details).toHaveProperty('map')
    expect((await send(odd, `?currency=TRY&map=doc=number&company_id=${crypto.randomUUID()}`)).status).toBe(404)
    const query = `?currency=TRY&period=2026-03-15&map=doc=number&company_id=${agency.otherCompany}`
    const made = await send(odd, query)
    expect(made).toMatchObject({ status: 201, data: { company: 'Test Reisen', documents: 1 } })
    await saveRoleOf(cell, agency.number, 'books', ['manage_documents'])
    expect((await send(odd, query, await sessionOf('books'))).data).toMatchObject({ status: 'unchanged', totals: null })
  })
})
