import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { objectCommand } from '#client/command.ts'
import { deleteSavedReport } from '../../features/reports/saved/commands/delete-report.ts'
import { changeSavedReport, createSavedReport, type Saver } from '../../features/reports/saved/commands/save-report.ts'
import { findSaver } from '../../features/reports/saved/reads/find-saver.ts'
import { FREQUENCIES, MONTH_DAYS, WEEKDAYS } from '../../features/reports/saved/schedule-kinds.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { RecordNotFound, UserError } from '../../platform/user-error.ts'
import { reportSources } from '../../registry.ts'
import { ACCOUNT, type OfAccount, several } from '../command.ts'
import { idOf } from '../trips/on-trip.ts'
import { withCell } from '../with-cell.ts'
import { filtersOf, pairs } from './report-options.ts'

type BySeat = OfAccount & { readonly as?: string }
type Made = { readonly id: string }
const REPORT = ['<id>', 'id of the saved report'] as const
const AS = ['--as <email>', 'seat that saves the report; the owner if omitted'] as const

/** Does it in one transaction of the account, as a seat of it. */
const asSeat = <T>({ account, as }: BySeat, work: (tx: AccountTx, saver: Saver) => Promise<T>): Promise<T> =>
  withCell(({ deps }) =>
    deps.db.inAccount(account, async (tx) => work(tx, await findSaver(tx, as ?? null, deps.now()))),
  )
const found = (isThere: boolean): void => {
  if (!isThere) throw new RecordNotFound('saved_report', 'No such saved report exists in this account.')
}

export function registerSaved(report: Command): void {
  registerSave(report)
  registerSchedule(report)
  objectCommand(
    report
      .command('remove')
      .description('delete a saved report')
      .argument(...REPORT)
      .requiredOption(...ACCOUNT),
    (options: BySeat, id = '') =>
      asSeat(options, async (tx) => {
        found(await deleteSavedReport(tx, idOf('saved report', id)))
        return { id }
      }),
    ({ id }: Made) => `Deleted ${id}.`,
  )
}

type SaveOptions = BySeat & { readonly preset?: string; readonly filter?: string[]; readonly definition?: string }
function registerSave(report: Command): void {
  objectCommand(
    report
      .command('save')
      .description('save a report: a preset with filters, or a definition')
      .argument('<name>', 'name of the saved report')
      .requiredOption(...ACCOUNT)
      .option(...AS)
      .option('--preset <key>', 'key of a report')
      .option('--filter <name=value>', 'a filter of the report, e.g. from=month_start-1; may be repeated', pairs)
      .option('--definition <json>', 'entity, columns, filters, group_by and sort as JSON, or @FILE'),
    async (options: SaveOptions, name = '') => {
      const { preset: preset_key, definition } = options
      const given = {
        name,
        ...(preset_key !== undefined && { preset_key, filters: filtersOf(options) }),
        ...(definition !== undefined && { definition: await jsonOf(definition) }),
      }
      return asSeat(options, async (tx, saver) => ({ id: await createSavedReport(tx, saver, given, reportSources) }))
    },
    ({ id }: Made) => `Saved ${id}.`,
  )
}

async function jsonOf(text: string): Promise<unknown> {
  const json = text.startsWith('@') ? await readFile(text.slice(1), 'utf8') : text
  try {
    return JSON.parse(json)
  } catch {
    throw new UserError('invalid_value', '--definition takes JSON, or @FILE with JSON in it.')
  }
}

type ScheduleOptions = BySeat & {
  readonly every?: (typeof FREQUENCIES)[number]
  readonly off?: true
  readonly pause?: true
  readonly resume?: true
  readonly on?: string
  readonly at?: string
  readonly to?: string[]
  readonly format?: string
}
function registerSchedule(report: Command): void {
  objectCommand(
    report
      .command('schedule')
      .description('schedule a saved report to be sent by e-mail')
      .argument(...REPORT)
      .requiredOption(...ACCOUNT)
      .option(...AS)
      .addOption(new Option('--every <frequency>', 'frequency of the schedule').choices([...FREQUENCIES]))
      .addOption(new Option('--on <day>', 'day of the week or month').choices([...WEEKDAYS, ...MONTH_DAYS]))
      .option('--at <hour>', 'hour in the time zone of the account, 0 to 23')
      .option('--to <addresses>', 'recipients, separated by commas', several)
      .addOption(new Option('--format <format>', 'format of the file').choices(['csv', 'xlsx']))
      .option('--pause', 'pause the schedule')
      .option('--resume', 'resume the schedule, with the permissions of the seat in --as')
      .option('--off', 'remove the schedule'),
    (options: ScheduleOptions, id = '') =>
      asSeat(options, async (tx, saver) => {
        found(await changeSavedReport(tx, saver, idOf('saved report', id), scheduleGiven(options), reportSources))
        return { id }
      }),
    ({ id }: Made) => `Updated ${id}.`,
  )
}

/** The given attributes; the others stay unchanged. */
function scheduleGiven({ every, off, on, at, to, format, pause, resume }: ScheduleOptions): Record<string, unknown> {
  if (off) return { schedule_frequency: null }
  const isWeekday = WEEKDAYS.some((weekday) => weekday === on)
  return {
    ...(every && { schedule_frequency: every }),
    ...(on && { [isWeekday ? 'schedule_weekday' : 'schedule_day']: on }),
    ...(at && { schedule_hour: at }),
    ...(to && { recipients: to }),
    ...(format && { file_format: format }),
    ...((pause || resume) && { schedule_paused: pause === true }),
  }
}
