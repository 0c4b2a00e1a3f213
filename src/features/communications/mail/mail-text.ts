import { isUtf8 } from 'node:buffer'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
/** The usual encoding of Turkish programs that declare none. It has all but six of Western Europe's letters. */
const FALLBACK_CHARSET = new TextDecoder('windows-1254')
const CONTROLS = /(?![\t\n])\p{Cc}/gu
const MESSAGE_ID = /<[^<>\s]+>/g
const BARE = /^[^\s<>]+@[^\s<>]+$/
/** What the database's index takes of a key, whatever its letters are. */
const MESSAGE_ID_LENGTH = 500

/** A text of several lines, made storable: null if it is empty. */
export function cleanText(text: string | undefined, maximum: number): string | null {
  const clean = (text ?? '').slice(0, maximum).replaceAll('\r\n', '\n').toWellFormed().replace(CONTROLS, '').trim()
  return clean === '' ? null : clean
}

/** The same on one line. */
export const cleanLine = (text: string | undefined, maximum: number): string | null =>
  cleanText(text?.slice(0, maximum).replace(/[\s\p{Cc}]+/gu, ' '), maximum)

/** The Message-IDs of a header, with their angle brackets; one without them is taken for what it must mean. */
export function messageIdsIn(header: string | undefined): string[] {
  const text = header?.toWellFormed().replace(CONTROLS, '').trim() ?? ''
  const ids = text.match(MESSAGE_ID) ?? (text.length < MESSAGE_ID_LENGTH && BARE.test(text) ? [`<${text}>`] : [])
  return ids.filter((id) => id.length <= MESSAGE_ID_LENGTH)
}

/** Where the headers of a mail end. */
export function endOfHeaders(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const next = bytes[at + 1] === CARRIAGE_RETURN ? at + 2 : at + 1
    if (bytes[next] === LINE_FEED) return next
  }
  return bytes.length
}

/** The mail in UTF-8 if it declares no charset: its headers, and its text if the headers name none. */
export function inUtf8(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes
  const end = endOfHeaders(bytes)
  const declaresCharset = /charset|boundary/i.test(bytes.toString('latin1', 0, end))
  const undeclared = bytes.subarray(0, declaresCharset ? end : bytes.length)
  return isUtf8(undeclared)
    ? bytes
    : Buffer.concat([Buffer.from(FALLBACK_CHARSET.decode(undeclared)), bytes.subarray(undeclared.length)])
}
