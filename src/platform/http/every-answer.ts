/** The headers that every answer has, refused or not. TLS ends before the program, which knows of it by its own address. */
export const headersOfEveryAnswer = (publicUrl: string): readonly (readonly [name: string, value: string])[] => [
  ['x-content-type-options', 'nosniff'],
  ['cache-control', 'no-store'],
  ...(publicUrl.startsWith('https:') ? [['strict-transport-security', 'max-age=31536000'] as const] : []),
]
