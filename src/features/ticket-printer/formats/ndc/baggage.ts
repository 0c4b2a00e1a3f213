import { descendants, elements, firstTextAt, type TicketXmlElement } from '../xml/parse-xml.ts'
import type { Coupon } from './coupons.ts'
import { listedById, refsWithin, SEGMENT_REFS } from './references.ts'
import { SERVICE_REFS, type ServiceDefinition } from './services.ts'

const UNITS: Readonly<Record<string, string>> = { KGM: 'K', KILOGRAM: 'K', KG: 'K', LBR: 'L', LB: 'L', POUND: 'L' }

const WEIGHTS = ['MaximumWeight', 'TotalMaximumWeightMeasure', 'MaximumWeightMeasure'] as const

/** The free baggage of each flight by its id, `1PC` or `20K`; that of the first passenger if they differ. */
export function baggageBySegment(
  response: TicketXmlElement,
  definitions: ReadonlyMap<string, ServiceDefinition>,
  coupons: readonly Coupon[],
): ReadonlyMap<string, string> {
  const allowances = listedById(
    elements(response, 'DataLists', 'BaggageAllowanceList', 'BaggageAllowance'),
    'BaggageAllowanceID',
    'BaggageAllowanceID',
  )
  const found = new Map<string, string>()
  const note = (segments: readonly string[], free: string | null | undefined) => {
    if (free) for (const segment of segments) if (!found.has(segment)) found.set(segment, free)
  }
  const allowed = (ids: readonly string[]) => ids.flatMap((id) => allowanceOf(allowances.get(id)) ?? [])[0]
  for (const { segments, baggage, freeBaggage } of coupons)
    note(segments, freeBaggage ?? allowed(baggage ? [baggage] : []))
  for (const service of includedServices(response)) {
    const ids = refsWithin(service, ...SERVICE_REFS).flatMap((id) => definitions.get(id)?.baggage ?? [])
    note(segmentsOf(service), allowed(ids))
  }
  return found
}

/** Services that a flight item includes without a price of their own. Paid bags are not free baggage. */
const includedServices = (response: TicketXmlElement): readonly TicketXmlElement[] =>
  descendants(response, 'OrderItem')
    .filter((item) => descendants(item, 'FareComponent').length > 0)
    .flatMap((item) => elements(item, 'Service'))

function segmentsOf(service: TicketXmlElement): readonly string[] {
  const inAttributes = descendants(service, 'ServiceDefinitionRef').flatMap(
    ({ attributes }) => attributes.SegmentRef || [],
  )
  return [...inAttributes, ...refsWithin(service, ...SEGMENT_REFS)]
}

function allowanceOf(allowance: TicketXmlElement | undefined): string | null {
  const category = firstTextAt(allowance, 'BaggageCategory', 'TypeCode')
  if (!allowance || (category !== null && !/^checked/i.test(category))) return null
  const pieces = firstTextAt(allowance, 'PieceAllowance/TotalQuantity', 'PieceAllowance/TotalQty')
  if (pieces !== null) return `${pieces}PC`
  const [weight] = WEIGHTS.flatMap((name) => descendants(allowance, name))
  const value = weight && (firstTextAt(weight, 'Value') ?? weight.text)
  const unit =
    weight &&
    (firstTextAt(weight, 'UOM') ??
      weight.attributes.UnitCode ??
      firstTextAt(allowance, 'WeightAllowance/WeightUnitOfMeasurement'))
  return value ? `${value}${UNITS[unit?.toUpperCase() ?? ''] ?? unit ?? ''}` : null
}
