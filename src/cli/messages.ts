import type { Command } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { requireAccount } from '../features/accounts/reads/require-account.ts'
import { MESSAGE_STATUSES } from '../features/communications/message-kinds.ts'
import { type MessageRow, messageRows, wholeMessage } from '../features/communications/reads/message-rows.ts'
import { RecordNotFound, UserError } from '../platform/user-error.ts'
import { recordId } from './at-desk.ts'
import { ACCOUNT, limitUpTo, type OfAccount } from './command.ts'
import { asOperator } from './with-cell.ts'

const LISTED = 50
const MOST = 10_000

type Asked = OfAccount & { readonly status?: string | null; readonly limit: number }

export function registerMessages(program: Command): void {
  const message = program.command('message').description('show the delivery status of messages, without their content')
  objectCommand(
    message
      .command('list')
      .description('list messages that are pending or failed, newest first')
      .requiredOption(...ACCOUNT)
      .option('--status <status>', `only messages with this status: ${MESSAGE_STATUSES.join(', ')}`, knownStatus)
      .option('--limit <n>', `maximum number, up to ${MOST}`, limitUpTo(MOST), LISTED),
    ({ account, status = null, limit }: Asked) =>
      asOperator(async (tx) => {
        await requireAccount(tx, account)
        return { messages: await tx.all(messageRows, { account, status, id: null, limit }) }
      }),
    ({ messages }: { messages: MessageRow[] }) => table(messages),
  )
  objectCommand(
    message
      .command('show')
      .description('show the delivery status of a message')
      .argument('<id>', 'id of the message')
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount, named = '') =>
      asOperator(async (tx) => {
        const id = recordId(named)
        await requireAccount(tx, account)
        const [row] = await tx.all(messageRows, { account, status: null, id, limit: 1 })
        if (!row) throw new RecordNotFound('message', 'No such message exists in this account.')
        return { ...row, ...(await tx.one(wholeMessage, { account, id })) }
      }),
    (answer: object) =>
      Object.entries(answer)
        .map(([name, value]) => `${name}: ${value ?? '-'}`)
        .join('\n'),
  )
}

function knownStatus(text: string): string {
  if (MESSAGE_STATUSES.some((status) => status === text)) return text
  throw new UserError('invalid_value', `No status ${text} exists. Choose one of ${MESSAGE_STATUSES.join(', ')}.`)
}
