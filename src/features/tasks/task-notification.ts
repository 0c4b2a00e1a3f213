import type { Notification } from '../notifications/commands/notify.ts'

type NotifiedTask = { readonly id: string; readonly subject: string; readonly priority: string; readonly seat: string }

/** The notification about a task for its assignee. */
export const taskNotification = (
  kind: Notification['kind'],
  title: string,
  { id, subject, priority, seat }: NotifiedTask,
  actor: string | null,
): Notification => ({
  seat,
  kind,
  title: `${title}: ${subject}`,
  body: null,
  priority: priority === 'high' || priority === 'urgent' ? 'high' : 'normal',
  subjectType: 'Task',
  subjectId: id,
  subjectLabel: subject,
  actor,
})
