import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { findDesk } from '../features/accounts/reads/find-desk.ts'
import { exportPerson } from '../features/privacy/export/commands/export-person.ts'
import { ACCOUNT, type OfAccount } from './command.ts'
import { idOf } from './trips/on-trip.ts'
import { withCell } from './with-cell.ts'

const FILE_MODE = 0o600

export function registerCustomers(program: Command): void {
  const customer = program.command('customer').description('export what is stored of a customer')
  objectCommand(
    customer
      .command('export')
      .description('write everything stored of a customer to a new ZIP file, with identity numbers in clear')
      .argument('<customer>', 'id of the customer')
      .argument('<file>', 'the new file')
      .requiredOption(...ACCOUNT),
    exportTo,
    ({ file }: { file: string }) => `Wrote ${file}. It has everything stored of this person: keep it safe.`,
  )
}

async function exportTo({ account }: OfAccount, named: string, file: string): Promise<{ id: string; file: string }> {
  const id = idOf('customer', named)
  await withCell(async ({ deps: { db, files } }) => {
    await db.inAccount(account, (tx) => findDesk(tx, null))
    const target = createWriteStream(file, { flags: 'wx', mode: FILE_MODE })
    await new Promise((resolve, reject) => void target.once('open', resolve).once('error', reject))
    try {
      await pipeline(await exportPerson(db, files.store, account, id), target)
    } catch (error) {
      target.destroy()
      await rm(file, { force: true })
      throw error
    }
  })
  return { id, file }
}
