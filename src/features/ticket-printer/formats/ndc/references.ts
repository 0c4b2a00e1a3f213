import { descendants, elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

/** Lists of an order by the ids that the rest of it names them by: an attribute in version 17.2, an element later. */
export const listedById = (
  list: readonly TicketXmlElement[],
  attribute: string,
  name: string,
): ReadonlyMap<string, TicketXmlElement> =>
  new Map(list.map((each) => [each.attributes[attribute] ?? textAt(each, name) ?? '', each]))

const ids = (references: readonly TicketXmlElement[]): readonly string[] =>
  references.flatMap(({ text }) => text.split(/\s+/)).filter((id) => id !== '')

/** The ids that an element names under these names; several may stand in one, with blanks between them. */
export const refsOf = (from: TicketXmlElement, ...names: readonly string[]): readonly string[] =>
  ids(names.flatMap((name) => elements(from, name)))

/** The same at any depth. */
export const refsWithin = (from: TicketXmlElement, ...names: readonly string[]): readonly string[] =>
  ids(names.flatMap((name) => descendants(from, name)))

/** How versions name the passengers of an item, of a service and of a price. */
export const PASSENGER_REFS = ['PassengerRefs', 'PassengerRef', 'PaxRefID', 'PassengerReference'] as const
/** The same of flights. */
export const SEGMENT_REFS = ['SegmentRef', 'SegmentRefs', 'PaxSegmentRefID', 'SegmentReference'] as const
