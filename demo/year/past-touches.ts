import type { TemplateKind } from '../../src/features/communications/templates/template-kinds.ts'
import type { ScheduledKind } from '../../src/features/trips/reads/notification-kinds.ts'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import * as pg from '../../src/platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../src/platform/db/statement.ts'
import { instantSql } from '../../src/platform/db/view.ts'
import type { LetterOutcome, OldLetter } from './old-letters.ts'
import type { PastTrip } from './plan-trips.ts'
import { secondsAfter } from './timeline.ts'

/** A scheduled message that came due after the trip was created and has not been sent. */
export type Overdue = RowFrom<typeof readOverdue>
const readOverdue = statement(
  { account: pg.integer, trips: pg.list(pg.uuid) },
  {
    id: pg.uuid,
    trip: pg.uuid,
    kind: pg.textOf<
      | 'payment_due'
      | 'documents_due'
      | 'pre_departure'
      | 'online_check_in'
      | 'bon_voyage'
      | 'welcome_home'
      | 'survey'
      | 'anniversary'
      | 'rebook'
      | 'passport_check'
    >(),
    at: pg.text,
  },
  `
  select n.id, n.trip_id as trip, n.kind, ${instantSql('n.send_at')} as at
  from trip_notifications n join trips t on t.account_id = n.account_id and t.id = n.trip_id
  where n.account_id = $account and n.trip_id = any($trips::uuid[]) and n.send_at between t.created_at and now()
  order by n.send_at desc, n.trip_id, n.kind`,
)
/** A schedule has the creation time of its trip. */
const note = statement(
  { account: pg.integer, trips: pg.list(pg.uuid), outcomes: pg.jsonText },
  {},
  `
  update trip_notifications n set created_at = m.created_at, updated_at = coalesce(o.at, m.created_at),
    status = coalesce(o.status, n.status), skipped_reason = case when o.id is null then n.skipped_reason else o.reason end,
    communication_id = o.communication, sent_at = case o.status when 'sent' then o.at end
  from (select n.id, t.created_at from trip_notifications n join trips t on t.account_id = n.account_id and t.id = n.trip_id
      where n.account_id = $account and n.trip_id = any($trips::uuid[])) m
    left join json_to_recordset($outcomes::json) as o(id uuid, at timestamptz, status text, reason text, communication uuid) using (id)
  where n.account_id = $account::integer and n.id = m.id`,
)

/** The messages that were skipped. */
const SKIP_REASON_OF_KIND: Partial<Record<ScheduledKind, string>> = {
  payment_due: 'nothing_due',
  passport_check: 'nothing_to_check',
}
/** The queue checks for due messages every few seconds. */
const SENT_AFTER_SECONDS = 3

export const overdueOf = (tx: AccountTx, trips: readonly PastTrip[]): Promise<Overdue[]> =>
  tx.all(readOverdue, { trips: trips.map(({ id }) => id) })

/** The due messages; `linkOf` returns the survey link of a trip. */
export function lettersOf(
  overdue: readonly Overdue[],
  trips: readonly PastTrip[],
  linkOf: (trip: string) => string,
): OldLetter[] {
  const customers = new Map(trips.map(({ id, customer }) => [id, customer]))
  return overdue.flatMap(({ id, trip, kind, at }) =>
    SKIP_REASON_OF_KIND[kind] === undefined
      ? {
          of: id,
          kind: kind as TemplateKind,
          customer: customers.get(trip) as string,
          trip,
          at: secondsAfter(at, SENT_AFTER_SECONDS),
          values: kind === 'survey' ? { 'survey.link': linkOf(trip) } : {},
        }
      : [],
  )
}

/** Records the outcomes. */
export function noteOutcomes(
  tx: AccountTx,
  trips: readonly PastTrip[],
  overdue: readonly Overdue[],
  outcomes: ReadonlyMap<string, LetterOutcome>,
): void {
  const noted = overdue.map(({ id, kind, at }) => {
    const { status, reason, communication } = outcomes.get(id) ?? {
      status: 'skipped',
      reason: SKIP_REASON_OF_KIND[kind],
      communication: null,
    }
    return { id, at: secondsAfter(at, SENT_AFTER_SECONDS), status, reason, communication }
  })
  tx.later(note, { trips: trips.map(({ id }) => id), outcomes: JSON.stringify(noted) })
}
