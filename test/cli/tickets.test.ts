import { beforeAll, describe, expect, it } from 'vitest'
import { airFile } from '../harness/air.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { environmentOf, outputOf } from '../harness/command-line.ts'
import { withPrinter } from '../harness/printer.ts'
import { temporaryFolder } from '../harness/process.ts'
import { ask } from '../harness/sql.ts'

const folder = temporaryFolder()
/** The secret of the commands, which open the stored files. */
const SECRET = 'tickets of the command line'.padEnd(32, '.')
let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted }, cellSecret: SECRET })
})

/** More than the command reads in two pages. */
const COPIES = 230

/** A capture read by a former parser, and failed captures on several pages that were stored before causes were. */
async function formerCaptures() {
  const printer = await withPrinter(cell)
  const { agency, capture } = printer
  const made = await capture(airFile())
  const failed = await capture('HELLO 123')
  const account = agency.number
  await ask(
    cell,
    `update ticket_captures set document = jsonb_set(document, '{passengers,0,title}', 'null') where account_id = $1 and id = $2`,
    [account, made.id],
  )
  await ask(cell, `update tickets set passengers = jsonb_set(passengers, '{0,title}', 'null') where account_id = $1`, [
    account,
  ])
  await ask(
    cell,
    `update ticket_captures set cause = null, excerpt = null, error = 'x' where account_id = $1 and id = $2`,
    [account, failed.id],
  )
  await ask(
    cell,
    `insert into ticket_captures select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()))).*
     from ticket_captures t, generate_series(1, ${COPIES}) where t.account_id = $1 and t.id = $2`,
    [account, failed.id],
  )
  const described = () =>
    ask(
      cell,
      `select count(*)::integer as count, cause, excerpt, error from ticket_captures
       where account_id = $1 and status = 'failed' group by cause, excerpt, error`,
      [account],
    )
  const reread = (...more: string[]) =>
    outputOf(['ticket', 'reread', '--account', String(account), '--since', '2020-01-01', ...more], folder, {
      ...environmentOf(cell),
      SECRET,
    })
  return { ...printer, made, described, reread }
}

describe('backdesk ticket reread', () => {
  it('reads every page of captures, and changes sales and failed captures only with --commit', async () => {
    const { made, sale, described, reread } = await formerCaptures()
    const counts = { captures: COPIES + 2, changed: 1, failed: COPIES + 1 }
    const change = { sale: made.ticket_sale_id, finished: false, before: null, after: 'MRS' }
    const differences = [
      {
        id: made.id,
        result: 'changed',
        error: null,
        changes: [{ ...change, field: 'passengers[2352400000001].title' }],
      },
    ]
    expect(JSON.parse(await reread('--json'))).toEqual({ ...counts, committed: false, differences })
    expect(await sale(made.ticket_sale_id)).toMatchObject({ passengers: [{ title: null }] })
    expect(await described()).toEqual([{ count: COPIES + 1, cause: null, excerpt: null, error: 'x' }])

    expect(JSON.parse(await reread('--json', '--commit'))).toEqual({ ...counts, committed: true, differences })
    expect(await sale(made.ticket_sale_id)).toMatchObject({ passengers: [{ title: 'MRS' }] })
    expect(await described()).toEqual([
      {
        count: COPIES + 1,
        cause: 'unknown_format',
        excerpt: 'AAAAA 999',
        error: expect.stringContaining('not in a ticket-printer format'),
      },
    ])

    expect(await reread('--commit')).toContain(
      `${COPIES + 2} captures read again, 0 differ, ${COPIES + 1} cannot be read.`,
    )
  })
  it('reads no captures before the day', async () => {
    const { reread } = await formerCaptures()
    expect(await reread('--since', '2200-01-01')).toContain('0 captures read again')
  })
})
