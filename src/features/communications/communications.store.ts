import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { type ListQuery, listing } from '../../platform/db/listing.ts'
import { type PageRow, pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { viewSql } from '../../platform/db/view.ts'
import type { PageRequest } from '../../platform/http/route.ts'
import { SEARCHED } from '../../records/search.ts'
import { messageDetail, messageItem } from './communications.view.ts'
import { restrictedMessageSql } from './reads/message-masks.ts'

const OWN = 't.account_id = $account'
const IS_UNREAD = `t.direction = 'inbound' and t.read_at is null`
/** For the whole account, whatever the filters. Counted on each request, so that it is always exact. */
const UNREAD = `(select count(*)::integer from communications t where ${OWN} and ${IS_UNREAD}) as unread`
const CONDITIONS = {
  unread: IS_UNREAD,
  customer_id: 't.customer_id = $customer_id::uuid',
  trip_id: 't.trip_id = $trip_id::uuid',
  /** Also by the name that it had before it was tied to an older one: that of the message which began it. */
  thread_id: `t.thread_id = (select first.thread_id from communications first
    where first.account_id = $account and first.id = $thread_id::uuid)`,
  channel: 't.channel = $channel',
  direction: 't.direction = $direction',
  q: SEARCHED,
  /** A message that a role is not allowed to read is not found by its content. */
  readable: `not (${restrictedMessageSql('t')})`,
  nothing: 'false',
}
const TAKES = {
  customer_id: pg.uuid,
  trip_id: pg.uuid,
  thread_id: pg.uuid,
  channel: pg.text,
  direction: pg.text,
  q: pg.text,
}
const COUNTED = { unread: pg.integer }
type Counted = PageRow & { unread: number }
const pageFrom =
  (from: (continues: boolean) => string) =>
  ({ policies, where, continues }: ListQuery): string => {
    const page = pageSql(
      {
        item: viewSql(messageItem, policies),
        from: from(continues),
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
  }

/** This many messages are scanned in list order before the index is used. */
const LOOKED_THROUGH = 5_000
const recent = (continues: boolean) => `(select * from communications t where ${OWN}
  ${continues ? 'and (t.created_at, t.id) < (($after::text[])[1]::timestamptz, ($after::text[])[2]::uuid)' : ''}
  order by t.created_at desc, t.id desc limit ${LOOKED_THROUGH}) t`
/** The index looks by three letters at least. */
const INDEXED_LETTERS = 3
const INDEXED = { q: `t.id in (select communications_like('%' || like_text(fold($q)) || '%'))` }

const all = () => 'communications t'
const listAll = listing(TAKES, CONDITIONS, pageFrom(all), COUNTED)
const listRecent = listing(TAKES, CONDITIONS, pageFrom(recent), COUNTED)
const listMatching = listing(TAKES, { ...CONDITIONS, ...INDEXED }, pageFrom(all), COUNTED)

export type Filters = {
  readonly [name in 'customer_id' | 'trip_id' | 'thread_id' | 'channel' | 'direction']?: string | undefined
} & { readonly unread: boolean }

/**
 * Messages, newest first, and the number of unread ones in the account. A search reads the recent ones, and if these do
 * not fill the page, the index; roles without access to the content find nothing by it.
 */
export async function listMessages(
  reader: AccountReader,
  policies: Policies,
  page: Pick<PageRequest, 'limit' | 'after'>,
  q: string | undefined,
  filters: Filters,
): Promise<Counted | undefined> {
  const nothing = q !== undefined && !policies.has('view_message_content')
  const readable = q !== undefined && !policies.has('view_restricted_customers')
  const by = (list: typeof listAll) => list(reader, policies, page, { ...filters, q, readable, nothing })
  const isNarrow = filters.customer_id ?? filters.trip_id ?? filters.thread_id
  if (nothing || q === undefined || q.length < INDEXED_LETTERS || isNarrow || filters.unread) return by(listAll)
  const found = await by(listRecent)
  return found?.more ? found : by(listMatching)
}
const readBy = (view: typeof messageItem) =>
  byPolicies(
    { account: pg.integer, id: pg.uuid },
    { item: pg.printedJson },
    (policies) => `select ${viewSql(view, policies)}::text as item from communications t where ${OWN} and t.id = $id`,
  )
/** A message as a list shows it. */
export const readItem = readBy(messageItem)
/** The whole message. */
export const readDetail = readBy(messageDetail)
