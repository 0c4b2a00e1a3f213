import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { POLICIES } from '../../src/platform/access/policies.ts'
import { importRows } from '../harness/agency.ts'
import { airFile } from '../harness/air.ts'
import { bookingDesk, type ShownBooking } from '../harness/bookings.ts'
import { signInAs } from '../harness/console.ts'
import { base64 } from '../harness/printer.ts'
import { withRecords } from '../harness/records.ts'
import { restrictTagOf, saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'

const { the, newAgency, next } = withRecords()
type Entry = {
  kind: string
  id: string
  at: string
  action: string
  seat: { id: string } | null
  changed: string[]
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  named: { id: string; name: string | null }[]
  title: string | null
  amount: string | null
}
type Page = { data: Entry[]; page: { next_cursor: string | null } }
let desk: Awaited<ReturnType<typeof bookingDesk>>
beforeAll(async () => {
  desk = await bookingDesk(the.cell, the.agency)
})

const read = async (id: string, query = '', session = desk.session) => {
  const answer = await the.cell.call('GET', `/app/v1/bookings/${id}/history?${query}`, { session })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body as Page
}
async function walk(id: string, limit: number): Promise<Entry[]> {
  const all: Entry[] = []
  for (let cursor = ''; ; ) {
    const { data, page } = await read(id, `limit=${limit}${cursor && `&cursor=${cursor}`}`)
    all.push(...data)
    if (page.next_cursor === null) return all
    cursor = page.next_cursor
  }
}
/** A session with all policies but these. */
async function without(...lacking: string[]): Promise<string> {
  const role = `no_${lacking.join('_')}`
  const policies = POLICIES.filter((policy) => !lacking.includes(policy))
  await saveRoleOf(the.cell, the.agency.number, role, policies)
  const seat = { name: 'A', email: `${next('seat')}@agency.example`, role, branchId: null }
  const id = await the.cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, the.agency.number, seat))
  return signInAs(the.cell, the.agency.number, id)
}

const PASSPORT = 'U7654321'
const stay = {
  external_id: 'H-1',
  customer_external_id: 'C',
  supplier_external_id: 'S',
  transaction_date: '2026-03-02',
  currency: 'TRY',
  check_in_on: '2027-05-01',
  check_out_on: '2027-05-03',
  travelers: [{ first_name: 'Zeliha', last_name: 'Ak', passport_number: PASSPORT }],
  sell_lines: [{ kind: 'other', amount: '1000' }],
  cost_lines: [{ kind: 'other', amount: '700' }],
}
async function imported(): Promise<ShownBooking> {
  const external_id = next('H')
  const { rows } = await importRows(the.cell, the.agency.key, 'hotel_stays', [{ ...stay, external_id }])
  await importRows(the.cell, the.agency.key, 'hotel_stays', [{ external_id, notes: 'Late.' }], {
    on_conflict: 'update',
  })
  await importRows(the.cell, the.agency.key, 'hotel_stays', [{ external_id }], { on_conflict: 'update' })
  return desk.read(String(rows[0]?.id))
}

describe('the history of a booking', () => {
  it('has its imports, changes, moves and documents, newest first, and the same in pages of any size', async () => {
    const first = await imported()
    const noted = (await desk.update(first, { notes: 'Call Zeliha.', option_date: '2026-05-01', customer_id: null }))
      .body.data
    const priced = (await desk.price(noted, { sell_lines: [{ kind: 'other', amount: '1200' }] })).body.data
    const dated = (await desk.update(priced, { customer_external_id: 'C', invoice_date: '2026-03-02' })).body.data
    await desk.move(dated, 'confirmed')
    const { data } = await read(first.id)
    expect(data.map(({ at }) => at)).toEqual(
      data
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    for (const limit of [1, 2, 3]) expect(await walk(first.id, limit)).toEqual(data)
    const of = (kind: string) => data.filter((entry) => entry.kind === kind)
    expect(of('import').map(({ action }) => action)).toEqual(['updated', 'created'])
    expect(
      of('document')
        .map(({ action, amount }) => [action, amount])
        .toSorted(),
    ).toEqual([
      ['invoice', '1200.00'],
      ['supplier_bill', '700.00'],
    ])
    const changes = of('change').filter(({ action }) => action === 'record.updated')
    expect(changes.map(({ seat }) => seat?.id)).toEqual(changes.map(() => the.agency.owner.id))
    expect(changes.toReversed().map(({ changed, before, after }) => [changed, before, after])).toEqual([
      [
        ['customer_id', 'notes', 'option_date'],
        { option_date: null, customer_id: first.record.customer?.id },
        { option_date: '2026-05-01', customer_id: null },
      ],
      [
        ['margin_total', 'sell_lines', 'sell_total'],
        { sell_total: '1000.00', margin_total: '300.00' },
        { sell_total: '1200.00', margin_total: '500.00' },
      ],
      [
        ['customer_id', 'invoice_date'],
        { invoice_date: null, customer_id: null },
        { invoice_date: '2026-03-02', customer_id: first.record.customer?.id },
      ],
      [['invoiced', 'status'], { status: 'draft', invoiced: false }, { status: 'confirmed', invoiced: true }],
    ])
    expect(changes.at(-1)?.named).toEqual([{ id: first.record.customer?.id, name: 'Ayşe' }])
  })
  it('keeps nothing of people or long texts in the audit log', async () => {
    const booking = await imported()
    const travelers = [{ first_name: 'Zeliha', last_name: 'Kara', passport_number: 'P1112223' }]
    const { body } = await desk.update(booking, { travelers, notes: 'Zeliha calls.' })
    expect(body.details).toBeUndefined()
    const { data } = await read(booking.id)
    expect(data[0]).toMatchObject({ changed: ['notes', 'travelers'], before: null, after: null })
    const rows = await ask<{ text: string }>(
      the.cell,
      'select details::text as text from audit_log where account_id = $1 and subject_id = $2',
      [the.agency.number, booking.id],
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const secret of ['Zeliha', 'Kara', 'P1112223', PASSPORT]) expect(JSON.stringify(rows)).not.toContain(secret)
  })
  it('shows amounts, costs, names, imports and ticket files to roles that see them', async () => {
    const content = base64(airFile({ tickets: ['2409090901'] }))
    const { body } = await the.cell.call('POST', '/ticket_imports', { key: the.agency.key, body: { content } })
    const { ticket_sale_id: sale } = body as { ticket_sale_id: string }
    expect((await read(sale)).data.map(({ kind }) => kind)).toContain('ticket_file')
    expect((await read(sale, '', await without('import_tickets'))).data.map(({ kind }) => kind)).not.toContain(
      'ticket_file',
    )
    const booking = await imported()
    const moved = (await desk.update(booking, { customer_id: null })).body.data
    const lines = { sell_lines: [{ kind: 'other', amount: '1200' }], cost_lines: [{ kind: 'other', amount: '800' }] }
    expect((await desk.price(moved, lines)).body.details).toBeUndefined()
    const seen = async (session: string) => {
      const { data } = await read(booking.id, '', session)
      return {
        kinds: [...new Set(data.map(({ kind }) => kind))],
        values: Object.keys(data[0]?.after ?? {}).toSorted(),
        name: data[1]?.named[0]?.name,
      }
    }
    const values = ['cost_total', 'margin_total', 'sell_total']
    const all = { kinds: ['change', 'import'], values, name: 'Ayşe' }
    expect(await seen(desk.session)).toEqual(all)
    expect(await seen(await without('import_records'))).toEqual({ ...all, kinds: ['change'] })
    expect(await seen(await without('view_costs'))).toEqual({ ...all, values: ['sell_total'] })
    const blind = await without('view_money')
    expect(await seen(blind)).toEqual({ ...all, values: [] })
    expect(await seen(await without('view_personal_data'))).toEqual({ ...all, name: null })
    for (const format of ['', '.csv'])
      for (const [session, isSeen] of [
        [desk.session, true],
        [blind, false],
      ] as const) {
        const path = `/app/v1/audit_log${format}?subject_id=${booking.id}`
        const { status, text } = await the.cell.call('GET', path, { session })
        expect([status, text.includes('"amounts"'), text.includes('"costs"')]).toEqual([200, isSeen, isSeen])
      }
    await ask(the.cell, `update customers set tags = '{vip}' where account_id = $1 and external_id = 'C'`, [
      the.agency.number,
    ])
    await restrictTagOf(the.cell, the.agency.number, 'vip')
    expect(await seen(await without('view_restricted_customers'))).toEqual({ ...all, name: null })
  })
  it('is that of one account, and of a booking that exists', async () => {
    const booking = await imported()
    const stranger = await newAgency()
    const session = await signInAs(the.cell, stranger.number, stranger.owner.id)
    for (const id of [booking.id, '01890000-0000-7000-8000-000000000000'])
      expect((await the.cell.call('GET', `/app/v1/bookings/${id}/history`, { session })).status).toBe(404)
  })
})
