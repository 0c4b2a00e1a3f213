// What `npm run fuzz` runs: the small fuzz tests of `npm test`, at length. The seed is printed; the same one gives the same cases.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'

const ROOT = join(import.meta.dirname, '..')
const VITEST = 'node_modules/vitest/vitest.mjs'
const OPERATIONS = 'test/contract/fuzz.test.ts'
const READERS = ['test/fuzz/readers.test.ts', 'test/ticket-printer/mutation.test.ts']
const IMPORTS = [
  'test/contract/entities.test.ts',
  'test/imports/batches.test.ts',
  'test/imports/model.test.ts',
  'test/imports/overlap.test.ts',
]
const SEEDS = 2 ** 31

type Options = { readonly cases: number; readonly seed: number; readonly only?: string; readonly replay?: number }

const whole = (text: string): number => {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('Give a whole number.')
  return Number(text)
}
const options = new Command('npm run fuzz --')
  .description(
    'Sends generated requests, valid and spoiled, to every operation, spoiled input to every reader, and imports.',
  )
  .option('--cases <number>', 'of each operation and reader', whole, 2000)
  .option('--seed <number>', 'which cases', whole, Math.floor(Math.random() * SEEDS))
  .option('--only <operation>', 'one operation alone, as "GET /customers/:id"')
  .option('--replay <seed>', 'one case alone, with --only: the seed that its failure named', whole)
  .parse()
  .opts<Options>()

process.stdout.write(`seed ${options.seed}\n`)
const files = options.only === undefined ? [OPERATIONS, ...READERS, ...IMPORTS] : [OPERATIONS]
const child = spawn(process.execPath, [VITEST, 'run', ...files], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...process.env,
    FUZZ_CASES: String(options.cases),
    FUZZ_SEED: String(options.seed),
    ...(options.only !== undefined && { FUZZ_ONLY: options.only }),
    ...(options.replay !== undefined && { FUZZ_REPLAY: String(options.replay) }),
  },
})
child.on('close', (code) => {
  process.exitCode = code ?? 1
})
