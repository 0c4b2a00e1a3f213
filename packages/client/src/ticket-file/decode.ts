/** Text, and the character set by which bytes became it, by its WHATWG name. */
export type Decoded = { readonly text: string; readonly encoding: string }

const BYTE_ORDER_MARKS: readonly (readonly [start: string, label: string])[] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]
const LONGEST_MARK = 3

/** Whether a character set of this name is known, as `windows-1254`, `cp1254` or `iso-8859-9`. */
export function isEncoding(label: string): boolean {
  try {
    return Boolean(new TextDecoder(label))
  } catch {
    return false
  }
}

/**
 * Decodes a file: by the character set that its source names, else by its byte order mark, else as UTF-8 where that
 * fits to the last byte, else as the code page of Windows in the agency's country. All that has a place in these
 * formats is ASCII in every one of them, so a wrong guess can only spoil free text.
 */
export function decodeTicketFile(bytes: Uint8Array, label: string | null, country: string): Decoded {
  const head = Buffer.from(bytes.subarray(0, LONGEST_MARK)).toString('hex')
  const known = label ?? BYTE_ORDER_MARKS.find(([start]) => head.startsWith(start))?.[1]
  if (known !== undefined) return by(new TextDecoder(known), bytes)
  try {
    return by(new TextDecoder('utf-8', { fatal: true }), bytes)
  } catch {
    return by(new TextDecoder(country === 'TR' ? 'windows-1254' : 'windows-1252'), bytes)
  }
}

const by = (decoder: TextDecoder, bytes: Uint8Array): Decoded => ({
  text: decoder.decode(bytes),
  encoding: decoder.encoding,
})
