import { compile, type DomNode, type FormatCallback } from 'html-to-text'
import sanitize from 'sanitize-html'

/** What mail is written with: text, lists, tables, links and pictures. Nothing here runs, embeds or asks. */
const TAGS = [
  ...['p', 'div', 'span', 'br', 'hr', 'center', 'font', 'blockquote', 'pre', 'code', 'address'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'b', 'strong', 'i', 'em', 'u', 's', 'strike', 'del', 'ins', 'small', 'big'],
  ...['sub', 'sup', 'mark', 'q', 'cite', 'abbr', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'a', 'img'],
  ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
]
/** Elements that are removed with their content. */
const GONE_WITH_TEXT = [
  'script',
  'style',
  'title',
  'textarea',
  'option',
  'noscript',
  'template',
  'xmp',
  'iframe',
  'svg',
  'math',
]
const BOX = ['width', 'height', 'align', 'valign', 'bgcolor']
const ATTRIBUTES = {
  '*': ['dir', 'lang', 'align', 'style'],
  a: ['href', 'title', 'rel'],
  img: ['src', 'alt', 'title', 'width', 'height', 'border'],
  font: ['color', 'face', 'size'],
  table: [...BOX, 'border', 'cellpadding', 'cellspacing', 'role'],
  tr: BOX,
  th: [...BOX, 'colspan', 'rowspan', 'scope'],
  td: [...BOX, 'colspan', 'rowspan'],
  col: ['span', 'width'],
  ol: ['start', 'type'],
}

/** Words, numbers and colours only: nothing that is loaded, computed or drawn over its surroundings. */
const PLAIN_VALUE = [/^(?:[#\w\s.,%'"-]|rgba?\([\d\s.,%/]+\))*$/]
const STYLES = [
  ...['color', 'background-color', 'font', 'font-family', 'font-size', 'font-style', 'font-weight', 'line-height'],
  ...[
    'letter-spacing',
    'text-align',
    'text-decoration',
    'text-transform',
    'vertical-align',
    'white-space',
    'direction',
  ],
  ...[
    'width',
    'max-width',
    'min-width',
    'height',
    'margin',
    'margin-top',
    'margin-right',
    'margin-bottom',
    'margin-left',
  ],
  ...['padding', 'padding-top', 'padding-right', 'padding-bottom', 'padding-left', 'list-style-type'],
  ...['border', 'border-top', 'border-right', 'border-bottom', 'border-left', 'border-color', 'border-width'],
  ...['border-style', 'border-radius', 'border-collapse', 'border-spacing'],
]

const LINK = /^(?:https?:\/\/|mailto:|tel:)/i
const PICTURE = /^(?:https:\/\/|cid:)/i
const UNENCRYPTED = /^\s*(?:http:)?\/\//i
const DEEPEST = 100

type Attributes = Record<string, string>
/** Without the attribute where it leads elsewhere than it may. */
function leading(name: string, to: RegExp, attributes: Attributes): Attributes {
  const { [name]: given, ...others } = attributes
  return given !== undefined && to.test(given.trim()) ? { ...attributes, [name]: given.trim() } : others
}
/** Images with http: or no scheme are loaded over HTTPS, as browsers do; otherwise they could not be loaded at all. */
const encrypted = (attributes: Attributes): Attributes =>
  attributes.src === undefined ? attributes : { ...attributes, src: attributes.src.replace(UNENCRYPTED, 'https://') }
/** A linked page does not receive the referring address. */
function link(attributes: Attributes): Attributes {
  const { rel: _, ...others } = leading('href', LINK, attributes)
  return others.href === undefined ? others : { ...others, rel: 'noopener noreferrer' }
}

const OPTIONS: sanitize.IOptions = {
  allowedTags: TAGS,
  nonTextTags: GONE_WITH_TEXT,
  allowedAttributes: ATTRIBUTES,
  allowedStyles: { '*': Object.fromEntries(STYLES.map((name) => [name, PLAIN_VALUE])) },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https', 'cid'] },
  allowProtocolRelative: false,
  nestingLimit: DEEPEST,
  parseStyleAttributes: true,
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: link(attribs) }),
    img: (tagName, attribs) => ({ tagName, attribs: leading('src', PICTURE, encrypted(attribs)) }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && attribs.src === undefined,
}

/** Safe HTML: shows its content and does nothing; everything else is removed. */
export const cleanHtml = (html: string): string => sanitize(html, OPTIONS).trim()

const REMOTE = /^https?:\/\//i
/**
 * Clean HTML without remote images, and their number: loading one would report to its sender when, where and by whom
 * the mail was read. Their alternative texts stay, as do images inside the mail.
 */
export function withoutRemoteImages(html: string): { readonly html: string; readonly blocked: number } {
  let blocked = 0
  const { exclusiveFilter: _, ...options } = OPTIONS
  const without = (tagName: string, { src = '', ...others }: Attributes) => {
    if (!REMOTE.test(src)) return { tagName, attribs: { src, ...others } }
    blocked += 1
    return { tagName, attribs: others }
  }
  const transformTags = { ...OPTIONS.transformTags, img: without }
  const text = sanitize(html, { ...options, transformTags }).trim()
  return blocked === 0 ? { html, blocked } : { html: text, blocked }
}

/** Quotations and lists have a mark on each line, nested ones one mark per level. */
const MARKED = ['blockquote', 'ul', 'ol']
/** Beyond it there would be more marks than text. */
const MARKED_DEEPEST = 8
const marksOver = (element: DomNode | null | undefined): number =>
  element ? marksOver(element.parent) + Number(MARKED.includes(element.name ?? '')) : 0
/** Formats an element with its marks, unless it is nested too deeply. */
const marking =
  (format: string): FormatCallback =>
  (element, walk, builder, options) => {
    const { formatters } = builder.options
    const by = formatters?.[marksOver(element) > MARKED_DEEPEST ? 'block' : format]
    by?.(element, walk, builder, options)
  }

const ON_ITS_OWN_LINE = { leadingLineBreaks: 1, trailingLineBreaks: 1 }
const toText = compile({
  wordwrap: false,
  formatters: { quotation: marking('blockquote'), bullets: marking('unorderedList'), numbers: marking('orderedList') },
  limits: { maxDepth: DEEPEST },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    { selector: 'img', format: 'skip' },
    { selector: 'blockquote', format: 'quotation' },
    { selector: 'ul', format: 'bullets' },
    { selector: 'ol', format: 'numbers' },
    { selector: 'li', format: 'block', options: ON_ITS_OWN_LINE },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ...['th', 'td'].map((selector) => ({ selector, format: 'block', options: ON_ITS_OWN_LINE })),
  ],
})
/** The text content of HTML. */
export const plainOf = (html: string): string => toText(cleanHtml(html)).trim()
