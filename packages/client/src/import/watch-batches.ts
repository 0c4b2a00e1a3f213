import type { ApiClient } from './api-client.ts'
import type { ProgressBar } from './progress.ts'
import type { Counts, Outcome } from './summary.ts'

/** A batch as the API shows it. */
export type ShownBatch = {
  readonly id: string
  readonly entity: string
  readonly mode: string
  readonly status: string
  readonly counts: Counts
  readonly processed: number
  readonly ignored_fields: readonly string[]
  readonly error: string | null
  readonly created_at: string
  readonly finished_at: string | null
}
const POLL_MS = 1_000

export const fetchBatch = async (client: ApiClient, id: string): Promise<ShownBatch> =>
  (await client.get<{ data: ShownBatch }>(`/imports/${encodeURIComponent(id)}`)).data

/** Waits until all are finished. Those of an account are done one after the other, so the first that is not is asked for. */
export async function watchBatches(
  client: ApiClient,
  ids: readonly string[],
  progress: ProgressBar,
  sleep: (ms: number) => Promise<unknown>,
): Promise<ShownBatch[]> {
  const finished: ShownBatch[] = []
  let rows = 0
  for (const id of ids) {
    for (;;) {
      const batch = await fetchBatch(client, id)
      progress.at(rows + batch.processed, rows + batch.processed)
      if (batch.finished_at !== null) {
        rows += batch.processed
        finished.push(batch)
        break
      }
      await sleep(POLL_MS)
    }
  }
  return finished
}

/** The rows of a batch that failed. */
export async function failedOutcomes(client: ApiClient, id: string): Promise<Outcome[]> {
  type Page = { data: Outcome[]; page: { next_cursor: string | null } }
  const outcomes: Outcome[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/imports/${encodeURIComponent(id)}/rows?status=failed&limit=100${cursor && `&cursor=${cursor}`}`
    const { data, page }: Page = await client.get<Page>(path)
    outcomes.push(...data)
    cursor = page.next_cursor
  }
  return outcomes
}
