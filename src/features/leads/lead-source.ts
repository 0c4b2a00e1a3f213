import { term } from '../../catalogue/kinds.ts'

/** Where a lead came from. */
export const leadSource = term('lead_source', [
  'website',
  'phone',
  'email',
  'walk_in',
  'referral',
  'repeat_customer',
  'social_media',
  'advertisement',
  'marketplace',
  'fair',
  'partner_agency',
  'other',
])
