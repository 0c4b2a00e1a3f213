import { resolve } from 'node:path'
import type { Command } from 'commander'
import { apiClient, realSurroundings } from './import/api-client.ts'
import { failedRows } from './import/failed-rows.ts'
import { openFile } from './import/open-file.ts'
import { progress } from './import/progress.ts'
import { runImport, type Summary } from './import/run-import.ts'

type Options = {
  entity: string
  dryRun?: boolean
  url: string
  key?: string
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
/** Some rows failed; the rest is in. */
const SOME_FAILED = 2

export function registerImport(program: Command): void {
  program
    .command('import')
    .description('import a file (JSON, JSON Lines or CSV) through the API, in batches')
    .argument('<file>', 'the file; its format is told by its ending and its beginning')
    .requiredOption('--entity <key>', 'what the rows are, e.g. customers')
    .option('--dry-run', 'validate only: answers what the import would, and keeps nothing')
    .option('--url <url>', 'where the cell is', process.env.BACKDESK_URL ?? 'http://localhost:3000')
    .option('--key <key>', 'API key with scope import or full; BACKDESK_KEY when omitted')
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
}

async function importFile(path: string, options: Options): Promise<void> {
  const key = options.key ?? process.env.BACKDESK_KEY
  if (!key) throw new Error('Name an API key: --key sek_…, or BACKDESK_KEY in the environment.')
  const file = await openFile(path)
  const shown = progress(file.size, options.json ?? false)
  const client = apiClient(
    options.url.replace(/\/+$/, ''),
    key,
    realSurroundings((reason, ms) => shown.note(`waiting ${Math.ceil(ms / 1000)} s for ${reason}`)),
  )
  const failedPath = options.failed ?? `${path}.failed.csv`
  if (resolve(failedPath) === resolve(path))
    throw new Error('--failed names the file that is imported. Name another one.')
  const failed = failedRows(failedPath)
  try {
    const summary = await runImport(
      file,
      client,
      {
        entity: options.entity,
        dryRun: options.dryRun ?? false,
        ...(options.delimiter !== undefined && { delimiter: DELIMITERS[options.delimiter] ?? options.delimiter }),
        body: bodyOf(options),
      },
      failed,
      shown,
    )
    failed.close()
    shown.stop()
    const written = failed.written() ? failedPath : null
    process.stdout.write(
      `${options.json ? JSON.stringify({ ...summary, failed_rows: written }) : tell(summary, written)}\n`,
    )
    process.exitCode = summary.counts.failed > 0 ? SOME_FAILED : 0
  } finally {
    shown.stop()
    failed.close()
  }
}

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
    ...(Object.keys(warnings).length > 0 ? [`  warnings: ${list(warnings)}`] : []),
    ...(ignored_fields.length > 0 ? [`  ignored fields: ${ignored_fields.join(', ')}`] : []),
    ...(failed ? [`  failed rows are in ${failed}`] : []),
  ].join('\n')
}
