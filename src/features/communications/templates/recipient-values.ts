import { CUSTOMS, type Language } from '../../../platform/page/language.ts'
import { dayRange, longDay } from '../../../platform/page/when.ts'
import type { Recipient } from '../recipients.store.ts'
import type { PlaceholderValues } from './fill.ts'
import { TEMPLATES } from './templates.ts'

type Addressed = Pick<
  Recipient,
  'calledName' | 'name' | 'title' | 'reference' | 'start' | 'end' | 'destinations' | 'advisor' | 'advisorEmail'
>
/** The values of recipient and trip, as written in a mail. */
export function recipientValues(recipient: Addressed, language: Language): PlaceholderValues {
  const { calledName, name, title, reference, start, end, destinations, advisor, advisorEmail } = recipient
  const custom = CUSTOMS[language]
  return {
    greeting: TEMPLATES[language].greet(calledName),
    'customer.name': name,
    'trip.title': title,
    'trip.reference': reference,
    'trip.dates': start && dayRange(start, end ?? start, custom),
    'trip.start': start && longDay(start, custom),
    'trip.end': end && longDay(end, custom),
    'trip.destinations': destinations && listed(destinations, language),
    'advisor.name': advisor,
    'advisor.email': advisorEmail,
  }
}

const listed = (names: readonly string[], language: Language): string =>
  new Intl.ListFormat(CUSTOMS[language].locale, { type: 'conjunction' }).format(names)
