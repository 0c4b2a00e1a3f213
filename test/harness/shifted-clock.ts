import { onTestFinished } from 'vitest'

/** Puts the clock of this process forward, or back, until the test is over; it goes on from there. Not performance.now(). */
export function shiftedClock(): { by(ms: number): void } {
  const Real = globalThis.Date
  let ahead = 0
  globalThis.Date = class extends Real {
    // Without arguments it is the time that it is said to be.
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
