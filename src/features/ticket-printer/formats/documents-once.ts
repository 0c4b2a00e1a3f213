import type { TicketFile } from '../ticket-file.ts'
import { collectWarnings, type Warn } from './warnings.ts'

/** Removes repeated documents: files repeat one in a doubled line, or under everything that it pays for. */
export function documentsOnce<D extends { readonly number: string }>(documents: readonly D[], warn: Warn): D[] {
  const byNumber = new Map<string, D>()
  for (const document of documents) {
    const { number } = document
    if (!byNumber.has(number)) byNumber.set(number, document)
    else warn('repeated_document', `Document ${number} appears twice in the file. The first one was used.`)
  }
  return [...byNumber.values()]
}

/** Removes repeated documents from a parsed file. */
export function withDocumentsOnce(file: TicketFile): TicketFile {
  if (new Set(file.documents.map(({ number }) => number)).size === file.documents.length) return file
  const { warn, warnings } = collectWarnings()
  const documents = documentsOnce(file.documents, warn)
  return { ...file, documents, warnings: [...file.warnings, ...warnings] }
}
