import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { ZipFile } from 'yazl'
import type { AccountReader } from '../../../platform/db/account-tx.ts'
import type { Statement } from '../../../platform/db/statement.ts'
import type { FileStore } from '../../../platform/files/file-store.ts'
import { asTextCell } from '../../../platform/text-cell.ts'
import { filesOfPerson, PERSON_PARTS, type PersonPage } from './person.store.ts'

type Of = { readonly reader: AccountReader; readonly customer: string }
type Paged<R> = Statement<{ account: number; customer: string; after: string | null }, R>

/**
 * Everything that is stored of a customer as a ZIP: `person.json`, a CSV file for each part that has rows, and the
 * files of notes and messages. It is made while it is read, page by page.
 */
export async function archivePerson(of: Of, store: FileStore): Promise<Readable> {
  const archive = new ZipFile()
  const output = archive.outputStream as Readable
  archive.on('error', (error) => output.destroy(error as Error))
  archive.addReadStream(streamOf(personJson(of)), 'person.json')
  for (const [name, page] of Object.entries(PERSON_PARTS)) {
    const [first] = await of.reader.all(page, { customer: of.customer, after: null })
    if (first) archive.addReadStream(streamOf(csv(rowsOf(of, page), Object.keys(JSON.parse(first.row)))), `${name}.csv`)
  }
  for await (const { id, name } of rowsOf(of, filesOfPerson))
    archive.addReadStream(streamOf(bytesOf(store, { account: of.reader.account, id })), `files/${id}-${safeName(name)}`)
  archive.end()
  return output
}

const streamOf = (parts: AsyncIterable<string | Buffer>): Readable => Readable.from(parts, { objectMode: false })
/** The format allows no path, and no sign that some systems read as one. */
const safeName = (name: string): string => name.replace(/[/\\:]/g, '_')

async function* rowsOf<R extends { readonly id: string }>({ reader, customer }: Of, page: Paged<R>): AsyncGenerator<R> {
  for (let after: string | null = null; ; ) {
    const rows: R[] = await reader.all(page, { customer, after })
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

async function* personJson(of: Of): AsyncGenerator<string> {
  let between = '{'
  for (const [name, page] of Object.entries(PERSON_PARTS)) {
    yield `${between}\n${JSON.stringify(name)}: [`
    let comma = '\n'
    for await (const { row } of rowsOf(of, page)) {
      yield comma + row
      comma = ',\n'
    }
    yield ']'
    between = ','
  }
  yield '\n}\n'
}

async function* csv(rows: AsyncIterable<PersonPage>, columns: readonly string[]): AsyncGenerator<string> {
  yield stringify([columns], { bom: true, record_delimiter: 'windows' })
  for await (const { row } of rows) {
    const values = JSON.parse(row) as Record<string, unknown>
    yield stringify([columns.map((column) => cellOf(values[column]))], { record_delimiter: 'windows' })
  }
}
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'number'
    ? String(value)
    : asTextCell(typeof value === 'string' ? value : JSON.stringify(value))
}

async function* bytesOf(store: FileStore, file: { account: number; id: string }): AsyncGenerator<Buffer | string> {
  const stream = await store.read(file)
  if (stream) yield* stream
  else yield 'The storage does not have this file any more.\n'
}
