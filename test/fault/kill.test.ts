import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { checkHistory } from '../harness/check-history.ts'
import { byDepth } from '../harness/depth.ts'
import { startClients } from '../harness/history.ts'
import { ask } from '../harness/sql.ts'
import { prepareStorm, seededChance, startProcess } from '../harness/storm.ts'

const KILLS = Number(process.env.FAULT_KILLS ?? byDepth(2, 100))
const PROCESSES = byDepth(1, 2)
const AGENCIES = byDepth(2, 4)
/** A process that has just started. */
const LONGEST_LIFE_MS = 900
/** The claims of a killed worker become free when their lease expires. */
const LEASES_END_MS = 500

it(`processes killed at ${KILLS} random moments lose no import, double none, and replay the very answer`, {
  timeout: 900_000,
}, async () => {
  const any = seededChance()
  const { cell, agencies } = await prepareStorm(AGENCIES)
  const processes = await Promise.all(Array.from({ length: PROCESSES }, () => startProcess(cell)))
  const clients = startClients(() => processes[any(PROCESSES)]?.url ?? '', agencies, any)
  const release = () => ask(cell, 'update import_batches set next_attempt_at = now() where leased_by is not null')
  const leases = setInterval(() => void release().catch(() => {}), LEASES_END_MS)

  const lives = processes.map(async (process, at) => {
    for (let kill = at; kill < KILLS; kill += PROCESSES) {
      await sleep(any(LONGEST_LIFE_MS))
      await process.kill()
      await process.start()
    }
  })
  await Promise.all(lives)
  await clients.stop()
  const found = await checkHistory(cell, agencies, clients.history)
  clearInterval(leases)
  console.log(found)
  expect(found.accepted).toBeGreaterThan(KILLS / 2)
})
