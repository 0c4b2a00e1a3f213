import { beforeAll, describe, expect, it } from 'vitest'
import { afterwards, airFile } from '../harness/air.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { withPrinter } from '../harness/printer.ts'
import { ask } from '../harness/sql.ts'

type Group = { cause: string | null; format: string; count: number; last_capture_id: string; excerpt: string | null }

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})
const failuresOf = async ({ key }: { key: string }) =>
  ((await cell.call('GET', '/ticket_imports/failures', { key })).body as { data: Group[] }).data

describe('the report of failed captures', () => {
  it('groups them by cause, with the latest excerpt, and without those of other agencies', async () => {
    const { agency, capture } = await withPrinter(cell)
    const other = await withPrinter(cell)
    await other.capture('%PDF-1.7')
    await capture(airFile())
    const first = await capture('ITINERARY FOR YILMAZ/AYSE 240.00')
    const last = await capture('ITINERARY FOR OZTURK/CAN 1.00')
    expect([first.cause, last.cause]).toEqual(['not_a_ticket_file', 'not_a_ticket_file'])
    await capture('ITINERARY FOR OZTURK/CAN 1.00')
    const cut = await capture(airFile({ tickets: ['2400000002'] }).replace(/ENDX\s*$/, ''))
    const groups = await failuresOf(agency)
    expect(groups).toMatchObject([
      {
        cause: 'not_a_ticket_file',
        provider: 'unknown',
        format: 'unknown',
        count: 2,
        last_capture_id: last.id,
        excerpt: 'AAAAAAAAA AAA AAAAAA/AAA 9.99',
      },
      { cause: 'incomplete', provider: 'amadeus', format: 'air', count: 1, last_capture_id: cut.id },
    ])
    expect(groups[1]?.excerpt).toMatch(/^AIR-BLK207;/)
    expect(groups[1]?.excerpt).not.toMatch(/YILMAZ|2400000002|240\.00/)
  })

  it.each([
    ['empty', ''],
    ['unknown_format', 'hello'],
    ['unknown_format', '<Order/>'],
    ['damaged', '<Order><Item>'],
    ['training', airFile().replace(';7A;;', ';7A;T;')],
    ['not_held', afterwards('VOID', { tickets: ['2400000001'] })],
  ])('names the cause %s', async (cause, file) => {
    const { capture, agency } = await withPrinter(cell)
    expect(await capture(file)).toMatchObject({ status: 'failed', cause })
    expect(await failuresOf(agency)).toMatchObject([{ cause, count: 1 }])
  })

  it('drops a capture that succeeds when sent again, and includes those from before causes existed', async () => {
    const { agency, capture } = await withPrinter(cell)
    const file = afterwards('VOID', { tickets: ['2400000001'] })
    await capture(file)
    await capture('hello')
    await ask(
      cell,
      `update ticket_captures set cause = null, excerpt = null where account_id = $1 and format = 'unknown'`,
      [agency.number],
    )
    await capture(airFile())
    expect(await capture(file)).toMatchObject({ cause: null, status: 'duplicate' })
    expect(await failuresOf(agency)).toMatchObject([{ cause: null, format: 'unknown', count: 1, excerpt: null }])
  })
})
