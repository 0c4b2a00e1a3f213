/** How `error` and every reason in `details` are written. */
export const SENTENCE = /^\p{Lu}.*[.?]$/su
