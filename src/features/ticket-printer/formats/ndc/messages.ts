import { descendants, elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

/** The version of a message, and when it was made. */
export type Heading = { readonly version: string | null; readonly timestamp: string | null }

const ORDER = /^(?:IATA_)?Order(?:View|Retrieve|Create|Change)RS$/
const CANCELLED = /^(?:IATA_)?OrderCancelRS$/
const NAMESPACE_VERSION = /\/20(\d\d)\.(\d)\b/
/** Namespaces are declared within this many characters. */
const NAMESPACES = 4000

/** The message itself, or the one in the envelope's body. */
export function ndcMessageIn(root: TicketXmlElement): TicketXmlElement | undefined {
  const places = [root, ...root.children, ...elements(root, 'Body').flatMap(({ children }) => children)]
  return places.find(({ name }) => ORDER.test(name) || CANCELLED.test(name))
}

export const isCancellation = ({ name }: TicketXmlElement): boolean => CANCELLED.test(name)

export function errorIn(message: TicketXmlElement): string {
  const error = descendants(message, 'Error')[0]
  const text = error && (error.text || error.attributes.ShortText || textAt(error, 'DescText'))
  return text ? `Message: ${text.slice(0, 200)}` : ''
}

export function versionOf(message: TicketXmlElement, text: string): string | null {
  const [, year, month] = NAMESPACE_VERSION.exec(text.slice(0, NAMESPACES)) ?? []
  const printed = message.attributes.Version ?? payload(message, 'VersionNumber')
  return printed ?? (year && month ? `${year}.${month}` : null)
}

const payload = (message: TicketXmlElement, name: string): string | null =>
  textAt(message, 'PayloadAttributes', name) ?? textAt(message, 'PayloadStandardAttributes', name)

export const timestampOf = (message: TicketXmlElement): string | null =>
  payload(message, 'Timestamp') ?? message.attributes.TimeStamp ?? null
