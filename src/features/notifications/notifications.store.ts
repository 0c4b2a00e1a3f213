import { byPolicies } from '../../platform/db/by-policies.ts'
import { type PageRow, pageSql } from '../../platform/db/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import { notificationItem } from './notifications.view.ts'

type OfSeat = { account: number; seat: string | null }
type ById = OfSeat & { id: string }
type Unread = { unread: number }

const OWN = 't.account_id = $account and t.seat_id = $seat'
/** Counted and not kept, so that it is never another number than the list would show. */
const UNREAD = `(select count(*)::integer from notifications t where ${OWN} and t.read_at is null) as unread`
const FILTERS = { unread: 't.read_at is null', kind: 't.kind = $kind' } as const
type ListInput = OfSeat & { limit: number; kind?: string; after?: readonly string[] }

/** A seat's notifications, newest first. `variant` names the filters, and `after` for a page that continues. */
export const listNotifications = byPolicies<ListInput, PageRow & Unread>((policies, variant) => {
  const names = variant.split(' ')
  const page = pageSql(
    {
      item: viewSql(notificationItem, policies),
      from: 'notifications t',
      where: [OWN, ...names.flatMap((name) => FILTERS[name as keyof typeof FILTERS] ?? [])],
      keys: [
        { sql: 't.created_at', pg: 'timestamptz' },
        { sql: 't.id', pg: 'uuid' },
      ],
      descending: true,
    },
    names.includes('after'),
  )
  return `select list.*, ${UNREAD} from (${page}) list`
})

export const readNotification = byPolicies<ById, { item: string } & Unread>(
  (policies) =>
    `select ${viewSql(notificationItem, policies)}::text as item, ${UNREAD} from notifications t where ${OWN} and t.id = $id`,
)
export const countUnread = statement<OfSeat, Unread>(`select ${UNREAD}`)
