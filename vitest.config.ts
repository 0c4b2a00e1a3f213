import { configDefaults, defineConfig } from 'vitest/config'

const TEST_TIMEOUT_MS = 30_000
const HOOK_TIMEOUT_MS = 60_000

export default defineConfig({
  test: {
    include: ['{src,packages,demo}/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/fault/thorough/**'], // minutes: npm run test:faults
    globalSetup: 'test/harness/global-setup.ts',
    setupFiles: 'test/harness/each-file.ts',
    env: { TZ: 'UTC', NODE_ENV: 'test' }, // npm sets NODE_ENV to production, since .npmrc omits the tools
    pool: 'forks',
    // Tests make much that is soon forgotten; to collect it less often saves a fifteenth of the time.
    execArgv: ['--max-semi-space-size=64'],
    // Two processes run all files, so that the program is loaded and compiled twice and not once for each file.
    isolate: false,
    maxWorkers: 2,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: HOOK_TIMEOUT_MS,
    reporters: ['default'],
  },
})
