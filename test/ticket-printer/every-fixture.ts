import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { decodeTicketFile } from '#client/ticket-file/decode.ts'
import { detect } from '../../src/features/ticket-printer/formats/detect.ts'
import { type TicketFile, Unreadable } from '../../src/features/ticket-printer/ticket-file.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')

/** A file as printed, and the result of parsing it on a day. */
export type Fixture = {
  readonly folder: string
  readonly name: string
  readonly bytes: Buffer
  readonly text: string
  readonly today: string
  readonly expected: TicketFile | { readonly unreadable: string }
}

export const fixtureFolders = (): readonly string[] =>
  readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

/** Every fixture of a folder, by name without extension; the JSON file beside it has the expected result. */
export function fixturesIn(folder: string): readonly Fixture[] {
  const names = readdirSync(join(FOLDER, folder))
  return names
    .filter((name) => extname(name) !== '.json')
    .map((file) => {
      const name = basename(file, extname(file))
      const bytes = readFileSync(join(FOLDER, folder, file))
      const { today, expected, ...rest } = JSON.parse(readFileSync(join(FOLDER, folder, `${name}.json`), 'utf8'))
      return { folder, name, bytes, text: decodeTicketFile(bytes, null, 'TR').text, today, expected: expected ?? rest }
    })
}

export const everyFixture = (): readonly Fixture[] => fixtureFolders().flatMap(fixturesIn)

/** The result of detecting and parsing a text, as JSON. */
export function readText(text: string, today: string): TicketFile | { readonly unreadable: string } {
  const found = detect(text)
  const result = found instanceof Unreadable ? found : found.read(today)
  return result instanceof Unreadable ? { unreadable: result.reason } : result
}
