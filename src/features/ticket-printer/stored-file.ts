import { BLANK_DOCUMENT, BLANK_FILE, BLANK_LEG, BLANK_PASSENGER } from './formats/blank.ts'
import type { TicketFile } from './ticket-file.ts'

/** The stored content of a captured file. Content stored by former versions lacks newer fields. */
export const storedFile = (kept: TicketFile): TicketFile => ({
  ...BLANK_FILE,
  ...kept,
  passengers: kept.passengers.map((passenger) => ({ ...BLANK_PASSENGER, ...passenger })),
  legs: kept.legs.map((leg) => ({ ...BLANK_LEG, ...leg })),
  documents: kept.documents.map((document) => ({
    ...BLANK_DOCUMENT,
    ...document,
    exchange: document.exchange && { ...document.exchange, fareDifference: document.exchange.fareDifference ?? null },
  })),
})
