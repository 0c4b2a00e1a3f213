import { newDataDir, startCell } from '../cell.ts'
import { figureOf } from '../measure.ts'
import type { Case } from './case.ts'

export const start: Case = {
  name: 'start',
  async run({ rounds }) {
    const first: number[] = []
    const again: number[] = []
    for (let round = 0; round < rounds; round++) {
      const dataDir = newDataDir()
      for (const seconds of [first, again]) {
        const cell = await startCell(dataDir)
        seconds.push(cell.startMs / 1000)
        await cell.stop()
      }
    }
    return [
      figureOf({ name: 'first start ever', unit: 's', target: { atMost: 8 } }, first),
      figureOf({ name: 'start on an existing data folder', unit: 's', target: { atMost: 1.5 } }, again),
    ]
  },
}
