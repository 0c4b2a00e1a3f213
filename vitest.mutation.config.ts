import { defineConfig } from 'vitest/config'
import { GROUPS } from './scripts/mutation/groups.ts'

const group = process.env.MUTATION_GROUP as keyof typeof GROUPS

/** The tests of one group of modules, which `npm run mutation` runs for each of its mutants. */
export default defineConfig({ test: { include: [...GROUPS[group].tests], env: { TZ: 'UTC' } } })
