import type { Database } from '../../../platform/db/database.ts'
import { UserError } from '../../../platform/user-error.ts'
import { type SavedCounts, saveRates } from '../exchange-rates.store.ts'
import { decodeRates } from '../formats/decode.ts'
import { detectRatesFormat } from '../formats/detect.ts'

/** The full history of the European Central Bank is half of it. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024

const SOURCE = /^[a-z0-9][a-z0-9_.-]{0,49}$/

export type ImportedRates = SavedCounts & {
  readonly format: string
  readonly source: string
  readonly base: string
  readonly first_day: string
  readonly last_day: string
}

/** Saves the rates of a file in any format; all or none. `source` is the publisher, by default that of the format. */
export async function importRates(db: Database, bytes: Uint8Array, source?: string): Promise<ImportedRates> {
  if (bytes.length > MAX_FILE_BYTES)
    throw new UserError('file_too_large', `The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.`)
  const text = decodeRates(bytes)
  const format = detectRatesFormat(text)
  const found = format.read(text)
  const rates = { ...found, source: source === undefined ? found.source : checkSource(source) }
  const saved = await db.asSystem('rates belong to the cell', (tx) => saveRates(tx, rates))
  const days = rates.rates.map(({ day }) => day).sort()
  return {
    format: format.name,
    source: rates.source,
    base: rates.base,
    first_day: days[0] as string,
    last_day: days.at(-1) as string,
    ...saved,
  }
}

/** `same` is the look-up of a currency in itself. */
function checkSource(source: string): string {
  if (SOURCE.test(source) && source !== 'same') return source
  throw new UserError(
    'invalid_value',
    `${JSON.stringify(source)} is not a source name. Use up to 50 lowercase letters and digits, with . _ - between them, such as "house".`,
  )
}
