import { integer } from './kinds.ts'

const MAXIMUM = 100_000
/** How many people, or of what they take up: rooms, cabins, cars, cases. */
export const count = integer(0, MAXIMUM)
