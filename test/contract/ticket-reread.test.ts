import { beforeAll, describe, expect, it } from 'vitest'
import { airFile } from '../harness/air.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { withPrinter } from '../harness/printer.ts'
import { saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})

type Change = { ticket_sale_id: string | null; finished: boolean; field: string; before: unknown; after: unknown }
type Answer = { data: { id: string; committed: boolean; result: string; error: string | null; changes: Change[] } }

/** A capture that a former parser read with another endorsement and without a title, and the sale that it made. */
async function readFormerly() {
  const printer = await withPrinter(cell)
  const { agency, capture } = printer
  const made = await capture(airFile())
  const account = agency.number
  await ask(
    cell,
    `update ticket_captures set document = jsonb_set(jsonb_set(document,
       '{documents,0,endorsement}', '"NON REF"'), '{passengers,0,title}', 'null') where account_id = $1`,
    [account],
  )
  await ask(
    cell,
    `update tickets set passengers = jsonb_set(jsonb_set(passengers, '{0,endorsement}', '"NON REF"'), '{0,title}', 'null')
     where account_id = $1`,
    [account],
  )
  const reread = async (body: object = {}, key = agency.key) =>
    (await cell.call('POST', `/ticket_imports/${made.id}/reread`, { key, body })).body as Answer
  return { ...printer, made, account, reread }
}
const field = (name: string) => `passengers[2352400000001].${name}`

describe('a capture that is read again', () => {
  it('shows the changes without writing them, and writes them with commit', async () => {
    const { made, reread, sale } = await readFormerly()
    const before = await sale(made.ticket_sale_id)
    const changes = [
      { field: field('title'), before: null, after: 'MRS' },
      { field: field('endorsement'), before: 'NON REF', after: 'NONREF' },
    ].map((each) => ({ ticket_sale_id: made.ticket_sale_id, finished: false, ...each }))
    const dry = await reread()
    expect(dry.data).toEqual({ id: made.id, committed: false, result: 'changed', error: null, changes })
    expect(await sale(made.ticket_sale_id)).toEqual(before)
    const committed = await reread({ commit: true })
    expect(committed.data).toEqual({ ...dry.data, committed: true })
    expect(await sale(made.ticket_sale_id)).toMatchObject({
      totals: before.totals,
      passengers: [{ title: 'MRS', endorsement: 'NONREF' }],
    })
    expect((await reread({ commit: true })).data).toMatchObject({ result: 'unchanged', changes: [] })
  })
  it('keeps what users changed in the sale', async () => {
    const { account, made, reread, sale } = await readFormerly()
    await ask(
      cell,
      `update tickets set passengers = jsonb_set(passengers, '{0,endorsement}', '"BY HAND"') where account_id = $1`,
      [account],
    )
    const { data } = await reread({ commit: true })
    expect(data.changes.map((change) => change.field)).toEqual([field('title')])
    expect(await sale(made.ticket_sale_id)).toMatchObject({ passengers: [{ title: 'MRS', endorsement: 'BY HAND' }] })
  })
  it('leaves a finished sale unchanged, and notifies the seat of the file of the differences', async () => {
    const { account, made, reread, sale, notified } = await readFormerly()
    await ask(cell, `update bookings set status = 'issued' where account_id = $1`, [account])
    const before = await sale(made.ticket_sale_id)
    const { data } = await reread({ commit: true })
    expect(data.changes.map((change) => [change.field, change.finished])).toEqual([
      [field('title'), true],
      [field('endorsement'), true],
    ])
    expect(await sale(made.ticket_sale_id)).toEqual(before)
    const [notification] = await notified()
    expect(notification).toMatchObject({
      title: 'Ticket file read again differs from a finished sale: ABC123',
      subject_type: 'TicketSale',
      subject_id: made.ticket_sale_id,
    })
    expect(notification?.body).toContain('passengers.title, passengers.endorsement')
  })
  it('that failed before creates its sale', async () => {
    const { agency, capture, captures, sales } = await withPrinter(cell)
    const made = await capture(airFile())
    const account = agency.number
    await ask(cell, 'delete from ticket_document_events where account_id = $1', [account])
    await ask(
      cell,
      `update ticket_captures set status = 'failed', error = 'x', document = null, ticket_sale_id = null where account_id = $1`,
      [account],
    )
    await ask(cell, 'delete from ticket_numbers where account_id = $1', [account])
    await ask(cell, 'update bookings set deleted_at = now() where account_id = $1', [account])
    const path = `/ticket_imports/${made.id}/reread`
    const { body } = await cell.call('POST', path, { key: agency.key, body: { commit: true } })
    expect((body as Answer).data).toMatchObject({ id: made.id, result: 'changed' })
    const [capturedNow] = await captures()
    expect(capturedNow).toMatchObject({ id: made.id, status: 'parsed', error: null })
    expect((await sales()).filter(({ status }) => status !== 'deleted')).toMatchObject([
      { id: capturedNow?.ticket_sale_id, totals: { sell: '300.00' } },
    ])
  })
  it('shows no values to a role that does not see all of a sale, and nothing of other accounts', async () => {
    const { agency, made, reread } = await readFormerly()
    await saveRoleOf(cell, agency.number, 'desk', ['import_tickets', 'view_money'])
    const { key } = await agency.makeKey({ role: 'desk' })
    const { data } = await reread({}, key)
    expect(data.changes).toEqual(
      [field('title'), field('endorsement')].map((name) => ({
        ticket_sale_id: made.ticket_sale_id,
        finished: false,
        field: name,
        before: null,
        after: null,
      })),
    )
    const other = await withPrinter(cell)
    const foreign = await cell.call('POST', `/ticket_imports/${made.id}/reread`, { key: other.agency.key, body: {} })
    expect(foreign.status).toBe(404)
    expect((await reread()).data.changes).toHaveLength(2)
  })
})
