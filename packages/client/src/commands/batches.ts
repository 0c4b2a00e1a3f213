import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { objectCommand, SOME_FAILED, table } from '../command.ts'
import { type ClientOptions, clientOf, withClientOptions } from '../import/client-options.ts'
import { progress } from '../import/progress.ts'
import { fetchBatch, type ShownBatch, watchBatches } from '../import/watch-batches.ts'

type Options = ClientOptions & { json?: boolean }
type ListOptions = Options & { entity?: string; status?: string; limit?: string; cursor?: string }
type List = { data: ShownBatch[]; page: { next_cursor: string | null } }
type Reverted = { reverted: number; left: { index: number; external_id: string | null; id: string; reason: string }[] }

const printNote = (text: string) => process.stderr.write(`${text}\n`)

export function registerBatches(program: Command): void {
  const batches = program.command('batches').description('list, watch and revert import batches')
  const command = (name: string, about: string) => withClientOptions(batches.command(name).description(about))

  const list = command('list', 'list batches, newest first')
    .option('--entity <key>', 'only this entity')
    .option('--status <status>', 'queued, running, completed, completed_with_errors or failed')
    .option('--limit <number>', 'maximum number of batches, up to 100', '25')
    .option('--cursor <cursor>', 'cursor of the next page')
  objectCommand<ListOptions>(
    list,
    ({ entity, status, limit, cursor, ...options }) => {
      const given = Object.entries({ entity, status, limit, cursor })
      const query = new URLSearchParams(given.filter((pair): pair is [string, string] => pair[1] !== undefined))
      return clientOf(options, printNote).get<List>(`/imports?${query}`)
    },
    ({ data, page }: List) =>
      `${table(data.map(shown))}${page.next_cursor ? `\nMore with --cursor ${page.next_cursor}` : ''}`,
  )

  const show = command('show', 'show a batch').argument('<id>', 'the batch')
  objectCommand<Options>(show, (options, id = '') => fetchBatch(clientOf(options, printNote), id), batchText)

  const watch = command('watch', 'wait until batches have finished').argument('<id...>', 'ids of the batches, in order')
  objectCommand<Options>(
    watch,
    (options, ...ids) => waitFor(options, ids),
    ({ batches }: Watched) => batches.map(batchText).join('\n'),
  )

  const revert = command('revert', 'delete the records that a batch created and that have not been changed since')
  objectCommand<Options>(
    revert.argument('<id>', 'the batch'),
    async (options, id = '') => {
      const path = `/imports/${encodeURIComponent(id)}/revert`
      return (await clientOf(options, printNote).post<{ data: Reverted }>(path, {}, randomUUID())).data
    },
    ({ reverted, left }: Reverted) =>
      `Deleted ${reverted} records.${left.length > 0 ? ` These were kept:\n${table(left)}` : ''}`,
  )
}

type Watched = { batches: ShownBatch[] }
async function waitFor(options: Options, ids: readonly string[]): Promise<Watched> {
  let bar = progress(0, true)
  const client = clientOf(options, (text) => bar.note(text))
  const states = await Promise.all(ids.map((id) => fetchBatch(client, id)))
  bar = progress(
    states.reduce((sum, { counts }) => sum + counts.total, 0),
    options.json ?? false,
  )
  try {
    const batches = await watchBatches(client, ids, bar, sleep)
    if (batches.some(({ counts }) => counts.failed > 0)) process.exitCode = SOME_FAILED
    return { batches }
  } finally {
    bar.stop()
  }
}

const shown = ({ id, entity, mode, status, counts, processed, created_at }: ShownBatch) => ({
  id,
  entity,
  mode,
  status,
  rows: `${processed}/${counts.total}`,
  failed: counts.failed,
  created_at,
})

function batchText({ id, entity, status, counts, processed, error }: ShownBatch): string {
  const { total, ...others } = counts
  const countTexts = Object.entries(others).map(([name, count]) => `${name} ${count}`)
  return [
    `${id}: ${entity}, ${status}, ${processed} of ${total} rows`,
    `  ${countTexts.join(', ')}`,
    ...(error === null ? [] : [`  ${error}`]),
  ].join('\n')
}
