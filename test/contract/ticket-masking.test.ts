import { beforeAll, describe, expect, it } from 'vitest'
import type { Policy } from '../../src/platform/access/policies.ts'
import { airFile, refundFile } from '../harness/air.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { type Capture, withPrinter } from '../harness/printer.ts'
import { saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})

/** An agency's printer, and its captures as seen by a role with these policies besides `import_tickets`. */
async function seenBy(...policies: Policy[]) {
  const printer = await withPrinter(cell)
  const { number, makeKey } = printer.agency
  await saveRoleOf(cell, number, 'desk', ['import_tickets', ...policies])
  const { key } = await makeKey({ role: 'desk' })
  const shown = async (id: string) =>
    ((await cell.call('GET', `/ticket_imports/${id}`, { key })).body as { data: Capture }).data
  return { ...printer, key, shown }
}
/** An AIR with unreadable commission and total, for a passenger of an unknown type. */
const odd = airFile({ tickets: [{ number: '2400000001', name: 'YILMAZ/AYSE MRS(QQQ)' }] }).replace(
  'FM*M*3',
  'FM*M*3QZ7',
)
const codesOf = ({ warnings }: Capture) => warnings.map(({ code }) => code)

describe('a role', () => {
  it('that may not see money or personal data gets no warnings, because they may quote either', async () => {
    for (const policy of ['view_money', 'view_personal_data'] as const) {
      const { capture, send, shown, key } = await seenBy(policy)
      const { id, ...made } = await capture(odd)
      expect(made.warnings.length).toBeGreaterThan(0)
      expect(await shown(id)).toMatchObject({ id, status: 'parsed', warnings: [] })
      await capture(refundFile())
      const { body } = await send(refundFile({ sequence: '0500000002', total: '250.00' }), {}, key)
      expect(body).toMatchObject({ status: 'duplicate', warnings: [] })
    }
  })
  it('that may not see costs gets no warning about a commission', async () => {
    const { agency, capture, shown } = await seenBy('view_money', 'view_personal_data')
    const { id, ...made } = await capture(airFile())
    const warnings = JSON.stringify([
      { code: 'commission', message: '7.20' },
      { code: 'other', message: '' },
    ])
    await ask(cell, `update ticket_captures set warnings = $2 where account_id = $1`, [agency.number, warnings])
    expect(codesOf({ id, ...made })).toContain('supplier_not_found')
    expect(codesOf(await shown(id))).toEqual(['other'])
  })
  it('without personal data sees that a file failed, but not why', async () => {
    const { capture, send, shown, key } = await seenBy()
    const { id, error } = await capture('ITINERARY FOR YILMAZ')
    const seen = await shown(id)
    expect(seen).toMatchObject({ status: 'failed', error: expect.stringMatching(/role/) })
    expect(seen.error).not.toBe(error)
    expect((await send('ITINERARY FOR YILMAZ', {}, key)).body).toMatchObject({ error: seen.error, code: 'unparseable' })
  })
})

describe('a capture', () => {
  it('stores of its agent only what is needed', async () => {
    const { agency, capture } = await withPrinter(cell)
    const agent = { version: '1.0', host: 'DESK-1' }
    const refused = await capture(airFile(), { agent: { ...agent, more: 'x'.repeat(100_000) } })
    expect(refused).toMatchObject({ answered: 422, details: { 'agent.more': [expect.any(String)] } })
    await capture(airFile(), { agent })
    await capture(airFile(), { agent })
    const kept = await ask(cell, 'select agent from ticket_captures where account_id = $1', [agency.number])
    expect(kept).toEqual([1, 2].map(() => ({ agent: { version: '1.0', host: 'DESK-1' } })))
  })
})
