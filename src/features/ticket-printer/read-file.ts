import { hash } from 'node:crypto'
import { decodeTicketFile } from '#client/ticket-file/decode.ts'
import { detect } from './formats/detect.ts'
import { type Provider, type TicketFile, type TicketFileFormat, Unreadable } from './ticket-file.ts'

/** The result of reading the bytes of a file. */
export type ReadFile = {
  readonly bytes: Uint8Array
  readonly sha256: Buffer
  readonly encoding: string
  readonly provider: Provider
  readonly format: TicketFileFormat
  readonly result: TicketFile | Unreadable
  readonly text: string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g
/**
 * If a file of lines has none of these characters, its parsed texts have none either, and no character was cut in two.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
const SPOILT = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\ud800-\udfff]/

/**
 * Decodes a file, detects its format by its content, and parses it. `label` is the character set named by the sender,
 * `today` the day of the capture.
 */
export function readFile(
  bytes: Uint8Array,
  { label, country, today }: { readonly label: string | null; readonly country: string; readonly today: string },
): ReadFile {
  const { text, encoding } = decodeTicketFile(bytes, label, country)
  const found = detect(text)
  const sha256 = hash('sha256', bytes, 'buffer')
  if (found instanceof Unreadable)
    return { bytes, sha256, encoding, provider: 'unknown', format: 'unknown', result: found, text }
  const { provider, format } = found
  const result = found.read(today)
  const isSpoilt = text.trimStart().startsWith('<') || SPOILT.test(text)
  const clean = result instanceof Unreadable || !isSpoilt ? result : withoutControls(result)
  // A format used by several systems names the system in the file.
  const system = clean instanceof Unreadable ? provider : clean.provider
  return { bytes, sha256, encoding, provider: system, format, result: clean, text }
}

/** Control characters come from corrupt transport, and no field of a record accepts them. */
const withoutControls = (file: TicketFile): TicketFile =>
  JSON.parse(
    JSON.stringify(file, (_, value) =>
      typeof value === 'string' ? value.replace(CONTROLS, ' ').trim().toWellFormed() : value,
    ),
  )
