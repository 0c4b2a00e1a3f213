import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { listKeys } from '../features/api-keys/api-keys.store.ts'
import { createKey } from '../features/api-keys/commands/create-key.ts'
import { revokeKey } from '../features/api-keys/commands/revoke-key.ts'
import { SCOPES } from '../platform/access/policies.ts'
import { ACCOUNT, type OfAccount, operator, several } from './command.ts'
import { listOfAccount } from './list-of-account.ts'
import { asOperator } from './with-cell.ts'

export function registerKeys(program: Command): void {
  const key = program.command('key').description('create, list and revoke API keys')
  objectCommand(
    key
      .command('create')
      .description('create an API key; it is shown only once')
      .requiredOption(...ACCOUNT)
      .requiredOption('--name <name>', 'name of the key, e.g. the integration that uses it')
      .requiredOption('--scopes <scopes>', SCOPES.join(', '), several)
      .option('--role <role>', 'role of the key; without a role, the key acts as the owner')
      .option(
        '--expires-at <time>',
        'expiry of the key as RFC 3339 time, or never; if omitted, set by the key lifetime of the account',
      )
      .option('--allow-cidr <cidr>', 'address or network that the key may be used from; may be repeated', several, []),
    (o: OfAccount & { name: string; scopes: string[]; role?: string; expiresAt?: string; allowCidr: string[] }) =>
      asOperator((tx) =>
        createKey(
          tx,
          o.account,
          { ...o, role: o.role ?? null, expiresAt: o.expiresAt ?? null, allowedCidrs: o.allowCidr },
          operator(),
        ),
      ),
    ({ id, key, expires_at }: { id: string; key: string; expires_at: string | null }) =>
      `${key}\nThis is key ${id}${expires_at === null ? '' : `, which expires at ${expires_at}`}. It is not shown again.`,
  )
  listOfAccount(key, 'keys', listKeys)
  objectCommand(
    key
      .command('revoke')
      .description('revoke an API key permanently')
      .requiredOption(...ACCOUNT)
      .requiredOption('--id <id>', 'id of the key'),
    ({ account, id }: OfAccount & { id: string }) =>
      asOperator(async (tx) => {
        await revokeKey(tx, account, id, operator())
        return { id, revoked: true }
      }),
    ({ id }: { id: string }) => `Revoked ${id}.`,
  )
}
