import { hash } from 'node:crypto'
import { decode } from './decode.ts'
import { detect } from './formats/detect.ts'
import { type Format, type Provider, type TicketFile, Unreadable } from './ticket-file.ts'

/** A file as far as its bytes tell. */
export type ReadFile = {
  readonly bytes: Uint8Array
  readonly sha256: Buffer
  readonly encoding: string
  readonly provider: Provider
  readonly format: Format
  readonly said: TicketFile | Unreadable
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g

/**
 * Decodes a file, finds its format by its content, and reads it. `label` is the character set that its source names,
 * `today` the day of the capture.
 */
export function readFile(
  bytes: Uint8Array,
  { label, country, today }: { readonly label: string | null; readonly country: string; readonly today: string },
): ReadFile {
  const { text, encoding } = decode(bytes, label, country)
  const found = detect(text)
  const sha256 = hash('sha256', bytes, 'buffer')
  if (found instanceof Unreadable)
    return { bytes, sha256, encoding, provider: 'unknown', format: 'unknown', said: found }
  const { provider, format } = found
  const said = found.read(today)
  return { bytes, sha256, encoding, provider, format, said: said instanceof Unreadable ? said : withoutControls(said) }
}

/** Control characters in a text are a spoilt transport's, and no field of a record takes them. */
const withoutControls = (file: TicketFile): TicketFile =>
  JSON.parse(
    JSON.stringify(file, (_, value) =>
      typeof value === 'string' ? value.replace(CONTROLS, ' ').trim().toWellFormed() : value,
    ),
  )
