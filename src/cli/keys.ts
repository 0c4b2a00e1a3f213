import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { SERVER_OPERATOR } from '../features/accounts/commands/seat-rules.ts'
import { listKeys } from '../features/api-keys/api-keys.store.ts'
import { createKey } from '../features/api-keys/commands/edit-key.ts'
import { revokeKey } from '../features/api-keys/commands/revoke-key.ts'
import { SCOPES } from '../platform/access/policies.ts'
import { ACCOUNT, type OfAccount, operator, several } from './command.ts'
import { listOfAccount } from './list-of-account.ts'
import { atAccount, idOf } from './trips/on-trip.ts'

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
      atAccount({ account: o.account }, (tx) => {
        const { name, scopes, role = null, expiresAt = null, allowCidr: allowedCidrs } = o
        return createKey(tx, SERVER_OPERATOR, { name, scopes, role, expiresAt, allowedCidrs }, operator().name)
      }),
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
      atAccount({ account }, async (tx) => {
        await revokeKey(tx, idOf('key', id))
        return { id, revoked: true }
      }),
    ({ id }: { id: string }) => `Revoked ${id}.`,
  )
}
