/** PostgreSQL stores no NUL, and a terminal obeys the others. */
const CONTROLS = /(?![\t\n\r])\p{Cc}/gu

/** The beginning of a foreign text, made storable and printable: complete characters, no control characters. */
export function excerptOf(bytes: Uint8Array, maximumBytes: number): string {
  const start = new TextDecoder().decode(bytes.subarray(0, maximumBytes), { stream: true }).replace(CONTROLS, '')
  // Invalid UTF-8 is replaced by longer sequences.
  return start.slice(0, new TextEncoder().encodeInto(start, new Uint8Array(maximumBytes)).read)
}
