import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { leasedQueue } from '../../../platform/jobs/leased-queue.ts'
import type { Queue } from '../../../platform/jobs/workers.ts'
import type { Log } from '../../../platform/log.ts'
import { notify } from '../../notifications/commands/notify.ts'
import { pauseIfNotAllowed } from './commands/pause-schedule.ts'
import { type DueReport, endRun, leasedReports, type ReportClaim, readDue } from './due-reports.store.ts'
import { mailReport } from './mail-report.ts'
import { type RunNeeds, type RunOutcome, runDueReport } from './run-due-report.ts'
import type { ReportSources } from './saved-preset.ts'
import { SAVED_REPORT } from './saved-report-attributes.ts'
import { nextDue, scheduleOf } from './schedule.ts'
import { addressesOutside } from './schedule-rights.store.ts'

/** A report may take 30 seconds, and as long again until its file is stored. */
const LEASE_MS = 120_000
/** As many as there are connections for reports, but one, which is for those who ask. */
const AT_ONCE = 2
const POLL_MS = 5_000
/** Runs that a cell was not there for are made up for, those of the last week. */
const MADE_UP_MS = 7 * 86_400_000
const REASON_MAXIMUM = 1_000

type Sent = Extract<RunOutcome, { status: 'sent' }>
type Needs = RunNeeds & { readonly log: Pick<Log, 'error'>; now(): number }

/**
 * The due saved reports of all accounts. A run ends in one transaction with its mails and the time of the next run, so
 * each is sent once; a run that fails, or whose process dies, starts again when its lease expires.
 */
export function scheduledReports(needs: Needs, sources: ReportSources, leaseMs = LEASE_MS): Queue {
  const { db, log, now } = needs

  async function work({ account, id, attempts }: ReportClaim, lease: string): Promise<void> {
    try {
      const held = { id, lease }
      const due = await db.reader(account).one(readDue, held)
      if (!due || (await db.inAccount(account, (tx) => pauseIfNotAllowed(tx, id)))) return
      const outcome = await runDueReport(needs, account, due, attempts, sources)
      await db.inAccount(account, (tx) => end(tx, lease, due, outcome, now()))
    } catch (error) {
      log.error({ err: error, account, report: id }, 'scheduled report failed; retrying')
    }
  }
  return leasedQueue(
    { db },
    {
      name: 'scheduled reports',
      rows: leasedReports,
      leaseMs,
      given: {},
      atOnce: AT_ONCE,
      pollMs: POLL_MS,
      work: ([claim], lease) => work(claim, lease),
    },
  )
}

async function end(tx: AccountTx, lease: string, due: DueReport, outcome: RunOutcome, now: number): Promise<void> {
  if (outcome.status === 'sent' && (await pauseIfNotAllowed(tx, due.id))) return // since it was begun
  const schedule = scheduleOf(due)
  if (schedule === null) return // it is not due then, and holds no lease
  const next = new Date(
    nextDue(schedule, due.time_zone, Math.max(Date.parse(due.due_at), now - MADE_UP_MS)),
  ).toISOString()
  const reason = outcome.status === 'sent' ? null : outcome.reason.slice(0, REASON_MAXIMUM)
  if (!(await tx.one(endRun, { id: due.id, lease, status: outcome.status, reason, next }))) return
  if (outcome.status === 'sent') {
    mailReport(tx, letterOf(due, outcome))
    await auditSent(tx, due, outcome)
  }
  notifySaver(tx, due, outcome)
}

/** A sent report leaves the account, in particular if a recipient is not a seat. */
async function auditSent(tx: AccountTx, { id, seat, key, recipients }: DueReport, { rows, file }: Sent): Promise<void> {
  const outside = (await tx.all(addressesOutside, { addresses: recipients })).map(({ address }) => address)
  auditOwn(tx, {
    action: 'saved_report.sent',
    subjectType: 'saved_report',
    subjectId: id,
    details: { seat, key, recipients, outside, rows, file: file.name },
  })
}

const letterOf = ({ name, agency, recipients, locale }: DueReport, { file, rows, day }: Sent) => ({
  name,
  agency,
  recipients,
  locale,
  file,
  rows,
  day,
})

/** Notifies the seat that saved it, or the owner if that seat is no longer active. */
function notifySaver(
  tx: AccountTx,
  { id, name, seat, active, owner, recipients }: DueReport,
  outcome: RunOutcome,
): void {
  const notified = active ? seat : owner
  if (notified === null) return
  const about = { kind: 'report_ready', subjectType: SAVED_REPORT, subjectId: id, subjectLabel: name } as const
  const addresses = recipients.length === 1 ? '1 address' : `${recipients.length} addresses`
  notify(
    tx,
    outcome.status === 'sent'
      ? { ...about, seat: notified, title: `Report sent: ${name}`, body: `To ${addresses}.`, priority: 'normal' }
      : { ...about, seat: notified, title: `Report not sent: ${name}`, body: outcome.reason, priority: 'high' },
  )
}
