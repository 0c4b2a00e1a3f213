import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Agency, makeAgencies } from '../agencies.ts'
import { newDataDir, residentMb, startCell } from '../cell.ts'
import { signIn } from '../console.ts'
import { figureOf } from '../measure.ts'
import type { Case } from './case.ts'

const STREAMS = 1_000
const OF_A_SEAT = 10
const SETTLES_MS = 10_000
const READINGS = 5

type Opened = { readonly end: () => void }
async function open(url: string, headers: Record<string, string>): Promise<Opened> {
  const request = get(`${url}/app/v1/stream`, { headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`The stream answered ${response.statusCode}`)
  response.resume().on('error', () => {})
  return { end: () => void request.destroy() }
}

/** The least of some readings, since garbage comes and goes. */
async function settledMb(pid: number): Promise<number> {
  await sleep(SETTLES_MS)
  const readings: number[] = []
  for (let n = 0; n < READINGS; n++) {
    readings.push(residentMb(pid))
    await sleep(1_000)
  }
  return Math.min(...readings)
}

/** What idle event streams take of the memory of a process, over real connections. */
export const streams: Case = {
  name: 'streams',
  async run({ rounds }) {
    const agencies = await makeAgencies(await startCell(newDataDir()), 1)
    const { cell } = agencies
    const browsers = await signIn(agencies, agencies.all[0] as Agency, STREAMS / OF_A_SEAT)
    const openAll = () =>
      Promise.all(browsers.flatMap((browser) => Array.from({ length: OF_A_SEAT }, () => open(cell.url, browser))))
    const taken: number[] = []
    for (let round = 0; round < Math.min(rounds, 3); round++) {
      const before = await settledMb(cell.pid)
      const opened = await openAll()
      taken.push((await settledMb(cell.pid)) - before)
      for (const { end } of opened) end()
    }
    await cell.stop()
    return [
      figureOf({ name: `${STREAMS} idle event streams`, unit: 'MB', target: { atMost: 20 } }, [taken[0] as number]),
    ]
  },
}
