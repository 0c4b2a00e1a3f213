/** A link's preview in a chat: its Open Graph tags, without their prefix. */
export const previewOf = (body: string): Record<string, string> =>
  Object.fromEntries(
    [...body.matchAll(/<meta property="og:(\w+)" content="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
