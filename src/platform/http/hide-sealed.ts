/** Characters of a sealed value that a session sees. */
const SHOWN = 3
const MOST_HIDDEN = 5
export const HIDDEN = '•'

/**
 * Hides the values of these keys in the JSON of a response to a session, but for their end. They are read in clear
 * only where a read is audited.
 */
export function hideSealed(keys: readonly string[]): (json: string) => string {
  const starts = keys.map((key) => `"${key.replace('.', '"\\s*:\\s*\\{\\s*"')}"\\s*:\\s*"`)
  const named = new RegExp(`(${starts.join('|')})((?:[^"\\\\]|\\\\.)+)"`, 'g')
  return (json) =>
    json.replace(named, (_, start: string, value: string) => `${start}${hidden(JSON.parse(`"${value}"`))}"`)
}

function hidden(value: string): string {
  const end = value.length > SHOWN + 1 ? value.slice(-SHOWN) : ''
  return HIDDEN.repeat(MOST_HIDDEN) + JSON.stringify(end).slice(1, -1)
}
