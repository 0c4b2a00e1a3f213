import { type ReadTicketFile, Unreadable } from '../../ticket-file.ts'
import { element, parseXml } from '../xml/parse-xml.ts'
import { readCancelled } from './cancelled.ts'
import { errorIn, isCancellation, ndcMessageIn, timestampOf, versionOf } from './messages.ts'
import { readOrder } from './order.ts'

/** Parses an airline's answer about an order, versions 17.2 to 21.3, with or without a SOAP envelope. */
export const readNdc: ReadTicketFile = (text) => {
  const root = parseXml(text)
  if (root instanceof Unreadable) return root
  const message = ndcMessageIn(root)
  if (!message) return new Unreadable('The XML does not contain an OrderViewRS or OrderCancelRS.', 'unknown_format')
  const response = element(message, 'Response')
  if (!response)
    return new Unreadable(
      `The file contains an error message of the airline instead of an order. ${errorIn(message)}`.trim(),
      'unknown_kind',
    )
  const heading = { version: versionOf(message, text), timestamp: timestampOf(message) }
  return isCancellation(message) ? readCancelled(response, heading) : readOrder(message, response, heading)
}
