import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { type AtWork, type Promised, SUBJECT } from './agency-at-work.ts'
import type { Receiver } from './receiver.ts'
import type { Verdict } from './verdicts.ts'

const DRAIN_MS = 600_000
const POLL_MS = 500

const waiting = `
  select (select count(*) from webhook_outbox)::integer as events,
    (select count(*) from webhook_deliveries where status = 'pending')::integer as deliveries,
    (select count(*) from message_sends)::integer as messages,
    (select count(*) from import_batches where finished_at is null)::integer as batches`

/** The queues drain once no more requests are sent. */
export async function drained(client: Client): Promise<Verdict> {
  const begin = performance.now()
  for (;;) {
    const [left] = (await client.query<Record<string, number>>(waiting)).rows
    const empty = Object.values(left ?? {}).every((count) => count === 0)
    const seconds = (performance.now() - begin) / 1000
    if (empty || performance.now() - begin > DRAIN_MS)
      return {
        what: 'the queues are worked off',
        seen: empty ? `in ${seconds.toFixed(1)} s` : JSON.stringify(left),
        holds: empty,
      }
    await sleep(POLL_MS)
  }
}

const there = `
  select (select count(*) from customers where account_id = $1 and source_system is distinct from 'ticket')::integer as customers,
    (select count(*) from leads where account_id = $1)::integer as leads,
    (select count(*) from tasks where account_id = $1)::integer as tasks,
    (select count(*) from bookings where account_id = $1 and entity = 'hotel_stays')::integer as stays,
    (select count(*) from ticket_captures where account_id = $1)::integer as captures,
    (select count(*) from communications where account_id = $1 and direction = 'outbound' and status = 'sent')::integer as messages`
const deliveries = `
  select count(*)::integer as all, count(*) filter (where status = 'succeeded')::integer as succeeded,
    count(distinct (webhook_id, event_id))::integer as events, coalesce(sum(attempts), 0)::integer as attempts
  from webhook_deliveries where account_id = any($1)`
const missingDeliveries = `
  select count(*)::integer as stays from bookings b
    left join (
      select account_id, record_id as id, count(*) as events from webhook_events where event = 'record.created' group by 1, 2
    ) e using (account_id, id)
  where b.account_id = any($1) and b.entity = 'hotel_stays' and e.events is distinct from 1`
const failed = `select count(*)::integer as batches from import_batches where status not in ('completed', 'validated', 'reverted')`

type SettledRun = {
  readonly client: Client
  readonly all: readonly AtWork[]
  readonly receiver: Receiver
  readonly dataDir: string
}

/** Everything promised exists exactly once. */
export async function settled({ client, all, receiver, dataDir }: SettledRun): Promise<Verdict[]> {
  const total = (of: readonly Promised[]) =>
    of.reduce(
      (sum, one) => Object.fromEntries(Object.entries(one).map(([k, n]) => [k, n + (sum[k as never] ?? 0)])),
      {},
    )
  const found: Promised[] = []
  for (const { agency } of all) found.push((await client.query<Promised>(there, [agency.account])).rows[0] as Promised)
  const differing = all.filter(({ promised }, at) => JSON.stringify(promised) !== JSON.stringify(found[at]))
  const accounts = all.map(({ agency }) => agency.account)
  const one = async (sql: string, values: unknown[] = []) =>
    (await client.query<Record<string, number>>(sql, values)).rows[0] ?? {}
  const [counted, lost, bad] = [
    await one(deliveries, [accounts]),
    await one(missingDeliveries, [accounts]),
    await one(failed),
  ]
  // The demo's agency writes mails as well.
  const mails = globSync(join(dataDir, 'outbox/*')).filter((mail) =>
    readFileSync(mail, 'latin1').includes(SUBJECT),
  ).length
  const sent = found.reduce((sum, { messages }) => sum + messages, 0)
  return [
    {
      what: 'every account has what it was promised, and no more',
      seen:
        differing.length === 0
          ? JSON.stringify(total(found))
          : `${JSON.stringify(total(found))} for ${JSON.stringify(total(all.map(({ promised }) => promised)))}`,
      holds: differing.length === 0,
    },
    {
      what: 'every batch was completed',
      seen: bad.batches === 0 ? 'all' : `${bad.batches} were not`,
      holds: bad.batches === 0,
    },
    {
      what: 'every new stay is one event',
      seen: lost.stays === 0 ? 'all' : `${lost.stays} are not`,
      holds: lost.stays === 0,
    },
    {
      what: 'every event came once to every subscription',
      seen: `${counted.all} deliveries, ${counted.succeeded} succeeded, ${receiver.heard.size} heard, ${counted.attempts} attempts`,
      holds:
        counted.all === counted.succeeded &&
        counted.all === counted.events &&
        counted.all === receiver.heard.size &&
        counted.all === counted.attempts,
    },
    { what: 'every mail was written once', seen: `${mails} for ${sent}`, holds: mails === sent },
  ]
}
