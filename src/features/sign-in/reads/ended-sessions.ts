import { policiesOf } from '../../../platform/access/policies.ts'
import type { Database } from '../../../platform/db/database.ts'
import { notMovedSql } from '../../../platform/db/not-moved.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { StreamReader } from '../../../platform/http/event-stream.ts'

const IDLE = `interval '12 hours'`
/** Of these sessions, the ones that cannot go on, and those whose role is one of the account, with its policies. */
const findSessions = statement(
  { accounts: pg.list(pg.integer), ids: pg.list(pg.uuid), roles: pg.list(pg.text), now: pg.float },
  { id: pg.filled(pg.uuid), ended: pg.filled(pg.boolean), policies: pg.nullable(pg.list(pg.text)) },
  `
  select * from (
    select g.id, r.policies, (e.id is null or e.ended_at is not null or e.expires_at <= to_timestamp($now::float8 / 1000)
      or e.last_used_at + ${IDLE} <= to_timestamp($now::float8 / 1000) or s.active is not true or a.status is distinct from 'active'
      or s.role <> g.role or not (${notMovedSql('g.account')})) as ended
    from unnest($accounts::integer[], $ids::uuid[], $roles::text[]) as g(account, id, role)
    left join sessions e on e.account_id = g.account and e.id = g.id
    left join seats s on s.account_id = e.account_id and s.id = e.seat_id
    left join accounts a on a.account_id = g.account
    left join roles r on r.account_id = g.account and r.name = g.role
  ) f where ended or policies is not null`,
)

/** The sessions of these readers that have ended, or whose role or its policies are others than theirs. `now` is milliseconds since the epoch. */
export async function endedSessions(
  { db, now }: { readonly db: Pick<Database, 'askSystem'>; now(): number },
  readers: readonly StreamReader[],
): Promise<ReadonlySet<string>> {
  const bySession = new Map(readers.map((reader) => [reader.session, reader]))
  const all = [...bySession.values()]
  const found = await db.askSystem('check the sessions of open streams', findSessions, {
    accounts: all.map(({ account }) => account),
    ids: all.map(({ session }) => session),
    roles: all.map(({ role }) => role),
    now: now(),
  })
  const isOther = ({ id, policies }: (typeof found)[number]): boolean => {
    const reader = bySession.get(id)
    return !reader || policiesOf(reader.role, policies) !== reader.policies
  }
  return new Set(found.filter((row) => row.ended || isOther(row)).map(({ id }) => id))
}
