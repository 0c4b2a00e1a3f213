/** Formats SQL printed by PostgreSQL as people write it: lower case, without redundant casts and parentheses. */
export function plainSql(text: string): string {
  const lowered = outsideQuotes(text, (part) => part.replace(/\b[A-Z][A-Z_]*\b/g, (word) => word.toLowerCase()))
  return lowered
    .replaceAll(/('(?:[^']|'')*')::(?:text|name|date|integer|numeric)\b(?!\[)/g, '$1')
    .replaceAll(/\b(\d+)::numeric\b/g, '$1')
    .replaceAll(/(\w+) = any \(array\[([^\]]*)\]\)/g, '$1 in ($2)')
    .replaceAll(/(\w+(?:\(\w+\))?) >= (\d+) and \1 <= (\d+)/g, '$1 between $2 and $3')
    .replaceAll(/\bpublic\./g, '')
    .replaceAll(' using btree', '')
    .replaceAll(/\b(check|when|where|using) \((.*)\)/g, (whole, word: string, inner: string) =>
      isBalanced(inner) ? (word === 'where' ? `where ${inner}` : `${word} (${unwrapped(inner)})`) : whole,
    )
}

/** Without the parentheses around all of it. */
export function unwrapped(text: string): string {
  const inner = text.slice(1, -1)
  return text.startsWith('(') && text.endsWith(')') && isBalanced(inner) ? unwrapped(inner) : text
}

/** Whether no parenthesis closes that was not opened in it. */
function isBalanced(text: string): boolean {
  let open = 0
  for (const sign of text.replaceAll(/'(?:[^']|'')*'/g, '')) {
    if (sign === '(') open += 1
    if (sign === ')') open -= 1
    if (open < 0) return false
  }
  return open === 0
}

const outsideQuotes = (text: string, change: (part: string) => string): string =>
  text.replaceAll(
    /('(?:[^']|'')*')|([^']+)/g,
    (_, quoted?: string, plain?: string) => quoted?.replace(/^'(.*)\n/s, "E'$1\\n") ?? change(plain ?? ''),
  )
