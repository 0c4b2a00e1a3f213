import { withoutLikelyCards } from '../printed.ts'
import { descendants, firstTextAt, type TicketXmlElement } from '../xml/parse-xml.ts'

/** Remarks of an order, and the warnings in the airline's answer. */
export function orderRemarks(message: TicketXmlElement): readonly string[] {
  const remarks = ['Remark', 'RemarkText'].flatMap((name) => descendants(message, name)).map(({ text }) => text)
  const warnings = descendants(message, 'Warning').map((warning) =>
    [firstTextAt(warning, 'Code'), firstTextAt(warning, 'DescText') ?? warning.text].filter((part) => part).join(': '),
  )
  return [...new Set([...remarks, ...warnings])].filter((text) => text !== '').map(withoutLikelyCards)
}
