/** A file that is no archive, or not the whole of one. */
export class BadArchive extends Error {}
