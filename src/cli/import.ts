import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { SOME_FAILED } from './command.ts'
import { type ClientOptions, clientOf, withClientOptions } from './import/client-options.ts'
import { type FailedRows, failedRows } from './import/failed-rows.ts'
import { openFile, type TextFile } from './import/open-file.ts'
import { progress } from './import/progress.ts'
import { awaitImport, type Queued, queueImport } from './import/queue-import.ts'
import { type ImportOptions, runImport } from './import/run-import.ts'
import type { Summary } from './import/summary.ts'

type Options = ClientOptions & {
  entity: string
  dryRun?: boolean
  sync?: boolean
  async?: boolean
  watch?: boolean
  sourceSystem?: string
  company?: string
  branch?: string
  onConflict?: string
  decimalSeparator?: string
  delimiter?: string
  failed?: string
  json?: boolean
}
/** A tab is hard to type. */
const DELIMITERS: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t' }
/** About 5,000 rows: files from here on are queued, unless the user says otherwise. */
const QUEUED_FROM_BYTES = 2 * 1024 * 1024

export function registerImport(program: Command): void {
  const command = program
    .command('import')
    .description('import a file (JSON, JSON Lines or CSV) through the API, in batches')
    .argument('<file>', 'the file; its format is told by its ending and its beginning')
    .requiredOption('--entity <key>', 'what the rows are, e.g. customers')
    .option('--dry-run', 'validate only: answers what the import would, and keeps nothing')
    .addOption(new Option('--sync', 'wait for the answer of each batch, however large the file').conflicts('async'))
    .option('--async', 'queue the batches, which the cell imports by itself; large files are queued anyway')
    .option('--watch', 'wait until queued batches are imported, and report them')
    .option('--source-system <name>', 'namespace of the external ids')
    .option('--company <id>', 'company that the records belong to')
    .option('--branch <id>', 'branch that the records belong to')
    .option('--on-conflict <rule>', 'skip or update bookings that are there')
    .option('--decimal-separator <sign>', '"," for amounts such as 1.234,56')
    .option(
      '--delimiter <sign>',
      'what separates the cells of a CSV (tab for a tab), where it is not told by the header',
    )
    .option('--failed <file>', 'where to write the rows that failed (default: FILE.failed.csv)')
    .option('--json', 'answer with one JSON object')
    .action(importFile)
  withClientOptions(command)
}

async function importFile(path: string, options: Options): Promise<void> {
  const failedPath = options.failed ?? `${path}.failed.csv`
  if (resolve(failedPath) === resolve(path))
    throw new Error('--failed names the file that is imported. Name another one.')
  const failed = failedRows(failedPath)
  try {
    const done = await importRows(await openFile(path), options, failed)
    failed.close()
    const written = failed.written() ? failedPath : null
    const answer = 'ids' in done ? queuedAnswer(done) : done
    const text = 'ids' in done ? tellQueued(done, written) : tell(done, written)
    process.stdout.write(`${options.json ? JSON.stringify({ ...answer, failed_rows: written }) : text}\n`)
    process.exitCode = answer.counts.failed > 0 ? SOME_FAILED : 0
  } finally {
    failed.close()
  }
}

/** Answers what became of the rows, or where that is to be seen later. */
async function importRows(file: TextFile, options: Options, failed: FailedRows): Promise<Summary | Queued> {
  let shown = progress(file.size, options.json ?? false)
  const client = clientOf(options, (text) => shown.note(text))
  const asked: ImportOptions = {
    entity: options.entity,
    dryRun: options.dryRun ?? false,
    ...(options.delimiter !== undefined && { delimiter: DELIMITERS[options.delimiter] ?? options.delimiter }),
    body: bodyOf(options),
  }
  const queues = !asked.dryRun && !options.sync && (options.async || file.size >= QUEUED_FROM_BYTES)
  try {
    if (!queues) return await runImport(file, client, asked, failed, shown)
    const queued = await queueImport(file, client, asked, failed, shown)
    if (!options.watch) return queued
    shown.stop()
    shown = progress(queued.rows, options.json ?? false)
    return await awaitImport(file.path, client, asked, queued, failed, shown, sleep)
  } finally {
    shown.stop()
  }
}

const queuedAnswer = ({ ids, rows, summary: { entity, counts } }: Queued) => ({
  entity,
  queued: rows,
  batches: ids,
  counts,
})

const bodyOf = (options: Options): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      source_system: options.sourceSystem,
      company_id: options.company,
      branch_id: options.branch,
      on_conflict: options.onConflict,
      decimal_separator: options.decimalSeparator,
    }).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )

function tell(
  { entity, dry_run, counts, errors, warnings, ignored_fields, seconds, rows_per_second, batches }: Summary,
  failed: string | null,
): string {
  const list = (codes: Record<string, number>) =>
    Object.entries(codes)
      .sort(([, a], [, b]) => b - a)
      .map(([code, count]) => `${code} ${count}`)
      .join(', ')
  return [
    `${dry_run ? 'Would import' : 'Imported'} ${entity}: ${counts.total} rows in ${batches} batches, ${seconds} s (${rows_per_second} rows a second)`,
    `  created ${counts.created}, updated ${counts.updated}, unchanged ${counts.unchanged}, skipped ${counts.skipped}, failed ${counts.failed}`,
    ...(Object.keys(errors).length > 0 ? [`  reasons of failed rows: ${list(errors)}`] : []),
    ...(warnings && Object.keys(warnings).length > 0 ? [`  warnings: ${list(warnings)}`] : []),
    ...(ignored_fields.length > 0 ? [`  ignored fields: ${ignored_fields.join(', ')}`] : []),
    ...(failed ? [`  failed rows are in ${failed}`] : []),
  ].join('\n')
}

function tellQueued({ ids, rows, summary: { entity, counts } }: Queued, failed: string | null): string {
  return [
    `Queued ${entity}: ${rows} rows in ${ids.length} batches, which are imported in this order.`,
    ...(counts.failed > 0 ? [`  could not be read: ${counts.failed}, see ${failed}`] : []),
    ...(ids.length > 0 ? [`  wait for the last of them: backdesk batches watch ${ids.at(-1)}`] : []),
  ].join('\n')
}
