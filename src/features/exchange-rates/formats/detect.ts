import { UserError } from '../../../platform/user-error.ts'
import { readEcbCsv } from './ecb-csv.ts'
import { readEcbXml } from './ecb-xml.ts'
import { PLAIN_COLUMNS, readPlainCsv } from './plain-csv.ts'
import type { PublishedRates } from './published-rates.ts'
import { headerOf } from './read-table.ts'
import { readTcmbXml } from './tcmb-xml.ts'

export type RatesFormat = { readonly name: string; read(text: string): PublishedRates }

const FORMATS = {
  ecbXml: { name: 'XML of the European Central Bank', read: readEcbXml },
  ecbCsv: { name: 'CSV of the European Central Bank', read: readEcbCsv },
  tcmbXml: { name: 'XML of the Turkish central bank', read: readTcmbXml },
  plainCsv: { name: `CSV with the header ${PLAIN_COLUMNS.join(',')}`, read: readPlainCsv },
} satisfies Record<string, RatesFormat>

/** Detects the format of a text from its content, or throws an error that lists the supported ones. */
export function detectRatesFormat(text: string): RatesFormat {
  const format = text.trimStart().startsWith('<') ? xmlFormat(text) : csvFormat(headerOf(text))
  if (format) return format
  const known = Object.values(FORMATS)
    .map(({ name }) => `  ${name}`)
    .join('\n')
  throw new UserError(
    'invalid_file',
    `The format of the file is not supported. Unpack archives first. Supported formats:\n${known}`,
  )
}

function xmlFormat(text: string): RatesFormat | null {
  if (text.includes('<Tarih_Date')) return FORMATS.tcmbXml
  return text.includes('eurofxref') ? FORMATS.ecbXml : null
}

function csvFormat(header: readonly string[]): RatesFormat | null {
  if (header[0] === 'Date') return FORMATS.ecbCsv
  return header.includes('rate') ? FORMATS.plainCsv : null
}
