import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BareConfig } from './bare.ts'
import { atEnd } from './cleanup.ts'

/** Starts a bare server and returns its address. It ends with this process. */
export async function startBare(config: BareConfig): Promise<string> {
  const child = fork(join(import.meta.dirname, 'bare.ts'))
  atEnd(async () => {
    const gone = once(child, 'exit')
    if (child.connected) child.disconnect()
    if (child.exitCode === null) await gone
  })
  child.send(config)
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  return url.replace('127.0.0.1', 'localhost').replace('[::1]', 'localhost')
}
