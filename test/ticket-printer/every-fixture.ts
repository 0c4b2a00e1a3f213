import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { decodeTicketFile } from '#client/ticket-file/decode.ts'
import { detect } from '../../src/features/ticket-printer/formats/detect.ts'
import { type TicketFile, Unreadable } from '../../src/features/ticket-printer/ticket-file.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')

/** A file as it came out of a printer, and what it says to somebody who reads it on a day. */
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

/** Every fixture of a folder, by the name without its ending; a JSON beside it tells what it means. */
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

/** What is made of a text by detection and reading, as JSON has it. */
export function readText(text: string, today: string): TicketFile | { readonly unreadable: string } {
  const found = detect(text)
  const said = found instanceof Unreadable ? found : found.read(today)
  return said instanceof Unreadable ? { unreadable: said.reason } : said
}
