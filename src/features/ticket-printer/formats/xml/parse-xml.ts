import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { Unreadable } from '../../ticket-file.ts'

/** An element without its comments and instructions. Names are without the prefix of their namespace. */
export type TicketXmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** What stands between its tags, children apart, trimmed. */
  readonly text: string
  readonly children: readonly TicketXmlElement[]
}

/** What a file of tickets needs at the most; the parser takes its time and memory by tags and by characters. */
const MOST_CHARACTERS = 256 * 1024
const MOST_TAGS = 6_000
const MOST_ATTRIBUTES = 4_000
const MOST_DEPTH = 40

export const DAMAGED = new Unreadable('The XML is damaged or incomplete. Send the whole file again.', 'damaged')
export const WITH_DOCTYPE = new Unreadable(
  'The XML has a document type declaration (<!DOCTYPE …>), which is not supported.',
  'unknown_format',
)

const ATTRIBUTES = ':@'
const TEXT = '#text'
const CDATA = '#cdata'
const NO_NODES: readonly Node[] = []
/** An element as the library answers it: its children under its name, its attributes under `:@`. */
type Node = { readonly [name: string]: readonly Node[] | Readonly<Record<string, string>> | string }

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  cdataPropName: CDATA,
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: MOST_DEPTH,
  processEntities: false,
  parseTagValue: false,
})

/**
 * Reads a document that is well-formed, whole and of a ticket's size. It may refer to nothing outside itself and
 * define nothing: a document type is refused, and of entities only those that every XML has are resolved.
 */
export function parseXml(text: string): TicketXmlElement | Unreadable {
  const refused = refusal(text)
  if (refused) return refused
  try {
    const document = text.trim()
    // The parser alone takes what is cut off or does not match.
    if (XMLValidator.validate(document) !== true) return DAMAGED
    const [root, ...more] = (parser.parse(document) as Node[]).filter((node) => !(TEXT in node)).map(elementOf)
    if (root && more.length === 0) return root
    return new Unreadable('The XML does not have exactly one root element. Send the whole file again.', 'damaged')
  } catch {
    return new Unreadable(
      `The XML is damaged, or its elements are nested more than ${MOST_DEPTH} levels deep.`,
      'damaged',
    )
  }
}

/** What costs nothing to find out before the parser is started. */
function refusal(text: string): Unreadable | null {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    return WITH_DOCTYPE
  }
  if (text.length > MOST_CHARACTERS) {
    return new Unreadable(
      `The XML is too long for a ticket file: it has more than ${MOST_CHARACTERS / 1024} thousand characters.`,
      'too_large',
    )
  }
  if (hasMore(text, '<', MOST_TAGS))
    return new Unreadable(`The XML is too large for a ticket file: it has more than ${MOST_TAGS} tags.`, 'too_large')
  if (!hasMore(text, '="', MOST_ATTRIBUTES) && !hasMore(text, "='", MOST_ATTRIBUTES)) return null
  return new Unreadable(
    `The XML is too large for a ticket file: it has more than ${MOST_ATTRIBUTES} attributes.`,
    'too_large',
  )
}

function hasMore(text: string, mark: string, most: number): boolean {
  let count = 0
  for (let at = text.indexOf(mark); at >= 0 && count <= most; at = text.indexOf(mark, at + 1)) count += 1
  return count > most
}

function elementOf(node: Node): TicketXmlElement {
  const name = Object.keys(node).find((key) => key !== ATTRIBUTES) ?? ''
  const content = nodesOf(node[name])
  const attributes = Object.entries((node[ATTRIBUTES] ?? {}) as Record<string, string>)
  return {
    name,
    attributes: Object.fromEntries(attributes.map(([key, value]) => [key, resolved(value).trim()])),
    text: content.map(textOfNode).join('').trim(),
    children: content.filter((child) => !(TEXT in child) && !(CDATA in child)).map(elementOf),
  }
}

const nodesOf = (value: Node[string] | undefined): readonly Node[] => (Array.isArray(value) ? value : NO_NODES)

function textOfNode(node: Node): string {
  if (TEXT in node) return resolved(String(node[TEXT]))
  return nodesOf(node[CDATA])
    .map((each) => String(each[TEXT] ?? ''))
    .join('')
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\dA-Fa-f]{1,6}));/g

/** Entities resolved, once: what comes out of one is text. A character that XML does not have stays as written. */
function resolved(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(ENTITY, (written, name?: string, decimal?: string, hex?: string) => {
    if (name) return NAMED[name] ?? written
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
    const character = (code >= 0x20 && code < 0xd800) || (code >= 0xe000 && code <= 0x10ffff) || code === 10
    return character ? String.fromCodePoint(code) : written
  })
}

/** The elements at the end of a path of names, in their order. */
export function elements(from: TicketXmlElement, ...path: readonly string[]): readonly TicketXmlElement[] {
  return path.reduce<readonly TicketXmlElement[]>(
    (found, name) => found.flatMap((each) => each.children.filter((child) => child.name === name)),
    [from],
  )
}

export const element = (from: TicketXmlElement, ...path: readonly string[]): TicketXmlElement | undefined =>
  elements(from, ...path)[0]

/** The text at the end of a path; null where there is none. */
export const textAt = (from: TicketXmlElement | undefined, ...path: readonly string[]): string | null =>
  (from && element(from, ...path)?.text) || null

/** The first text at the end of any of the paths, whose names have a stroke between them; null where there is none. */
export function firstTextAt(from: TicketXmlElement | undefined, ...paths: readonly string[]): string | null {
  for (const path of paths) {
    const text = textAt(from, ...path.split('/'))
    if (text !== null) return text
  }
  return null
}

/** The elements of a name at any depth, in their order. */
export function descendants(from: TicketXmlElement, name: string): readonly TicketXmlElement[] {
  return from.children.flatMap((child) => [...(child.name === name ? [child] : []), ...descendants(child, name)])
}
