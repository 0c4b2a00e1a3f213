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
    json.replace(
      named,
      (_, start: string, value: string) =>
        `${start}${JSON.stringify(hiddenForm(JSON.parse(`"${value}"`) as string)).slice(1, -1)}"`,
    )
}

/** A value as sessions see it. */
export function hiddenForm(value: string): string {
  const characters = [...value]
  const end = characters.length > SHOWN + 1 ? characters.slice(-SHOWN) : []
  return HIDDEN.repeat(MOST_HIDDEN) + end.join('')
}
