import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { replaceSigningKeys } from '../features/privacy/commands/replace-signing-keys.ts'
import { rotateCellSecret } from '../features/privacy/commands/rotate-cell-secret.ts'
import { auditCell } from '../platform/backup/audit-cell.ts'
import { operator } from './command.ts'
import { withCell } from './with-cell.ts'

export function registerSecret(program: Command): void {
  const secret = program.command('secret').description('change the SECRET of the cell')
  objectCommand(
    secret
      .command('rotate')
      .description('wrap all keys by SECRET instead of SECRET_PREVIOUS; links, cursors and sealed data stay valid')
      .option('--compromised', 'also replace the signing keys; only links to unsubscribe stay valid'),
    ({ compromised = false }: { compromised?: boolean }) =>
      withCell(async ({ deps: { db, keyWraps, accountSecrets }, connection }) => {
        const { wrapped } = await rotateCellSecret(db, keyWraps)
        if (wrapped > 0) await auditCell(connection, operator(), 'cell.secret_rotated', { wrapped })
        if (!compromised) return { wrapped, replaced: 0 }
        const { replaced } = await replaceSigningKeys(db, keyWraps, accountSecrets)
        await auditCell(connection, operator(), 'cell.signing_keys_replaced', { replaced })
        return { wrapped, replaced }
      }),
    rotatedText,
  )
}

const rotatedText = ({ wrapped, replaced }: { wrapped: number; replaced: number }): string =>
  [
    wrapped > 0
      ? `Wrapped ${wrapped} keys by SECRET. Remove SECRET_PREVIOUS and restart the processes.`
      : 'All keys are wrapped by SECRET already.',
    replaced > 0 && `Replaced the signing keys of ${replaced} accounts.`,
  ]
    .filter(Boolean)
    .join('\n')
