import type { Database } from '../../../platform/db/database.ts'
import { download } from '../download.ts'
import { type ImportedRates, importRates } from './import-rates.ts'

/** Fetches the file behind a URL and saves its rates. Nothing is fetched inside a transaction. */
export async function fetchRates(db: Database, url: string, stopping?: AbortSignal): Promise<ImportedRates> {
  return importRates(db, await download(url, stopping))
}
