import { quoted } from '../../platform/db/quoted.ts'

/** What an agency delivers nothing by. */
const NOT_DELIVERED = quoted(['note', 'free_time', 'meeting_point'])
/** SQL over a segment `s`: whether the traveller is asked to rate it, as shown on the itinerary. */
export const RATED_SQL = `(s.is_client_visible and s.status in ('proposed', 'option', 'confirmed', 'ticketed')
  and s.segment_type not in (${NOT_DELIVERED}))`
