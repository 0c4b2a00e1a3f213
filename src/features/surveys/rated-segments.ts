import { quoted } from '../../platform/db/quoted.ts'

/** What an agency delivers nothing by. */
const NOT_DELIVERED = quoted(['note', 'free_time', 'meeting_point'])
/** SQL over a segment `s`: whether whoever travelled is asked about it, as it was on the itinerary. */
export const RATED_SQL = `(s.is_client_visible and s.status in ('proposed', 'option', 'confirmed', 'ticketed')
  and s.segment_type not in (${NOT_DELIVERED}))`
