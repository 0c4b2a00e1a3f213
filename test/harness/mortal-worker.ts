import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from './at-end.ts'
import type { TestCell } from './cell.ts'
import { environmentOf } from './command-line.ts'
import { end, temporaryFolder, work } from './process.ts'
import { askPastWalls } from './sql.ts'

export type MortalWorker = { readonly child: ChildProcess; kill(): Promise<void> }

/** Starts `backdesk worker` on the database of a cell, as a process of its own that can be killed. */
export async function startMortalWorker(
  cell: TestCell,
  environment: Readonly<Record<string, string>> = {},
): Promise<MortalWorker> {
  const sessions = async () =>
    (
      await askPastWalls<{ pid: number }>(
        cell,
        `select pid from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend' and application_name <> 'a test'`,
      )
    ).map(({ pid }) => pid)
  const before = await sessions()
  const child = await work(temporaryFolder(), { ...environmentOf(cell), ...environment })
  atEnd(async () => void (await end(child, 'SIGKILL'))) // where a test failed before it did
  return {
    child,
    // The server still executes what was sent, which may take a lease, until it has read its connections to the end.
    async kill() {
      await end(child, 'SIGKILL')
      while ((await sessions()).some((pid) => !before.includes(pid))) await sleep(5)
    },
  }
}
