import type { Provider } from '../../ticket-file.ts'
import { elements, type TicketXmlElement } from '../xml/parse-xml.ts'

/** The answers of Travelport's Universal API that contain documents or their reservation. */
const NAMES = [
  'UniversalRecord',
  'UniversalRecordImportRsp',
  'UniversalRecordModifyRsp',
  'UniversalRecordRetrieveRsp',
  'AirCreateReservationRsp',
  'AirTicketingRsp',
  'AirRetrieveDocumentRsp',
  'AirVoidDocumentRsp',
  'AirRefundRsp',
  'AirExchangeRsp',
  'AirExchangeTicketingRsp',
  'EMDIssuanceRsp',
  'EMDRetrieveRsp',
] as const
const OPENED = new RegExp(`<(?:[\\w.-]+:)?(?:${NAMES.join('|')})[\\s/>]`)
const NAMESPACE = 'travelport.com/schema/'
const VERSION = /travelport\.com\/schema\/(?:air|universal)_v(\d{1,3})_(\d{1,3})\b/
const PROVIDER = /\bProviderCode\s*=\s*["'](1[GVP])["']/
const PROVIDERS: Readonly<Record<string, Provider>> = { '1G': 'galileo', '1V': 'apollo', '1P': 'worldspan' }

/** Whether the beginning of an XML file opens such an answer. */
export const isUniversalRecord = (head: string): boolean => OPENED.test(head) && head.includes(NAMESPACE)

/** The GDS behind an answer; `unknown` if it is not one of Travelport's three. */
export const providerIn = (text: string): Provider => PROVIDERS[PROVIDER.exec(text)?.[1] ?? ''] ?? 'unknown'

/** The version of the schema, such as `52.0`. */
export function versionIn(text: string): string | null {
  const [, major, minor] = VERSION.exec(text) ?? []
  return major && minor ? `${major}.${minor}` : null
}

/** The answer itself, or the one in the body of its envelope. */
export const messageIn = (root: TicketXmlElement): TicketXmlElement | undefined =>
  [root, ...root.children, ...elements(root, 'Body').flatMap(({ children }) => children)].find(({ name }) =>
    (NAMES as readonly string[]).includes(name),
  )
