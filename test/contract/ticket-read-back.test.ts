import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  BLANK_DOCUMENT,
  BLANK_FILE,
  BLANK_LEG,
  BLANK_PASSENGER,
} from '../../src/features/ticket-printer/formats/blank.ts'
import { POLICIES } from '../../src/platform/access/policies.ts'
import { importRows } from '../harness/agency.ts'
import { airFile } from '../harness/air.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { type Capture, withPrinter } from '../harness/printer.ts'
import { restrictTagOf, saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'
import { WHOLE_TICKET_FILE } from '../harness/whole-ticket-file.ts'
import { everyFixture } from '../ticket-printer/every-fixture.ts'

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})

/** A ticket file as JSON has it, with its keys in snake case. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      shown(inner),
    ]),
  )
}
const documentOf = ({ warnings: _, paid = null, ...file }: Record<string, unknown>) => shown({ ...file, paid })

/** A stored value of the same kind as `whole`, with its missing parts. */
function filled(whole: unknown, stored: unknown): unknown {
  if (Array.isArray(whole)) return ((stored ?? []) as unknown[]).map((item) => filled(whole[0], item))
  if (typeof whole !== 'object' || whole === null || stored === undefined) return stored ?? null
  return Object.fromEntries(
    Object.entries(whole).map(([name, inner]) => [name, filled(inner, (stored as Record<string, unknown>)[name])]),
  )
}
function without(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (names.has(name) ? [] : [[name, without(inner, names)]])),
  )
}

/** An agency with one capture, and its GET while the row has another document. */
async function withCapture() {
  const printer = await withPrinter(cell)
  const { id } = await printer.capture(airFile())
  const read = async (key = printer.agency.key, of = id) => {
    const { body } = await cell.call('GET', `/ticket_imports/${of}`, { key })
    return (body as { data: { document: Record<string, unknown> | null } }).data.document
  }
  const readBack = async (document: unknown) => {
    await ask(cell, 'update ticket_captures set document = $2 where id = $1', [id, JSON.stringify(document)])
    return read()
  }
  return { ...printer, id, read, readBack }
}

describe('the document of a capture', () => {
  it('contains everything that was parsed from the file', async () => {
    const { readBack } = await withCapture()
    expect(await readBack(WHOLE_TICKET_FILE)).toEqual(documentOf(WHOLE_TICKET_FILE))
    const blank = { provider: 'ndc', format: 'ndc_orderview', action: 'issue', ...BLANK_FILE }
    const nobody = { ...BLANK_PASSENGER, lastName: 'LI', firstName: '' }
    const leg = { ...BLANK_LEG, airline: 'TK', flight: 'OPEN', from: 'IST', to: 'LHR' }
    const document = { ...BLANK_DOCUMENT, number: '2352400000001', kind: 'ticket', passenger: 0 }
    for (const file of [blank, { ...blank, passengers: [nobody], legs: [leg], documents: [document] }])
      expect(await readBack(file)).toEqual(documentOf(file))
    for (const { expected } of everyFixture().filter(({ expected }) => !('unreadable' in expected)))
      expect(await readBack(expected)).toEqual(documentOf(expected as never))
  })

  it('of rows stored before a field existed has nulls and empty lists', async () => {
    const { readBack } = await withCapture()
    const { warnings: _, ...whole } = WHOLE_TICKET_FILE
    const names = new Set([...JSON.stringify(whole).matchAll(/"(\w+)":/g)].map(([, name = '']) => name))
    await fc.assert(
      fc.asyncProperty(fc.subarray([...names], { minLength: 1 }), async (missing) => {
        const stored = without(whole, new Set(missing))
        expect(await readBack(stored)).toEqual(shown(filled(whole, stored)))
      }),
      { numRuns: 30 },
    )
  })

  it('of a repeated capture is that of the first one', async () => {
    const { capture, read, id, agency } = await withCapture()
    const again = await capture(airFile())
    expect(again).toMatchObject({ status: 'duplicate' })
    expect(await read(agency.key, again.id)).toEqual(await read(agency.key, id))
    const unread = await capture('not a ticket file')
    expect(await read(agency.key, unread.id)).toBeNull()
  })

  it('hides persons and documents of a sale whose customer is restricted', async () => {
    const { agency, id, read } = await withCapture()
    const policies = POLICIES.filter((policy) => policy !== 'view_restricted_customers')
    await saveRoleOf(cell, agency.number, 'desk', policies)
    await restrictTagOf(cell, agency.number, 'vip')
    const { key } = await agency.makeKey({ role: 'desk' })
    expect(await read(key)).toEqual(await read())
    await importRows(cell, agency.key, 'customers', [{ external_id: 'C', name: 'Acme' }])
    await ask(cell, `update customers set tags = '{vip}' where account_id = $1`, [agency.number])
    await ask(
      cell,
      'update bookings b set customer_id = c.id from customers c where b.account_id = $1 and c.account_id = $1',
      [agency.number],
    )
    expect(await read(key, id)).toMatchObject({ pnr: 'ABC123', passengers: null, documents: null, remarks: null })
    expect(await read()).toMatchObject({ passengers: [{ last_name: 'YILMAZ' }] })
    const warningsFor = async (reader: string) =>
      ((await cell.call('GET', `/ticket_imports/${id}`, { key: reader })).body as { data: Capture }).data.warnings
    expect(await warningsFor(key)).toEqual([])
    expect(await warningsFor(agency.key)).not.toEqual([])
  })
})
