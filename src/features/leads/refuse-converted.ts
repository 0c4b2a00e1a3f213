import { ApiError } from '../../platform/http/errors.ts'
import type { StoredLead } from './leads.store.ts'

/** A converted lead is frozen. */
export function refuseConverted({ converted }: StoredLead): void {
  if (converted)
    throw new ApiError('lead_converted', 'A converted lead cannot be changed. Change its customer or trip instead.')
}
