import Type from 'typebox'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, noSuch } from '../../platform/http/by-id.ts'
import { listMembers, listOf, paging } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { enumOf } from '../../platform/http/shapes.ts'
import { jsonObject, jsonText } from '../../platform/json-text.ts'
import { markAllRead, markRead } from './commands/mark-read.ts'
import { NOTIFICATION_KINDS } from './notification-kinds.ts'
import { countUnread, listNotifications, readNotification } from './notifications.store.ts'
import { notificationItem } from './notifications.view.ts'

const TAG = { name: 'Notifications', description: 'Notifications of the principal of the key.' }
const FULL = ['full'] as const
const Count = (description: string) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, description })
const Item = viewSchema(notificationItem, 'Notification')
const unread_count = Count('Unread notifications of the principal of the key.')

export const notificationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/notifications',
    tag: TAG,
    summary: 'List notifications',
    description: 'Notifications of the principal of the key, newest first.',
    scope: FULL,
    policy: null,
    takes: {
      query: Type.Object({
        ...paging,
        scope: Type.Optional(enumOf(['unread'])),
        kind: Type.Optional(enumOf(NOTIFICATION_KINDS)),
      }),
    },
    answers: {
      status: 200,
      body: Type.Object({ ...listOf(Item).properties, unread_count }),
      description: 'A page of notifications.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query: { scope, kind }, actor: { policies, seat }, page }) {
      const found = await listNotifications(reader, policies, page, { unread: scope === 'unread', kind }, { seat })
      return jsonObject({ ...listMembers(page, found), unread_count: found?.unread ?? 0 })
    },
  }),
  route({
    method: 'POST',
    path: '/notifications/:id/mark_read',
    tag: TAG,
    summary: 'Mark a notification as read',
    description: 'Has no effect if it is already marked as read.',
    scope: FULL,
    policy: null,
    takes: byId('notification'),
    answers: { status: 200, body: Type.Object({ data: Item, unread_count }), description: 'The notification.' },
    errors: ['not_found'],
    async handle(tx, { params: { id }, actor: { seat, policies } }) {
      markRead(tx, seat, id)
      const found = await tx.one(readNotification(policies), { seat, id })
      if (!found) throw noSuch('notification')
      return jsonObject({ data: found.item, unread_count: found.unread })
    },
  }),
  route({
    method: 'POST',
    path: '/notifications/mark_all_read',
    tag: TAG,
    summary: 'Mark all notifications as read',
    scope: FULL,
    policy: null,
    takes: {},
    answers: {
      status: 200,
      body: Type.Object({
        data: Type.Object({ marked: Count('Number of notifications that were marked as read.') }),
        unread_count,
      }),
      description: 'The number marked, and the number that are unread now.',
    },
    errors: [],
    async handle(tx, { actor: { seat } }) {
      const marked = await markAllRead(tx, seat)
      const left = await tx.one(countUnread, { seat })
      return jsonText({ data: { marked }, unread_count: left?.unread ?? 0 })
    },
  }),
]
