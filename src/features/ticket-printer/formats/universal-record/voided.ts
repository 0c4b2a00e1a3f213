import { descendants } from '../xml/parse-xml.ts'
import { type StatedDocument, startDocument, type UniversalAnswer } from './listed.ts'

const SUCCESS = /^success/i

/** The documents that the answer of a void lists without records; failed ones get a warning. */
export const voidedDocuments = (answer: UniversalAnswer): readonly StatedDocument[] =>
  descendants(answer.message, 'VoidResultInfo').flatMap(({ attributes }): StatedDocument[] => {
    const { DocumentNumber, DocumentType, ResultType = '' } = attributes
    if (!SUCCESS.test(ResultType)) {
      answer.warn('cancellation', `Document ${DocumentNumber} could not be voided.`)
      return []
    }
    const kind = DocumentType === 'MCO' ? 'mco' : 'ticket'
    const document = startDocument(answer, { number: DocumentNumber, kind, traveller: undefined, name: undefined })
    return document ? [{ status: 'void', document }] : []
  })
