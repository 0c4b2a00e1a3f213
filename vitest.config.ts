import { defineConfig } from 'vitest/config'

const TEST_TIMEOUT_MS = 30_000
const HOOK_TIMEOUT_MS = 60_000

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/harness/global-setup.ts',
    env: { TZ: 'UTC' },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: HOOK_TIMEOUT_MS,
    reporters: ['default'],
  },
})
