import { isUtf8 } from 'node:buffer'
import { extensionOf } from './file-name.ts'

/** What a computer would run, whatever it is called. */
const PROGRAMS = new Set([
  'application/java-archive',
  'application/java-vm',
  'application/vnd.android.package-archive',
  'application/vnd.ms-htmlhelp',
  'application/wasm',
  'application/x-apple-diskimage',
  'application/x-deb',
  'application/x-elf',
  'application/x-ft-apple.alias',
  'application/x-google-chrome-extension',
  'application/x-mach-binary',
  'application/x-ms-regedit',
  'application/x-ms-shortcut',
  'application/x-msdownload',
  'application/x-rpm',
  'application/x-shockwave-flash',
  'application/x-xpinstall',
])
/** File types that are run by their name: the bytes of a script without a first line look like any other text. */
const RUN_BY_NAME = new Set(
  (
    'apk app appx bash bat chm cjs cmd cpl csh deb desktop dll dmg exe gadget hta htm html inf jar jnlp js jse ksh ' +
    'lnk mht mhtml mjs msi msp msix php phtml pif pl pkg ps1 psm1 py rb reg rpm scf scr sh shtml svg svgz swf sys ' +
    'url vb vbe vbs ws wsf wsh xht xhtml xsl xslt zsh'
  ).split(' '),
)
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROL = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/
const UNKNOWN = 'application/octet-stream'
const XML = 'application/xml'

/** What browsers take for a page (WHATWG MIME Sniffing, 7.1), and other tags at the beginning of a page or drawing. */
const PAGE =
  /^\s*<(?:!--|!doctype\s+(?:html|svg)|(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|svg|meta|link|img|object|embed|form|base|template)[\s/>]|\?php)/i
/** Elements of these run scripts, whatever the root of their document is. */
const PAGE_NAMESPACE = /http:\/\/www\.w3\.org\/(?:1999\/xhtml|2000\/svg)/
/** It could turn any document into a page. Electronic invoices contain one, so they are stored as text. */
const STYLESHEET = /<\?xml-stylesheet\s/
const REFERENCE = /&#(?:x0*([\da-fA-F]{1,6})|0*(\d{1,7}));/g
const LAST_CODE_POINT = 0x10ffff
const PROLOG = /\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype[^[>]*(?:\[[\s\S]*?\]\s*)?>/iy
const ROOT = /<(?:[\w.-]+:)?(?:html|svg)[\s/>]/iy

/**
 * The type detected from the bytes; null for scripts, programs and web pages, which the name may also reveal. Without a
 * type, readable bytes are text, others binary.
 */
export async function sniffType(bytes: Buffer, name: string): Promise<string | null> {
  const text = decoded(bytes)
  if (
    RUN_BY_NAME.has(extensionOf(name)) ||
    text.startsWith('#!') ||
    PAGE.test(text) ||
    isPageInXml(text) ||
    mayHoldPage(text)
  )
    return null
  const { fileTypeFromBuffer } = await import('file-type')
  const type = (await fileTypeFromBuffer(bytes))?.mime
  if (type === XML && STYLESHEET.test(text)) return 'text/plain'
  if (type !== undefined) return PROGRAMS.has(type) ? null : type
  return isUtf8(bytes) && !CONTROL.test(text) ? 'text/plain' : UNKNOWN
}

/** Endings that mean the same, and containers that others are made of. */
const SAME: Readonly<Record<string, string>> = { jpeg: 'jpg', jpe: 'jpg', tiff: 'tif', mpeg: 'mpg', midi: 'mid' }
/** An extension without meaning. */
const ANY_DATA = 'dat'
const CONTAINERS = new Set(['zip', 'cfb', 'xml', 'mp4', 'ogg', 'asf', 'ebml'])

/** Whether the name claims a type that the bytes are not, e.g. an image named as a PDF. */
export async function contradictsName(bytes: Buffer, name: string): Promise<boolean> {
  const { fileTypeFromBuffer, supportedExtensions } = await import('file-type')
  const ending = extensionOf(name)
  const claimed = SAME[ending] ?? ending
  if (claimed === ANY_DATA || !supportedExtensions.has(claimed as never)) return false
  const shown = (await fileTypeFromBuffer(bytes))?.ext
  return shown !== claimed && !(shown !== undefined && CONTAINERS.has(shown))
}

/** The name, with the extension corrected to the detected type. */
export async function trueName(bytes: Buffer, name: string): Promise<string> {
  if (!(await contradictsName(bytes, name))) return name
  const { fileTypeFromBuffer } = await import('file-type')
  return `${name}.${(await fileTypeFromBuffer(bytes))?.ext ?? 'bin'}`
}

/** ASCII text, without its byte order mark. */
function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return bytes.toString('latin1', mark ? 3 : 0)
}

/** Whether a document, with or without an XML declaration, has elements of pages, or entities that could hide them. */
function mayHoldPage(text: string): boolean {
  if (!/^\s*</.test(text)) return false
  const plain = text.includes('&#') ? text.replace(REFERENCE, decodeReference) : text
  return /<!ENTITY\s/.test(plain) || PAGE_NAMESPACE.test(plain)
}
const decodeReference = (reference: string, hex: string | undefined, decimal: string): string => {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : reference
}

/** Whether the first element of an XML document is a page or a drawing. */
function isPageInXml(text: string): boolean {
  if (!/^\s*<[?!]/.test(text)) return false
  let at = 0
  for (;;) {
    PROLOG.lastIndex = at
    if (!PROLOG.test(text)) break
    at = PROLOG.lastIndex
  }
  ROOT.lastIndex = at
  return ROOT.test(text)
}
