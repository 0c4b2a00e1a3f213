import { enableCompileCache } from 'node:module'

// What was compiled is kept between starts, which halves them; so this comes before everything else is loaded.
enableCompileCache()
process.env.TZ = 'UTC'
const { runProgram } = await import('./cli/program.ts')
await runProgram()
