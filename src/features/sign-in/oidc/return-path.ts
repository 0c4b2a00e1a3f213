export const CONSOLE = '/console/'
const ORIGIN = 'http://console.invalid'
const LONGEST = 1000

/** A path of the console, as a browser reads it; null for whatever leads elsewhere. */
export function returnPath(text: string): string | null {
  if (text.length > LONGEST || !text.startsWith(CONSOLE)) return null
  const url = URL.parse(text, ORIGIN) // resolves dots and backslashes
  if (url?.origin !== ORIGIN || !url.pathname.startsWith(CONSOLE)) return null
  return url.pathname + url.search + url.hash
}
