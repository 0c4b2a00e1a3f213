import { setTimeout } from 'node:timers/promises'
import { isDatabaseFull, isDatabaseTimeout, isDatabaseUnavailable } from '../../../platform/db/failures.ts'
import { notMovedSql } from '../../../platform/db/not-moved.ts'
import { leasedQueue } from '../../../platform/jobs/leased-queue.ts'
import type { Queue } from '../../../platform/jobs/workers.ts'
import type { Log } from '../../../platform/log.ts'
import { domainOf } from '../../../platform/mail/mail-address.ts'
import { counter } from '../../../platform/metrics/instruments.ts'
import { MESSAGE_QUEUE } from '../commands/queue-messages.ts'
import { recordSendStatus, type SendStatusUpdate } from '../commands/record-send-status.ts'
import { failedFor, type RetryLater } from './attempt-outcome.ts'
import { attemptSend, type SendingNeeds } from './attempt-send.ts'
import { keepSendLease } from './keep-send-lease.ts'
import { finishSend, leasedSends, postponeSend, SEND_ATTEMPTS, type Send, type Transport } from './sends.store.ts'

/** Messages that one process sends at once by one transport. */
const AT_ONCE = 10
/** After this time, another worker sends the messages of a crashed one. */
const LEASE_MS = 60_000
/** Time for sends in progress when the cell stops. */
const LAST_MS = 3_000
/** After the first, second … attempt. After the last one, only an unknown outcome is still looked up. */
const WAITS_MS: readonly number[] = [60_000, 5 * 60_000, 30 * 60_000, 120 * 60_000, 5 * 60_000]
const NOTE_AGAIN_MS = 1_000

const sends = counter(
  'backdesk_message_sends_total',
  'Messages processed by the send queue, by outcome; includes mails to seats.',
  ['transport', 'outcome'],
)

type Needs = SendingNeeds & { readonly log: Pick<Log, 'warn'> }
type Times = { readonly leaseMs?: number; readonly lastMs?: number; readonly noteAgainMs?: number }

/** The outgoing messages of all accounts: one queue per transport, so that neither delays the other. */
export const sendQueues = (needs: Needs): Queue[] => [sendQueue(needs, 'mail'), sendQueue(needs, 'messaging')]

/**
 * One message is one job. An attempt is committed before it begins; its outcome is recorded in the transaction that
 * deletes the queue row.
 */
export function sendQueue(
  needs: Needs,
  transport: Transport,
  { leaseMs = LEASE_MS, lastMs = LAST_MS, noteAgainMs = NOTE_AGAIN_MS }: Times = {},
): Queue {
  const { db, log, config } = needs
  /** Outcomes not recorded yet, because the database is unavailable. Until they are, a claim might take them again. */
  const unnoted = new Set<string>()

  async function work(send: Send, lease: string, stopping: AbortSignal): Promise<void> {
    const held = { account: send.account, id: send.id, lease }
    const { over, end } = keepSendLease(db, held, { leaseMs, lastMs }, stopping)
    try {
      const outcome = await attemptSend(needs, send, over)
      if ('ended' in outcome) await noteEnd(send, lease, outcome.ended, over)
      else if (!over.aborted) await noteFailure(send, lease, outcome, over)
    } finally {
      end()
    }
  }

  async function noteFailure(
    send: Send,
    lease: string,
    { later, unknown, metadata }: RetryLater,
    over: AbortSignal,
  ): Promise<void> {
    const { account, id, attempts } = send
    const ms = WAITS_MS[attempts - 1]
    if (ms !== undefined && (attempts < SEND_ATTEMPTS || unknown))
      await db.askSystem('message not sent yet; retrying later', postponeSend, { account, id, lease, ms, unknown })
    else await noteEnd(send, lease, failedFor(later, metadata).ended, over)
  }

  /**
   * A result that cannot be stored because the database is unavailable is stored as soon as possible; otherwise the
   * message would be sent again.
   */
  async function noteEnd(send: Send, lease: string, ended: SendStatusUpdate, over: AbortSignal): Promise<void> {
    const { account, id, communication } = send
    if (ended.status === 'failed')
      log.warn({ account, message: communication, reason: ended.reason }, 'message not sent')
    try {
      for (;;) {
        try {
          return await db.inAccount(account, async (tx) => {
            const isOurs = await tx.one(finishSend, { id, lease })
            if (isOurs && communication !== null) await recordSendStatus(tx, communication, ended)
            if (isOurs) tx.afterCommit(() => sends.add([transport, ended.status]))
          })
        } catch (error) {
          const isAway = isDatabaseUnavailable(error) || isDatabaseFull(error)
          if (!isAway && !isDatabaseTimeout(error)) throw error
          if (isAway) unnoted.add(id)
          log.warn({ err: error, account }, 'could not record the outcome of a message; retrying')
          await setTimeout(noteAgainMs, undefined, { signal: over })
        }
      }
    } finally {
      unnoted.delete(id)
    }
  }

  return leasedQueue(
    { db },
    {
      name: MESSAGE_QUEUE,
      rows: leasedSends,
      due: `select next_attempt_at as due_at from message_sends where transport = '${transport}' and next_attempt_at <= now() and ${notMovedSql('account_id')}`,
      leaseMs,
      given: { transport, domain: domainOf(config.mailFrom.address) },
      atOnce: AT_ONCE,
      mayClaim: () => unnoted.size === 0,
      work: ([send], lease, stopping) => work(send, lease, stopping),
    },
  )
}
