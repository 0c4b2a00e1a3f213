// Checks imports by the rules of .dependency-cruiser.js, the absence of cycles between folders, and that SQL is in
// files named for it.
import './typescript-api.ts' // first: dependency-cruiser looks for TypeScript while it loads
import { existsSync } from 'node:fs'
import { cruise, format } from 'dependency-cruiser'
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { folderCycles } from './folder-cycles.ts'
import { misplacedSql } from './sql-files.ts'

const folders = ['src', 'packages', 'demo', 'test', 'bench', 'samples', 'scripts', 'bin'].filter((folder) =>
  existsSync(folder),
)
const options = await extractOptions('./.dependency-cruiser.js')
const { output } = await cruise(folders, options, undefined, { tsConfig: extractTsConfig('tsconfig.json') })
if (typeof output === 'string') throw new Error(output)

// Without a parser dependency-cruiser finds no .ts file, and no fault with it.
if (!output.modules.some(({ source }) => source.endsWith('.ts'))) throw new Error('dependency-cruiser read no .ts file')
const report = await format(output, { outputType: 'err-long' })
process.stdout.write(`${report.output}`)
const cycles = folderCycles(output.modules)
for (const problem of cycles) console.log(`  error no-circular-folders: ${problem}`)
const misplaced = misplacedSql()
for (const problem of misplaced) console.log(`  error sql-in-stores: ${problem}`)
process.exitCode = report.exitCode + cycles.length + misplaced.length === 0 ? 0 : 1 // they count errors
