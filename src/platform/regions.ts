/** First account number of each residency region; a number tells the cell that holds the account. */
export const REGIONS = { tr: 10_000_000, eu: 20_000_000, am: 30_000_000 } as const
export type Region = keyof typeof REGIONS
/** Account numbers that one region has. */
export const BAND = 10_000_000
