import type { RefusedValue } from '../../../platform/invalid-values.ts'
import { placeholdersIn } from './fill.ts'
import { PLACEHOLDERS, type Template, type TemplateKind } from './template-kinds.ts'

export const SUBJECT_LENGTH = 200
export const BODY_LENGTH = 10_000
/** In a body, line ends and tabs are allowed as well. */
const CONTROL = /[^\P{Cc}\n\r\t]/u
const BRACES = /\{\{|\}\}/g

/** A template without spaces around its texts, and every reason why it cannot be used. */
export function readTemplate(kind: TemplateKind, given: Template): { template: Template; reasons: RefusedValue[] } {
  const template = { subject: given.subject.trim(), body: given.body.trim() }
  const { subject, body } = template
  const reasons: RefusedValue[] = []
  if (subject === '') reasons.push(['subject', 'A template needs a subject.'])
  if (body === '') reasons.push(['body', 'A template needs a body.'])
  if (subject.length > SUBJECT_LENGTH) reasons.push(['subject', `A subject has at most ${SUBJECT_LENGTH} characters.`])
  if (body.length > BODY_LENGTH) reasons.push(['body', `A body has at most ${BODY_LENGTH} characters.`])
  if (/\p{Cc}/u.test(subject)) reasons.push(['subject', 'A subject must be one line of text.'])
  if (CONTROL.test(body))
    reasons.push(['body', 'A body must not contain control characters other than line breaks and tabs.'])
  for (const [name, text] of Object.entries(template))
    if (text.isWellFormed()) reasons.push(...placeholderReasons(kind, text).map((reason) => [name, reason] as const))
    else reasons.push([name, 'Send well-formed Unicode.'])
  return { template, reasons }
}

/** Why the placeholders of a text are refused, each with its place. */
function placeholderReasons(kind: TemplateKind, text: string): string[] {
  const known: readonly string[] = PLACEHOLDERS[kind]
  const there = `Known placeholders: ${known.map((name) => `{{${name}}}`).join(', ')}.`
  const found = placeholdersIn(text)
  const unknown = found.flatMap(({ name, at }) =>
    known.includes(name) ? [] : [`${placeOf(text, at)}: ${kind} has no placeholder {{${name}}}. ${there}`],
  )
  const within = (at: number) => found.some((one) => at >= one.at && at < one.end)
  const loose = Array.from(text.matchAll(BRACES), ({ index }) => index).filter((at) => !within(at))
  return [
    ...unknown,
    ...loose.map((at) => `${placeOf(text, at)}: Enclose placeholders in double braces. ${there}`),
  ].slice(0, MOST_REASONS)
}
/** More than people correct at once. */
const MOST_REASONS = 20

/** Where a character of a text is, as editors count. */
function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  return `Line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1}`
}
