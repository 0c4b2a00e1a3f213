import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import { notificationItem } from './notifications.view.ts'

const OWN = 't.account_id = $account and t.seat_id = $seat'
/** Counted on each request, so that it always agrees with the list. */
const UNREAD = `(select count(*)::integer from notifications t where ${OWN} and t.read_at is null) as unread`
/** A seat's notifications, newest first. */
export const listNotifications = listing(
  { seat: pg.nullable(pg.uuid), kind: pg.text },
  { unread: 't.read_at is null', kind: 't.kind = $kind' },
  ({ policies, where, continues }) => {
    const page = pageSql(
      {
        item: viewSql(notificationItem, policies),
        from: 'notifications t',
        where: [OWN, ...where],
        keys: [
          { sql: 't.created_at', pg: 'timestamptz' },
          { sql: 't.id', pg: 'uuid' },
        ],
        descending: true,
      },
      continues,
    )
    return `select list.*, ${UNREAD} from (${page}) list`
  },
  { unread: pg.integer },
)

export const readNotification = byPolicies(
  { account: pg.integer, seat: pg.nullable(pg.uuid), id: pg.uuid },
  { item: pg.printedJson, unread: pg.integer },
  (policies) =>
    `select ${viewSql(notificationItem, policies)}::text as item, ${UNREAD} from notifications t where ${OWN} and t.id = $id`,
)
export const countUnread = statement(
  { account: pg.integer, seat: pg.nullable(pg.uuid) },
  { unread: pg.integer },
  `select ${UNREAD}`,
)
