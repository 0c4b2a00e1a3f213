import { descendants, elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

/** Lists of an order by id: an attribute in version 17.2, an element later. */
export const listedById = (
  list: readonly TicketXmlElement[],
  attribute: string,
  name: string,
): ReadonlyMap<string, TicketXmlElement> =>
  new Map(list.map((each) => [each.attributes[attribute] ?? textAt(each, name) ?? '', each]))

const ids = (references: readonly TicketXmlElement[]): readonly string[] =>
  references.flatMap(({ text }) => text.split(/\s+/)).filter((id) => id !== '')

/** The ids in elements with these names; one element can contain several, separated by blanks. */
export const refsOf = (from: TicketXmlElement, ...names: readonly string[]): readonly string[] =>
  ids(names.flatMap((name) => elements(from, name)))

/** The same, at any depth. */
export const refsWithin = (from: TicketXmlElement, ...names: readonly string[]): readonly string[] =>
  ids(names.flatMap((name) => descendants(from, name)))

/** Names of references to passengers, by version. */
export const PASSENGER_REFS = ['PassengerRefs', 'PassengerRef', 'PaxRefID', 'PassengerReference'] as const
/** Names of references to flights, by version. */
export const SEGMENT_REFS = ['SegmentRef', 'SegmentRefs', 'PaxSegmentRefID', 'SegmentReference'] as const
