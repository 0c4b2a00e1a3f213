import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { UserError } from '../../../platform/user-error.ts'

/** An element without its comments and instructions. Names are without the prefix of their namespace. */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** The text between its tags, without children. */
  readonly text: string
  readonly children: readonly XmlElement[]
}

const ATTRIBUTES = ':@'
const TEXT = '#text'
/** An element as the library returns it: its children under its name, its attributes under `:@`. */
type Node = { readonly [name: string]: readonly Node[] | Readonly<Record<string, string>> | string }

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  processEntities: false,
  parseTagValue: false,
})

/**
 * Reads a document that is well-formed and whole, or throws. It may refer to nothing outside itself: a document type
 * is refused, and entities stay as they are written.
 */
export function readXml(text: string): XmlElement {
  if (text.includes('<!DOCTYPE')) {
    throw new UserError(
      'invalid_file',
      'The XML declares a document type (<!DOCTYPE …>), which is not supported. Download the file again.',
    )
  }
  const document = text.trim()
  const valid = XMLValidator.validate(document) // the parser alone accepts truncated and mismatched tags
  if (valid !== true) {
    throw new UserError(
      'invalid_file',
      `Line ${valid.err.line}: the XML is damaged: ${valid.err.msg.replace(/\.$/, '')}. Download the file again.`,
    )
  }
  const [root, ...more] = parsed(document).map(readElement)
  if (root === undefined || more.length > 0) {
    throw new UserError('invalid_file', 'The XML does not have exactly one root element. Download the file again.')
  }
  return root
}

/** The parser refuses some of what the validator lets pass, such as an instruction without an end. */
function parsed(document: string): Node[] {
  try {
    return parser.parse(document)
  } catch (error) {
    const problem = (error as Error).message.replace(/\.$/, '')
    throw new UserError('invalid_file', `The XML is damaged: ${problem}. Download the file again.`)
  }
}

function readElement(node: Node): XmlElement {
  const name = Object.keys(node).find((key) => key !== ATTRIBUTES) as string
  const content = node[name] as readonly Node[]
  return {
    name,
    attributes: (node[ATTRIBUTES] ?? {}) as Record<string, string>,
    text: content.map((child) => child[TEXT] ?? '').join(''),
    children: content.filter((child) => !(TEXT in child)).map(readElement),
  }
}

/** The children of an element that holds elements of one name and nothing else; `where` names it to the operator. */
export function childrenNamed(name: string, { children, text }: XmlElement, where: string): readonly XmlElement[] {
  const stranger = children.find((child) => child.name !== name)?.name ?? (text === '' ? undefined : text.slice(0, 40))
  if (stranger === undefined) return children
  throw new UserError(
    'invalid_file',
    `${where} contains ${JSON.stringify(stranger)}, but only <${name}> is allowed. Download the file again.`,
  )
}

export function xmlAttribute(name: string, { attributes }: XmlElement, where: string): string {
  const value = attributes[name]
  if (value !== undefined) return value
  throw new UserError('invalid_file', `${where} has no ${name}. Download the file again.`)
}
