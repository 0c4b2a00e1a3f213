import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { rotateCellSecret } from '../features/privacy/commands/rotate-cell-secret.ts'
import { auditCell } from '../platform/backup/audit-cell.ts'
import { operator } from './command.ts'
import { withCell } from './with-cell.ts'

export function registerSecret(program: Command): void {
  const secret = program.command('secret').description('change the SECRET of the cell')
  objectCommand(
    secret
      .command('rotate')
      .description('wrap all keys by SECRET instead of SECRET_PREVIOUS; links, cursors and sealed data stay valid'),
    () =>
      withCell(async ({ deps: { db, keyWraps }, connection }) => {
        const made = await rotateCellSecret(db, keyWraps)
        if (made.wrapped > 0) await auditCell(connection, operator(), 'cell.secret_rotated', made)
        return made
      }),
    ({ wrapped }: { wrapped: number }) =>
      wrapped > 0
        ? `Wrapped ${wrapped} keys by SECRET. Remove SECRET_PREVIOUS and restart the processes.`
        : 'All keys are wrapped by SECRET already.',
  )
}
