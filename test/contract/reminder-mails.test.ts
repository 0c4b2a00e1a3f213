import { beforeAll, describe, expect, it } from 'vitest'
import { SERVER_OPERATOR } from '../../src/features/accounts/commands/seat-rules.ts'
import { type SeatChange, updateSeat } from '../../src/features/accounts/commands/update-seat.ts'
import { saveTemplate, templateNamed } from '../../src/features/communications/commands/save-template.ts'
import { reminderQueue } from '../../src/features/tasks/reminders.job.ts'
import { type Agency, makeAgency, OPERATOR } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { ask } from '../harness/sql.ts'
import { GO_ON } from '../harness/worker.ts'

type Mail = { to: string; subject: string; plain: string; html: string }

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})
const strict = {
  error: ({ err }: { err?: unknown }) => {
    throw err
  },
}
const wish = (agency: Agency, seat: string, change: SeatChange) =>
  cell.deps.db.inAccount(agency.number, (tx) => updateSeat(tx, SERVER_OPERATOR, seat, change), OPERATOR)
/** A task with reminders that are due now. */
async function remind(agency: Agency, seat: string, subject: string, ...minutes: number[]): Promise<void> {
  await ask(
    cell,
    `with task as (
       insert into tasks (account_id, subject, due_at, reminder_offsets, assigned_to_id)
       values ($1, $2, '2031-03-12T06:30:00Z', $4, $3) returning account_id, id)
     insert into task_reminders (account_id, task_id, minutes_before, fire_at, next_attempt_at)
     select account_id, id, minutes, now(), now() from task cross join unnest($4::integer[]) minutes`,
    [agency.number, subject, seat, minutes],
  )
}
async function fire(): Promise<void> {
  const queue = reminderQueue({ db: cell.deps.db, log: strict as never })
  for (let job = await queue.claim(); job; job = await queue.claim()) await job(GO_ON)
}
const mailsOf = async ({ number }: Agency) =>
  (
    await ask<{ mail: Mail }>(
      cell,
      `select seat_mail as mail from message_sends where account_id = $1 and communication_id is null order by seat_mail ->> 'to', id`,
      [number],
    )
  ).map(({ mail }) => mail)
const notificationsOf = async ({ number }: Agency) =>
  (await ask(cell, `select from notifications where account_id = $1 and kind = 'task_due'`, [number])).length

describe('a reminder by e-mail', () => {
  it('goes to the seats that want it, in their language and time zone, besides the notification', async () => {
    const agency = await makeAgency(cell)
    const { advisor, owner } = agency
    await wish(agency, advisor, { mails_reminders: true, locale: 'tr' })
    await remind(agency, advisor, 'Vize: <b>Ayşe</b>\nara', 60)
    await remind(agency, owner.id, 'Call', 60)
    await fire()
    await fire()
    const mails = await mailsOf(agency)
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({
      to: 'advisor@agency.example',
      subject: 'Görev hatırlatması: Vize: <b>Ayşe</b> ara',
      plain: `Merhaba Işıl Çağlar,

Bir görevinizi hatırlatmak isteriz:

Vize: <b>Ayşe</b>
ara
Son tarih: 12 Mart 2031 Çarşamba, 09:30

Test Seyahat`,
    })
    expect(mails[0]?.html).toContain('Vize: &lt;b&gt;Ayşe&lt;/b&gt;<br>ara<br>')
    expect(await notificationsOf(agency)).toBe(2)
  })
  it('is sent once for a task with several due reminders, and never to an inactive seat', async () => {
    const agency = await makeAgency(cell)
    const { advisor, owner } = agency
    await wish(agency, advisor, { mails_reminders: true })
    await wish(agency, owner.id, { mails_reminders: true })
    await ask(cell, 'update seats set active = false where id = $1', [advisor])
    await remind(agency, advisor, 'Gone', 60)
    await remind(agency, owner.id, 'Call', 60, 120, 1440)
    await fire()
    expect((await mailsOf(agency)).map(({ to, subject }) => [to, subject])).toEqual([
      ['owner@agency.example', 'Task due: Call'],
    ])
    expect(await notificationsOf(agency)).toBe(4)
  })
  it('uses the account’s own template, and stops when the seat opts out', async () => {
    const agency = await makeAgency(cell)
    const { owner } = agency
    await cell.deps.db.inAccount(agency.number, async (tx) => {
      const template = { subject: 'To do: {{task.subject}}', body: '{{task.subject}} by {{task.due_at}}' }
      await saveTemplate(tx, templateNamed('task_due', 'en'), template)
    })
    await wish(agency, owner.id, { mails_reminders: true })
    await remind(agency, owner.id, 'Call', 60)
    await fire()
    await wish(agency, owner.id, { mails_reminders: false })
    await remind(agency, owner.id, 'Write', 60)
    await fire()
    expect((await mailsOf(agency)).map(({ subject, plain }) => [subject, plain])).toEqual([
      ['To do: Call', 'Call by Wednesday, 12 March 2031, 09:30'],
    ])
  })
})
