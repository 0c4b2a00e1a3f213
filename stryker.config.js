import { env } from 'node:process'
import { GROUPS } from './scripts/mutation/groups.ts'

// Run for each group of modules by scripts/mutation.ts, which names it. A mutant that survives is read: it is killed by a
// test that states what the code promises, or the code is simpler than it was.
const group = env.MUTATION_GROUP ?? ''

/** @type {Partial<import('@stryker-mutator/core').PartialStrykerOptions>} */
export default {
  testRunner: 'vitest',
  // Related tests are found for what is not static alone; a group names its tests anyway.
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  mutate: GROUPS[group]?.mutate ?? [],
  plugins: ['@stryker-mutator/vitest-runner', './scripts/mutation/ignore.ts'],
  // Only a database tells one text of a statement from another: the contract tests hold these. SQL that is put together
  // by a rule, as masking is, is mutated like all code. The examples of kinds are there for tests.
  ignorers: ['what-is-no-rule'],
  tempDirName: `reports/sandbox-${group}`,
  ignorePatterns: ['/bench', '/data', '/samples', '/reports'],
  tsconfigFile: 'none', // the copy needs nothing rewritten in it, and this compiler is no library
  incremental: true,
  incrementalFile: `reports/mutation/${group}.incremental.json`,
  reporters: ['json', 'clear-text'],
  jsonReporter: { fileName: `reports/mutation/${group}.json` },
  clearTextReporter: { reportTests: false, allowColor: false },
  warnings: { slow: false },
  thresholds: { high: 90, low: 85, break: 80 },
}
