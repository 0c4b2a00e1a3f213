import { printedText } from '../printed.ts'
import { element, elements, type TicketXmlElement } from '../xml/parse-xml.ts'

const faresOf = (pricing: TicketXmlElement | undefined): readonly TicketXmlElement[] =>
  pricing ? elements(pricing, 'FareInfo') : []

/** The endorsements of a fare on one line, without repetition. */
export function endorsementOf(
  record: TicketXmlElement | undefined,
  pricing: TicketXmlElement | undefined,
): string | null {
  const printed = [
    ...(record ? elements(record, 'Endorsement') : []),
    ...faresOf(pricing).flatMap((fare) => elements(fare, 'Endorsement')),
  ]
  const texts = new Set(printed.flatMap(({ attributes }) => printedText(attributes.Value) ?? []))
  return texts.size > 0 ? [...texts].join(' ') : null
}

/** The tour code of a record, of its ticket, or of a fare. */
export function tourCodeOf(
  record: TicketXmlElement | undefined,
  ticket: TicketXmlElement | undefined,
  pricing: TicketXmlElement | undefined,
): string | null {
  const codes = [
    record?.attributes.TourCode,
    ticket && element(ticket, 'TourCode')?.attributes.Value,
    ...faresOf(pricing).map(({ attributes }) => attributes.TourCode),
  ]
  return codes.map((code) => printedText(code)).find((code) => code !== null) ?? null
}
