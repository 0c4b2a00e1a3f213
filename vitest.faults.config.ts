import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

const TEST_TIMEOUT_MS = 300_000

/** `npm run test:faults`: every fault that a cell may meet, the quick ones of `npm test` among them. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/fault/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    env: { ...base.test?.env, TEST_DEPTH: 'thorough' },
    // What is measured is how soon a process recovers, so nothing else runs beside it.
    maxWorkers: 1,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    reporters: ['verbose'],
  },
})
