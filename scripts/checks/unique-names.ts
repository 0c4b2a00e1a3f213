// An exported name has one meaning: types, functions and constants of the program, the demo and the packages have
// unique exported names.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** Files whose names are always written behind the name of their module: `pg.uuid`. */
const QUALIFIED = ['src/platform/db/pg-types.ts']
const EXPORTED = /^export (?:async )?(?:const|function\*?|type|class) (\w+)/gm

const places = globSync(['src/**/*.ts', 'demo/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts') && !QUALIFIED.includes(file))
  .flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(EXPORTED)].map(([, name]) => ({ name: String(name), file })),
  )
if (places.length === 0) throw new Error('Found no exported name: the pattern matches nothing.')
const double = [...Map.groupBy(places, ({ name }) => name)].filter(([, same]) => same.length > 1)
for (const [name, same] of double)
  console.log(`${name} is exported by ${same.map(({ file }) => file).join(' and ')}. Name one of them by what differs.`)
process.exitCode = double.length === 0 ? 0 : 1
