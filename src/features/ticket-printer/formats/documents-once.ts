import type { TicketFile } from '../ticket-file.ts'
import { collectWarnings, type Warn } from './warnings.ts'

/** A document that a file tells again, in a doubled line or under everything it pays for, is one and not two. */
export function documentsOnce<D extends { readonly number: string }>(documents: readonly D[], warn: Warn): D[] {
  const byNumber = new Map<string, D>()
  for (const document of documents) {
    const { number } = document
    if (!byNumber.has(number)) byNumber.set(number, document)
    else warn('repeated_document', `Document ${number} appears twice in the file. The first one was used.`)
  }
  return [...byNumber.values()]
}

/** The same of a file that is read. */
export function withDocumentsOnce(file: TicketFile): TicketFile {
  const { warn, warnings } = collectWarnings()
  const documents = documentsOnce(file.documents, warn)
  return warnings.length === 0 ? file : { ...file, documents, warnings: [...file.warnings, ...warnings] }
}
