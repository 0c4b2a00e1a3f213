import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { SOME_FAILED } from '../command.ts'
import { type ClientOptions, clientOf, withClientOptions } from '../import/client-options.ts'
import { detectFormat } from '../import/detect-format.ts'
import { type Examined, examineFile } from '../import/examine-file.ts'
import { type FailedRows, failedRows } from '../import/failed-rows.ts'
import { openFile, type TextFile } from '../import/open-file.ts'
import { progress } from '../import/progress.ts'
import { awaitImport, type Queued, queueImport } from '../import/queue-import.ts'
import type { ReadOptions } from '../import/read-rows.ts'
import { type ImportOptions, runImport } from '../import/run-import.ts'
import type { Summary } from '../import/summary.ts'
import { queuedText, summaryText } from '../import/summary-text.ts'
import { findTarget } from '../import/target.ts'

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
  ignore?: string[]
  failed?: string
  json?: boolean
}
/** A tab is hard to type. */
const DELIMITERS: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t' }
/** About 5,000 rows: files from here on are queued, unless the user chooses otherwise. */
const QUEUED_FROM_BYTES = 2 * 1024 * 1024

export function registerImport(program: Command): void {
  const command = program
    .command('import')
    .description('import a file (JSON, JSON Lines or CSV) through the API, in batches')
    .argument('<file>', 'the file; its format is detected from its extension and content')
    .requiredOption('--entity <key>', 'entity of the rows, e.g. customers')
    .option('--dry-run', 'validate only: show the result of the import without saving anything')
    .addOption(new Option('--sync', 'import synchronously, regardless of the size of the file').conflicts('async'))
    .option('--async', 'queue the batches for the cell to import in the background; default for large files')
    .option('--watch', 'wait until queued batches are imported, and report the result')
    .option('--source-system <name>', 'namespace of the external ids')
    .option('--company <id>', 'company that the records belong to')
    .option('--branch <id>', 'branch that the records belong to')
    .option('--on-conflict <rule>', 'skip or update bookings that exist already')
    .addOption(
      new Option(
        '--decimal-separator <sign>',
        'decimal separator of amounts: "," for 1.234,56; if omitted, detected for each column of a CSV file',
      ).choices([',', '.']),
    )
    .option('--delimiter <sign>', 'delimiter of a CSV file ("tab" for a tab); detected from the header if omitted')
    .option(
      '--ignore <column>',
      'column of a CSV file to ignore; may be repeated',
      (value: string, before: string[] = []) => [...before, value],
    )
    .option(
      '--failed <file>',
      'file for the rows that failed (default: FILE.failed.csv, or FILE.failed.jsonl for JSON)',
    )
    .option('--json', 'print one JSON object')
    .action((path: string, options: Options) => importFile(path, options, program.name()))
  withClientOptions(command)
}

async function importFile(path: string, options: Options, program: string): Promise<void> {
  const file = await openFile(path)
  try {
    await importOpened(file, options, program)
  } finally {
    await file.close()
  }
}

async function importOpened(file: TextFile, options: Options, program: string): Promise<void> {
  const { path } = file
  const delimiter = options.delimiter && (DELIMITERS[options.delimiter] ?? options.delimiter)
  const isCsv = detectFormat(path, file.head, delimiter).kind === 'csv'
  const failedPath = options.failed ?? `${path}.failed.${isCsv ? 'csv' : 'jsonl'}`
  if (resolve(failedPath) === resolve(path))
    throw new Error('--failed is the file that is imported. Choose another file.')
  const failed = failedRows(failedPath, file.hasMark)
  try {
    const done = await importRows(file, isCsv, { ...options, ...(delimiter && { delimiter }) }, failed)
    failed.close()
    const written = failed.written() ? failedPath : null
    const answer = 'ids' in done ? queuedAnswer(done) : done
    const text = 'ids' in done ? queuedText(done, written, program) : summaryText(done, written)
    process.stdout.write(`${options.json ? JSON.stringify({ ...answer, failed_rows: written }) : text}\n`)
    process.exitCode = answer.counts.failed > 0 ? SOME_FAILED : 0
  } finally {
    failed.close()
  }
}

/** Answers the outcome of the rows, or the batches in which they are queued. */
async function importRows(
  file: TextFile,
  isCsv: boolean,
  options: Options,
  failed: FailedRows,
): Promise<Summary | Queued> {
  let shown = progress(file.size, options.json ?? false)
  const client = clientOf(options, (text) => shown.note(text))
  try {
    const reading: ReadOptions = {
      target: await findTarget(client, options.entity),
      ignored: options.ignore ?? [],
      ...(options.delimiter && { delimiter: options.delimiter }),
    }
    const examined = isCsv && file.isRegular ? await examine(file.path, reading, options) : null
    if (examined && examined.missing.length > 0)
      shown.note(`The file has no column for ${examined.missing.join(', ')}, which new ${options.entity} require.`)
    const asked: ImportOptions = {
      ...reading,
      dryRun: options.dryRun ?? false,
      body: bodyOf(options, examined?.separator ?? options.decimalSeparator),
    }
    const queues = !asked.dryRun && !options.sync && (options.async || file.size >= QUEUED_FROM_BYTES)
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

/** Reads the file a second time, independently of the import. */
const examine = async (path: string, reading: ReadOptions, options: Options): Promise<Examined> =>
  examineFile(await openFile(path), reading, options.decimalSeparator ?? null)

const queuedAnswer = ({ ids, rows, summary: { entity, counts } }: Queued) => ({
  entity,
  queued: rows,
  batches: ids,
  counts,
})

const bodyOf = (options: Options, separator: string | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      source_system: options.sourceSystem,
      company_id: options.company,
      branch_id: options.branch,
      on_conflict: options.onConflict,
      decimal_separator: separator,
    }).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
