import { tagOf } from './formats/air/tags.ts'
import type { TicketFileFormat } from './ticket-file.ts'

/** This many characters of a file show its layout. */
const EXCERPT_LENGTH = 4000

const by = (pattern: RegExp) => (line: string) => pattern.exec(line)?.[0]
/** The tags at the beginning of lines. They name the line and contain nothing about the traveller or the payment. */
const LINE_TAGS: Partial<Record<TicketFileFormat, (line: string) => string | undefined>> = {
  air: (line) => /^AIR-BLK\d{3}|^ENDX?$/.exec(line)?.[0] ?? tagOf(line),
  iur: by(/^(?:AA|M[\dAGX])/),
  mir: by(/^(?:T51[GV]|A[0-3]\d|[A-Z][A-Z\d]:)/),
  tair: by(/^[A-Z\d]\\/),
}

const TAG = /<[^<>]*>?/g
const ELEMENT = /^<\/?[A-Za-z_][\w.:-]*/
/** An attribute with its quoted value, or any other character. */
const WITHIN_TAG = /([\w.:-]+\s*=\s*)("[^"]*"|'[^']*')|\S/g

/**
 * The beginning of a file with its tags and punctuation. `A`, `a` and `9` replace every letter and digit that could
 * identify the traveller, the price or the payment.
 */
export function maskedExcerpt(text: string, format: TicketFileFormat): string {
  const excerpt = text.slice(0, EXCERPT_LENGTH)
  if (excerpt.trimStart().startsWith('<')) return maskedXml(excerpt)
  const tagOfLine = LINE_TAGS[format]
  return excerpt
    .split(/\r\n|[\r\n]/)
    .map((line) => {
      const tag = tagOfLine?.(line) ?? ''
      return tag + masked(line.slice(tag.length))
    })
    .join('\n')
}

function maskedXml(text: string): string {
  let shown = ''
  let end = 0
  for (const { 0: tag, index } of text.matchAll(TAG)) {
    shown += masked(text.slice(end, index)) + maskedTag(tag)
    end = index + tag.length
  }
  return shown + masked(text.slice(end))
}

function maskedTag(tag: string): string {
  const [element] = ELEMENT.exec(tag) ?? []
  if (element === undefined) return masked(tag)
  const rest = tag.slice(element.length)
  return (
    element +
    rest.replace(WITHIN_TAG, (part, attribute?: string, value?: string) =>
      attribute === undefined || value === undefined ? masked(part) : attribute + masked(value),
    )
  )
}

/** Combining marks are masked with their letter. Characters that the database cannot store become question marks. */
const masked = (text: string): string =>
  text
    .replace(/\p{M}+/gu, '')
    .replace(/\p{L}/gu, (letter) => (/\p{Lu}|\p{Lt}/u.test(letter) ? 'A' : 'a'))
    .replace(/\p{N}/gu, '9')
    .replace(/[^\P{C}\r\n\t]/gu, '?')
