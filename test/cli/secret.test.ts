import { expect, it } from 'vitest'
import { makeAgency } from '../harness/agency.ts'
import { startCell } from '../harness/cell.ts'
import { environmentOf, runHere } from '../harness/command-line.ts'
import { temporaryFolder } from '../harness/process.ts'
import { ask } from '../harness/sql.ts'

it('backdesk secret rotate wraps all keys by the new SECRET once, and leaves a row in each audit log', async () => {
  const cell = await startCell()
  const agencies = [await makeAgency(cell), await makeAgency(cell)]
  const { SECRET, ...environment } = environmentOf(cell)
  const folder = temporaryFolder()
  const run = (secrets: object) => runHere(['secret', 'rotate', '--json'], folder, { ...environment, ...secrets })
  const both = { SECRET: 'n'.repeat(32), SECRET_PREVIOUS: SECRET }
  expect(JSON.parse((await run(both)).stdout)).toEqual({ wrapped: 1 + 2 * agencies.length, replaced: 0 })
  expect(JSON.parse((await run({ SECRET: both.SECRET })).stdout)).toEqual({ wrapped: 0, replaced: 0 })
  const former = await run({ SECRET })
  expect([former.code, former.stdout]).toEqual([1, expect.stringContaining('SECRET_PREVIOUS')])
  expect(
    await ask(cell, `select account_id, source from audit_log where action = 'cell.secret_rotated' order by 1`),
  ).toEqual(agencies.map(({ number }) => ({ account_id: number, source: 'command line' })))
})
