import { followsDocuments } from '../verticals/tickets/document-states.ts'

/** The status of a ticket sale without the voids, refunds and exchanges of its documents; `base` is the last known one. */
export const statusApart = (status: string, base: string | null): string | null =>
  followsDocuments(status) ? base : status
