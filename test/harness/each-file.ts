import { beforeAll, vi } from 'vitest'
import { endAll } from './at-end.ts'

// What the first hook answers is called after all other hooks of the file. Files share a process, and vitest leaves the
// next one the clock of this: where that stands still, nothing takes too long.
beforeAll(() => () => {
  vi.useRealTimers()
  return endAll()
})
