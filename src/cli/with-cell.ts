import { type Cell, openCell } from '../cell.ts'
import { type Config, readConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import type { SystemTx } from '../platform/db/system-tx.ts'
import { openLog } from '../platform/open-log.ts'
import { operator } from './command.ts'

// Separate from command.ts, so that commands that only call the API load nothing of the cell.

/** Opens the cell of the environment for one command, with its user for the audit log, and closes it afterwards. */
export async function withCell<T>(fn: (cell: Cell) => Promise<T>): Promise<T> {
  const config: Config = readConfig(process.env)
  const cell = await openCell(config, openLog(config.logLevel === 'info' ? 'warn' : config.logLevel))
  try {
    const db = cell.deps.db.as(operator())
    return await fn({ ...cell, deps: { ...cell.deps, db } })
  } finally {
    await cell.close()
  }
}

/** The same in one transaction of no account's. */
export const asOperator = <T>(fn: (tx: SystemTx, deps: Deps) => Promise<T>): Promise<T> =>
  withCell(({ deps }) => deps.db.asSystem('an operator at the command line', (tx) => fn(tx, deps)))
