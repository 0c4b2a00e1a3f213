/** In the order in which they are looked for: browsers name those that they descend from. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** What people call a browser, such as `Firefox, Windows`; null if its user agent does not say. */
export function deviceName(userAgent: string | null): string | null {
  const named = (list: readonly (readonly [string, string])[]) =>
    list.find(([sign]) => userAgent?.includes(sign))?.[1] ?? null
  return [named(BROWSERS), named(SYSTEMS)].filter((name) => name !== null).join(', ') || null
}
