/** What a state means, in every vertical that has it. */
type StateMeaning = {
  /** Not sold yet, sold, refunded, or cancelled without a refund. A sold booking with an invoice date is invoiced. */
  readonly sale: 'offer' | 'sold' | 'refunded' | 'cancelled'
  /** Whether there is still something to do for the customer. */
  readonly isOpen: boolean
  /** The status of the segments in a trip. */
  readonly segments: 'draft' | 'proposed' | 'option' | 'confirmed' | 'ticketed' | 'cancelled'
}

/** Every state of every vertical. Visa cases have no segments. */
export const BOOKING_STATES = {
  lead: { sale: 'offer', isOpen: true, segments: 'draft' },
  planning: { sale: 'offer', isOpen: true, segments: 'draft' },
  draft: { sale: 'offer', isOpen: true, segments: 'draft' },
  requested: { sale: 'offer', isOpen: true, segments: 'draft' },
  quoted: { sale: 'offer', isOpen: true, segments: 'proposed' },
  option: { sale: 'offer', isOpen: true, segments: 'option' },
  documents_pending: { sale: 'offer', isOpen: true, segments: 'draft' },
  ready: { sale: 'offer', isOpen: true, segments: 'draft' },

  submitted: { sale: 'sold', isOpen: true, segments: 'draft' },
  appointment_scheduled: { sale: 'sold', isOpen: true, segments: 'draft' },
  in_process: { sale: 'sold', isOpen: true, segments: 'draft' },
  approved: { sale: 'sold', isOpen: true, segments: 'draft' },
  rejected: { sale: 'sold', isOpen: false, segments: 'draft' },
  delivered: { sale: 'sold', isOpen: false, segments: 'draft' },
  closed: { sale: 'sold', isOpen: false, segments: 'draft' },
  contracted: { sale: 'sold', isOpen: true, segments: 'confirmed' },
  confirmed: { sale: 'sold', isOpen: true, segments: 'confirmed' },
  in_house: { sale: 'sold', isOpen: true, segments: 'confirmed' },
  sailing: { sale: 'sold', isOpen: true, segments: 'confirmed' },
  out: { sale: 'sold', isOpen: true, segments: 'confirmed' },
  in_progress: { sale: 'sold', isOpen: true, segments: 'confirmed' },
  operating: { sale: 'sold', isOpen: true, segments: 'confirmed' },
  checked_out: { sale: 'sold', isOpen: false, segments: 'confirmed' },
  returned: { sale: 'sold', isOpen: false, segments: 'confirmed' },
  completed: { sale: 'sold', isOpen: false, segments: 'confirmed' },
  no_show: { sale: 'sold', isOpen: false, segments: 'cancelled' },
  issued: { sale: 'sold', isOpen: false, segments: 'ticketed' },
  partly_voided: { sale: 'sold', isOpen: false, segments: 'ticketed' },
  exchanged: { sale: 'sold', isOpen: false, segments: 'cancelled' }, // another sale has the flights

  refunded: { sale: 'refunded', isOpen: false, segments: 'cancelled' },
  void: { sale: 'cancelled', isOpen: false, segments: 'cancelled' },
  cancelled: { sale: 'cancelled', isOpen: false, segments: 'cancelled' },
} as const satisfies Readonly<Record<string, StateMeaning>>

export type BookingState = keyof typeof BOOKING_STATES

const meanings: ReadonlyMap<string, StateMeaning> = new Map(Object.entries(BOOKING_STATES))

/** The meaning of a stored state; undefined where a newer version of the program wrote it. */
export const stateMeaning = (state: string): StateMeaning | undefined => meanings.get(state)

export const statesWhere = (isWanted: (meaning: StateMeaning) => boolean): string[] =>
  [...meanings].flatMap(([state, meaning]) => (isWanted(meaning) ? [state] : []))
