import { type Chance, pick } from '../harness/chance.ts'

const CHARACTERS = ' 09AaZ;/\\*-_=<>"\',.:+@%&#|~\r\n\t\f\0\xff\u0130\u2028\ud800'
const MOST_CHANGES = 3

/** The ways to spoil a text. Readers meet the same in a file that was cut, pasted, converted, or written by hand. */
const WAYS: readonly ((any: Chance, text: string, other: string) => string)[] = [
  (any, text) => text.slice(0, any(text.length + 1)),
  (any, text) => text.slice(any(text.length + 1)),
  function flip(any, text) {
    const at = any(text.length + 1)
    return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << any(7))) + text.slice(at + 1)
  },
  function insert(any, text) {
    const at = any(text.length + 1)
    return text.slice(0, at) + pick(any, [...CHARACTERS]) + text.slice(at)
  },
  function remove(any, text) {
    const at = any(text.length + 1)
    return text.slice(0, at) + text.slice(at + 1 + any(5))
  },
  function repeat(any, text) {
    const at = any(text.length + 1)
    return text.slice(0, at) + text.slice(at, at + 1 + any(20)).repeat(1 + any(30)) + text.slice(at)
  },
  (any, text, other) => text.slice(0, any(text.length + 1)) + other.slice(any(other.length + 1)),
  (any, text) => (any(2) ? text.toUpperCase() : text.toLowerCase()),
  (any, text) => `${pick(any, [...CHARACTERS])}${text}${pick(any, [...CHARACTERS])}`,
  (any, text) => text.replaceAll(pick(any, [...text, 'x']), pick(any, [...CHARACTERS, ''])),
  (any, text) => encodeURIComponent(text.toWellFormed()).slice(0, 3 * (text.length + any(2))),
  (_, text) => text.replaceAll('-', '+').replaceAll('_', '/'),
]

/** A text that is another than the one given, or may be. */
export function spoiled(any: Chance, text: string, other: string): string {
  let changed = text
  for (let left = 1 + any(MOST_CHANGES); left > 0; left -= 1) changed = pick(any, WAYS)(any, changed, other)
  return changed
}
