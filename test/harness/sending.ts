import { randomUUIDv7 } from 'node:crypto'
import type { Deps } from '../../src/deps.ts'
import { type QueuedMessage, queueMessages } from '../../src/features/communications/commands/queue-messages.ts'
import { sendQueue } from '../../src/features/communications/sending/sends.job.ts'
import type { Transport } from '../../src/features/communications/sending/sends.store.ts'
import { domainOf } from '../../src/platform/mail/mail-address.ts'
import { type SmtpTimeouts, smtpMail } from '../../src/platform/mail/smtp.ts'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { CERTIFICATE } from './certificate.ts'
import type { Smtp } from './smtp.ts'
import { ask } from './sql.ts'
import { GO_ON } from './worker.ts'

export type Kept = {
  readonly id: string
  readonly status: string
  readonly failure_reason: string | null
  readonly external_id: string | null
  readonly metadata: Record<string, unknown> | null
  readonly attempts: number | null
}

export const CELL_MAIL = { name: 'Backdesk', address: 'mail@backdesk.example' }
export const messageIdOf = (id: string): string => `<${id}@${domainOf(CELL_MAIL.address)}>`
const IMPATIENT: SmtpTimeouts = { connectMs: 2_000, greetingMs: 2_000, silenceMs: 800 }

/** Hands mails to a server of the tests, whose certificate is believed. */
export const mailTo = ({ address }: Smtp, timeouts = IMPATIENT) =>
  smtpMail(address, { timeouts, tls: { ca: CERTIFICATE.cert, servername: CERTIFICATE.name } })

/** Queues a message of an agency and answers its id. */
export async function queueMessage(
  { deps: { db } }: TestCell,
  { number, company }: Pick<Agency, 'number' | 'company'>,
  given: Partial<QueuedMessage> & { files?: readonly string[] } = {},
): Promise<string> {
  const { files: _, ...message } = given
  const id = given.id ?? randomUUIDv7()
  await db.inAccount(number, async (tx) =>
    queueMessages(tx, [
      {
        channel: 'email',
        purpose: 'conversation',
        company: company.id,
        customer: null,
        trip: null,
        subject: 'Your trip',
        plain: 'Good morning',
        html: null,
        from: null,
        replyTo: null,
        to: ['ayse@example.com'],
        cc: [],
        thread: null,
        inReplyTo: null,
        externalId: null,
        author: null,
        ...message,
        id,
      },
    ]),
  )
  return id
}

/** Sends everything due on a transport, concurrently. */
export async function sendDue(
  deps: Deps,
  transport: Transport = 'mail',
  times: Parameters<typeof sendQueue>[2] = {},
): Promise<void> {
  const queue = sendQueue(deps, transport, times)
  const running: Promise<void>[] = []
  for (let job = await queue.claim(); job; job = await queue.claim()) running.push(job(GO_ON))
  await Promise.all(running)
}

/** Ends the waits between attempts, and the leases of dead workers. */
export const letPass = (cell: TestCell): Promise<unknown> =>
  ask(cell, 'update message_sends set next_attempt_at = now()')

/** The stored state of messages, in the order of these ids; `attempts` is null once they are finished. */
export async function keptOf(cell: TestCell, ...ids: readonly string[]): Promise<Kept[]> {
  const rows = await ask<Kept>(
    cell,
    `select c.id, c.status, c.failure_reason, c.external_id, c.metadata, s.attempts
     from communications c left join message_sends s on s.account_id = c.account_id and s.communication_id = c.id
     where c.id = any($1)`,
    [ids],
  )
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])
}
