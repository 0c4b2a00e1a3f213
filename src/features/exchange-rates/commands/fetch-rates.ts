import type { Database } from '../../../platform/db/database.ts'
import { type DownloadLimits, download } from '../../../platform/net/download.ts'
import { type ImportedRates, importRates, MAX_FILE_BYTES } from './import-rates.ts'

const LIMITS: DownloadLimits = { totalMs: 30_000, maxBytes: MAX_FILE_BYTES, redirects: 3 }

/** Fetches the file behind a URL and saves its rates. Nothing is fetched inside a transaction. */
export async function fetchRates(db: Database, url: string, stopping?: AbortSignal): Promise<ImportedRates> {
  return importRates(db, await download(url, stopping, LIMITS))
}
