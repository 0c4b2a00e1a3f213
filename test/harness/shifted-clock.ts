import { onTestFinished } from 'vitest'

/**
 * Moves the clock of this process forward, or back, until the test is over; it continues from there. performance.now()
 * is not affected.
 */
export function shiftedClock(): { by(ms: number): void } {
  const Real = globalThis.Date
  let ahead = 0
  globalThis.Date = class extends Real {
    // Without arguments it is the shifted time.
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [Real.now() + ahead] : given) as [number]))
    }
    static override now(): number {
      return Real.now() + ahead
    }
  } as DateConstructor
  onTestFinished(() => {
    globalThis.Date = Real
  })
  return {
    by(ms) {
      ahead = ms
    },
  }
}
