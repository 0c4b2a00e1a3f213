import { beforeAll, vi } from 'vitest'
import { endAll } from './at-end.ts'

// The function returned by the first hook runs after all other hooks of the file. Files share a process, and vitest
// keeps a fake clock for the next one, in which no timeout would ever expire.
beforeAll(() => () => {
  vi.useRealTimers()
  return endAll()
})
