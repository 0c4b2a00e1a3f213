import { descendants, elements, firstTextAt, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { listedById, refsWithin } from './references.ts'

/** A service that an order sells besides flights, or includes in them. */
export type ServiceDefinition = {
  readonly name: string | null
  readonly rfic: string | null
  readonly rfisc: string | null
  /** The ids of its baggage allowances. */
  readonly baggage: readonly string[]
}

export const SERVICE_REFS = ['ServiceDefinitionRef', 'ServiceDefinitionRefID'] as const

export function definitionsOf(response: TicketXmlElement): ReadonlyMap<string, ServiceDefinition> {
  const printed = listedById(
    elements(response, 'DataLists', 'ServiceDefinitionList', 'ServiceDefinition'),
    'ServiceDefinitionID',
    'ServiceDefinitionID',
  )
  return new Map([...printed].map(([id, definition]) => [id, definitionOf(definition)] as const))
}

const definitionOf = (printed: TicketXmlElement): ServiceDefinition => ({
  name: textAt(printed, 'Name'),
  rfic: firstTextAt(printed, 'RFIC', 'Encoding/RFIC', 'ReasonForIssuanceCode'),
  rfisc: firstTextAt(printed, 'RFISC', 'Encoding/Code', 'ReasonForIssuanceSubCode'),
  baggage: refsWithin(printed, 'BaggageAllowanceRef', 'BaggageAllowanceRefID'),
})

/** What an item or service sells: services defined by the order, and seats. */
export function servicesIn(
  item: TicketXmlElement,
  definitions: ReadonlyMap<string, ServiceDefinition>,
): readonly (ServiceDefinition & { readonly name: string })[] {
  const defined = refsWithin(item, ...SERVICE_REFS).flatMap((id) => definitions.get(id) ?? [])
  const seats = descendants(item, 'Seat').flatMap((seat) => seatIn(seat) ?? [])
  const nameless = { rfic: null, rfisc: null, baggage: [] }
  const named = [
    ...defined.map((each) => ({ ...each, name: each.name ?? '' })),
    ...seats.map((seat) => ({ ...nameless, name: `SEAT ${seat}` })),
  ]
  return [...new Map(named.filter(({ name }) => name !== '').map((each) => [each.name, each])).values()]
}

/** `18A` of a row and a column. */
export function seatIn(seat: TicketXmlElement): string | null {
  const row = firstTextAt(seat, 'Row/Number', 'Row', 'RowNumber')
  const column = firstTextAt(seat, 'Column', 'ColumnID')
  return row === null || column === null ? null : row + column
}
