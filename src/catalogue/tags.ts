import { textSet } from './lists.ts'

export const TAGS_MAXIMUM = 100
export const TAG_LENGTH = 60
/** The whole set of a record's tags. */
export const tags = textSet(TAGS_MAXIMUM, TAG_LENGTH)
