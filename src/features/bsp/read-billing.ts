import { type Billing, BillingRefused } from './billing.ts'
import { type CsvOptions, readBillingCsv } from './formats/csv.ts'
import { isHot, readHot } from './formats/hot.ts'

/** Reads a billing file in any supported format, and throws `BillingRefused` for an invalid one. */
export function readBilling(bytes: Uint8Array, options: CsvOptions): Billing {
  const text = decode(bytes).replace(PADDING_BEFORE, '').replace(PADDING_AFTER, '')
  if (text === '') throw new BillingRefused('The file is empty.')
  const billing = isHot(text) ? readHot(text) : readBillingCsv(text, options)
  if (billing.lines.length === 0) throw new BillingRefused('The file contains no documents.')
  return billing
}

/**
 * Characters added by transports around a text: framing, form feeds, an end mark. Line ends stay, so that line numbers
 * are right.
 */
const PADDING_BEFORE = /^[^\P{Cc}\r\n\t]+/u
const PADDING_AFTER = /[^\P{Cc}\r\n\t]+$/u

const UTF16: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' }

/** All that counts in these files is ASCII in every character set; only the names of columns may not be. */
function decode(bytes: Uint8Array): string {
  const encoding = UTF16[Buffer.from(bytes.subarray(0, 2)).toString('hex')] ?? 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1254').decode(bytes)
  }
}
