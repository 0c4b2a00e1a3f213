/** How much of a message is stored, from any source. */
export const SUBJECT_KEPT = 1_000
export const BODY_KEPT = 500_000
export const HTML_KEPT = 1_000_000
/** Reading more takes longer than it is worth. */
export const TAGS_KEPT = 50_000
/** Length of an address, a Message-ID or a provider's id. */
export const NAME_KEPT = 500
/** Number of recipients in one list, and of Message-IDs. */
export const LISTED_KEPT = 100
