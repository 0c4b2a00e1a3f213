import fs from 'node:fs/promises'
import { enableCompileCache, syncBuiltinESMExports } from 'node:module'

// An agent that kills itself before its nth step, for tests: `node dying-agent.ts <folder> <url> <n>`.
enableCompileCache()

const [folder = '', url = '', dieAt = ''] = process.argv.slice(2)
let steps = 0

/** Counts what an agent does to the world. */
function counted<A extends unknown[], T>(step: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  return (...args) => {
    steps += 1
    if (steps === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
    return step(...args)
  }
}

for (const name of ['writeFile', 'rename', 'unlink', 'rm'] as const)
  Object.assign(fs, { [name]: counted(fs[name] as never) })
syncBuiltinESMExports()
globalThis.fetch = counted(globalThis.fetch)

// Loaded after that, or they would have the functions as they were.
const { watchFolder } = await import('#client/agent/watch-folder.ts')
const { sendFile } = await import('#client/agent/send-file.ts')
const cell = { url, key: 'sek_test', encoding: null, agent: { version: '1', host: 'desk', os: 'test' } }
await watchFolder({
  folder,
  once: true,
  send: (file, stop) => sendFile(cell, file, stop),
  log: { outcome: () => {}, problem: (text) => console.error(text) },
  stop: new AbortController().signal,
  times: { steadyMs: 20, quietMs: 200, pollMs: 20, firstMs: 10, longestMs: 40 },
})
process.stdout.write(`${steps}`)
