import type { Command } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { findDesk } from '../features/accounts/reads/find-desk.ts'
import { redeliver, redeliverFailed } from '../features/webhooks/commands/redeliver.ts'
import { DELIVERY_STATUSES } from '../features/webhooks/delivery-queue.store.ts'
import { deliveriesOf, webhooksOf } from '../features/webhooks/operator.store.ts'
import { lockWebhookRow } from '../features/webhooks/webhooks.store.ts'
import type { AccountTx } from '../platform/db/account-tx.ts'
import { noSuch } from '../platform/http/by-id.ts'
import { readInstant } from '../platform/time.ts'
import { UserError } from '../platform/user-error.ts'
import { recordId } from './at-desk.ts'
import { ACCOUNT, limitUpTo, type OfAccount } from './command.ts'
import { listOfAccount } from './list-of-account.ts'
import { withCell } from './with-cell.ts'

const LISTED = 50
const MOST = 10_000

type ListOptions = OfAccount & { status?: string; limit: number }
type RedeliverOptions = OfAccount & { delivery?: string; since?: string; until?: string }

export function registerWebhooks(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('list webhooks and their deliveries, and send deliveries again')
  listOfAccount(webhooks, 'webhooks', webhooksOf)
  const ofWebhook = (name: string, about: string) =>
    webhooks
      .command(name)
      .description(about)
      .argument('<webhook>', 'id of the webhook')
      .requiredOption(...ACCOUNT)
  objectCommand(
    ofWebhook('deliveries', 'list the deliveries of a webhook, newest first')
      .option('--status <status>', DELIVERY_STATUSES.join(', '), known)
      .option('--limit <n>', `maximum number, up to ${MOST}`, limitUpTo(MOST), LISTED),
    (options: ListOptions, webhook = '') =>
      inAccount(options, async (tx) => {
        const { status = null, limit } = options
        const id = recordId(webhook)
        if (!(await tx.one(lockWebhookRow, { id }))) throw noSuch('webhook')
        return { deliveries: await tx.all(deliveriesOf, { webhook: id, status, limit }) }
      }),
    ({ deliveries }: { deliveries: object[] }) => table(deliveries),
  )
  objectCommand(
    ofWebhook('redeliver', 'send a delivery again, or all failed deliveries of a period')
      .option('--delivery <id>', 'the delivery')
      .option('--since <time>', 'RFC 3339 time: start of the period')
      .option('--until <time>', 'RFC 3339 time: end of the period; now if omitted'),
    (options: RedeliverOptions, webhook = '') =>
      inAccount(options, (tx, timeZone) => sendAgain(tx, timeZone, recordId(webhook), options)),
    ({ redelivered }: { redelivered: number }) => `Queued ${redelivered} deliveries.`,
  )
}

const inAccount = <T>({ account }: OfAccount, work: (tx: AccountTx, timeZone: string) => Promise<T>): Promise<T> =>
  withCell(({ deps }) =>
    deps.db.inAccount(account, async (tx) => {
      const { time_zone } = await findDesk(tx, null)
      return work(tx, time_zone)
    }),
  )

async function sendAgain(
  tx: AccountTx,
  timeZone: string,
  webhook: string,
  { delivery, since, until }: RedeliverOptions,
): Promise<{ redelivered: number; delivery?: string }> {
  if ((delivery === undefined) === (since === undefined))
    throw new UserError('invalid_value', 'Use either --delivery or --since.')
  if (delivery !== undefined) return { redelivered: 1, delivery: await redeliver(tx, webhook, recordId(delivery)) }
  const span = {
    since: instant('--since', since as string, timeZone),
    until: until === undefined ? null : instant('--until', until, timeZone),
  }
  return { redelivered: await redeliverFailed(tx, webhook, span) }
}

function instant(option: string, text: string, timeZone: string): string {
  const read = readInstant(text, timeZone)
  if (read !== null) return read
  throw new UserError('invalid_value', `${option} takes a time such as 2026-05-01T14:30:00Z, not ${text}.`)
}

function known(text: string): string {
  if (DELIVERY_STATUSES.some((status) => status === text)) return text
  throw new UserError('invalid_value', `--status takes one of ${DELIVERY_STATUSES.join(', ')}, not ${text}.`)
}
