/** What transports and editors leave before a file: framing and blank characters, and the mark of an encoding. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const LEADING = /^[\0-\x03\t\n\f\r \uFEFF]+/
/**
 * A file without a leading byte order mark or white space, and without the second CR that Windows programs put before a
 * line feed.
 */
export const stripped = (text: string): string => text.replace(LEADING, '').replaceAll('\r\r\n', '\r\n')

/** The first line of an AIR; mail and print programs put their own lines before it. */
export const AIR_HEADER = /(?:^|[\0-\x20])((?:AIR-)?BLK\d{3};)/
/** How many characters such lines may have. */
export const AIR_PREAMBLE = 400
export const MIR_HEADER = /^T51([GV])(?:7733|5880)\d{2}(\d{5})/
export const IUR_HEADER = /^AA\d{2}(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\d{4}M0([0-9A-Z])/
