import { expect, it } from 'vitest'
import { importRows, makeAgency } from '../harness/agency.ts'
import { startCell, uncounted } from '../harness/cell.ts'
import { byDepth } from '../harness/depth.ts'

const BATCHES = byDepth(12, 30)

it('an account that imports many batches at once leaves the database to the others, and all of them go in', {
  timeout: 60_000,
}, async () => {
  const cell = await startCell({ deps: { count: uncounted } })
  const [busy, other] = [await makeAgency(cell), await makeAgency(cell)]
  let done = 0
  const batches = Array.from({ length: BATCHES }, async (_, batch) => {
    const rows = Array.from({ length: 200 }, (_, at) => ({ external_id: `B${batch}-${at}`, name: 'Someone' }))
    const { counts } = await importRows(cell, busy.key, 'customers', rows)
    done++
    return counts.created
  })
  const answer = await cell.call('GET', '/workspace', { key: other.key })
  expect([answer.status, done < BATCHES]).toEqual([200, true])
  expect(await Promise.all(batches)).toEqual(Array(BATCHES).fill(200))
})
