import { residentMb } from '../cell.ts'
import { figureOf } from '../measure.ts'
import type { Case } from './case.ts'

/** After all that the other cases did to the same process. */
export const memory: Case = {
  name: 'memory',
  async run({ filled }) {
    const { cell } = await filled()
    return [figureOf({ name: 'memory after the suite', unit: 'MB', target: { atMost: 230 } }, [residentMb(cell.pid)])]
  },
}
